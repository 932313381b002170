# The simulator and devices by name, linked into libberth.
noinst_LTLIBRARIES += %D%/libsim.la
%C%_libsim_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib -I$(top_srcdir)/sim \
	$(INIH_CFLAGS)
%C%_libsim_la_LIBADD = $(INIH_LIBS)
%C%_libsim_la_SOURCES = \
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
	%D%/open.c \
	%D%/profile.c \
	%D%/profile_behaviour.c \
	%D%/profile_deviations.c \
	%D%/profile_file.h \
	%D%/profile_keys.c \
	%D%/profile_load.c \
	%D%/profile_text.c \
	%D%/simulator.c \
	%D%/simulator.h \
	%D%/staged_map.c \
	%D%/staged_map.h

lib_libberth_la_LIBADD += %D%/libsim.la

# The built-in profiles as text, in the order in which they are listed to users.
profiles = \
	%D%/profiles/spec-minimum.ini \
	%D%/profiles/adreno-650.ini \
	%D%/profiles/mali-g610.ini \
	%D%/profiles/intel-uhd.ini \
	%D%/profiles/intel-uhd-630.ini \
	%D%/profiles/amd-gfx1100.ini \
	%D%/profiles/apple-m1.ini \
	%D%/profiles/nvidia-h200.ini
EXTRA_DIST += $(profiles) build-aux/embed-profiles doc/profile-format.md
nodist_%C%_libsim_la_SOURCES = %D%/profile_builtins.c
CLEANFILES += %D%/profile_builtins.c

%D%/profile_builtins.c: $(profiles) build-aux/embed-profiles
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	profiles=; for profile in $(profiles); do \
	  profiles="$$profiles $(srcdir)/$$profile"; \
	done; \
	$(srcdir)/build-aux/embed-profiles $$profiles >$@.tmp && mv $@.tmp $@
