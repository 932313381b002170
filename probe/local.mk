# The probe: cases of every rule, executed in child processes. Linked into libberth-replay.
noinst_LTLIBRARIES += %D%/libprobe.la
%C%_libprobe_la_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS) -I$(top_srcdir)/lib -I$(top_srcdir)/replay
%C%_libprobe_la_SOURCES = \
	%D%/batch.c \
	%D%/case.h \
	%D%/cases_argument.c \
	%D%/cases_buffer.c \
	%D%/cases_flags.c \
	%D%/cases_image.c \
	%D%/cases_image_command.c \
	%D%/cases_image_memory.c \
	%D%/cases_image_region.c \
	%D%/cases_linear.c \
	%D%/cases_object.c \
	%D%/cases_rect.c \
	%D%/cases_svm.c \
	%D%/child.c \
	%D%/edit.c \
	%D%/execute.c \
	%D%/fill.c \
	%D%/fill_model.c \
	%D%/guess.c \
	%D%/learn.c \
	%D%/learn.h \
	%D%/measure.c \
	%D%/plan.c \
	%D%/probe.h \
	%D%/record.c \
	%D%/run.c \
	%D%/world.c

EXTRA_DIST += doc/conformance/README.md doc/conformance/intel-cpu-runtime.md \
	doc/conformance/nvidia-h200.md \
	doc/conformance/oclgrind.md doc/conformance/pocl-3.1.md \
	doc/conformance/rusticl-llvmpipe.md

replay_libberth_replay_la_LIBADD += %D%/libprobe.la
