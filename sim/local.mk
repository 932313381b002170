# The simulator and devices by name, linked into libberth.
noinst_LTLIBRARIES += %D%/libsimulator.la
%C%_libsimulator_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib -I$(top_srcdir)/sim \
	$(INIH_CFLAGS)
%C%_libsimulator_la_LIBADD = $(INIH_LIBS)
%C%_libsimulator_la_SOURCES = \
	%D%/behaviour.c \
	%D%/behaviour.h \
	%D%/box.c \
	%D%/box.h \
	%D%/clinfo.c \
	%D%/clinfo_devices.c \
	%D%/clinfo_file.h \
	%D%/clinfo_labels.c \
	%D%/clinfo_profile.c \
	%D%/clinfo_values.c \
	%D%/colour.c \
	%D%/colour.h \
	%D%/commit.c \
	%D%/commit.h \
	%D%/content.c \
	%D%/content.h \
	%D%/create.c \
	%D%/effect.c \
	%D%/effect.h \
	%D%/estimate.c \
	%D%/estimate.h \
	%D%/file_text.c \
	%D%/file_text.h \
	%D%/irregular.c \
	%D%/irregular.h \
	%D%/memory.c \
	%D%/memory.h \
	%D%/profile.c \
	%D%/profile_behaviour.c \
	%D%/profile_deviations.c \
	%D%/profile_file.h \
	%D%/profile_keys.c \
	%D%/profile_load.c \
	%D%/profile_override.c \
	%D%/profile_text.c \
	%D%/simulator.c \
	%D%/simulator.h \
	%D%/staged_map.c \
	%D%/staged_map.h

lib_libberth_la_LIBADD += %D%/libsim.la

# With devices by name, real ones too: not for the simulate layer, which opens none.
noinst_LTLIBRARIES += %D%/libsim.la
%C%_libsim_la_SOURCES = %D%/open.c
%C%_libsim_la_LIBADD = %D%/libsimulator.la

# The built-in profiles as text, in the order in which they are listed to users.
profiles = \
	%D%/profiles/spec-minimum.ini \
	%D%/profiles/adreno-650.ini \
	%D%/profiles/mali-g610.ini \
	%D%/profiles/rusticl-fd690.ini \
	%D%/profiles/videocore-iv.ini \
	%D%/profiles/vivante-ftg340.ini \
	%D%/profiles/apple-m1.ini \
	%D%/profiles/apple-m4-pro.ini \
	%D%/profiles/apple-radeon-pro-560x.ini \
	%D%/profiles/apple-core-i7-8750h.ini \
	%D%/profiles/intel-uhd.ini \
	%D%/profiles/intel-uhd-630.ini \
	%D%/profiles/intel-graphics-a7a0.ini \
	%D%/profiles/intel-hd-windows.ini \
	%D%/profiles/intel-iris-6100-beignet.ini \
	%D%/profiles/clvk-intel-hd-4600.ini \
	%D%/profiles/amd-gfx1100.ini \
	%D%/profiles/amd-gfx1012.ini \
	%D%/profiles/amd-gfx90c.ini \
	%D%/profiles/amd-tonga.ini \
	%D%/profiles/amd-spectre.ini \
	%D%/profiles/amd-loveland.ini \
	%D%/profiles/amd-clover-rx-7900.ini \
	%D%/profiles/pocl-3.1.ini \
	%D%/profiles/intel-cpu-runtime.ini \
	%D%/profiles/oclgrind.ini \
	%D%/profiles/rusticl-llvmpipe.ini \
	%D%/profiles/nvidia-h200.ini \
	%D%/profiles/nvidia-rtx-3050.ini \
	%D%/profiles/nvidia-rtx-3050-laptop.ini \
	%D%/profiles/nvidia-gtx-1650.ini \
	%D%/profiles/intel-core-i5-4590.ini \
	%D%/profiles/intel-core-i5-10210u.ini \
	%D%/profiles/intel-core-i5-12400f.ini \
	%D%/profiles/intel-rt-ryzen-5800hs.ini \
	%D%/profiles/amd-rt-ryzen-3600x.ini \
	%D%/profiles/amd-rt-xeon-e5-2682.ini \
	%D%/profiles/pocl-cortex-a55.ini \
	%D%/profiles/intel-fpga-emulation.ini \
	%D%/profiles/euler-line-fpga.ini
EXTRA_DIST += $(profiles) build-aux/embed-profiles doc/profile-format.md \
	doc/profiles.md
nodist_%C%_libsimulator_la_SOURCES = %D%/profile_builtins.c
CLEANFILES += %D%/profile_builtins.c

%D%/profile_builtins.c: $(profiles) build-aux/embed-profiles
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	profiles=; for profile in $(profiles); do \
	  profiles="$$profiles $(srcdir)/$$profile"; \
	done; \
	$(srcdir)/build-aux/embed-profiles $$profiles >$@.tmp && mv $@.tmp $@
