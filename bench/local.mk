# Benchmarks: `make bench` runs them; `make check` does not.
EXTRA_PROGRAMS += %D%/bench_findings
%C%_bench_findings_SOURCES = %D%/bench_findings.c tests/sample_trace.c tests/sample_trace.h
%C%_bench_findings_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS) -I$(top_srcdir) -I$(top_srcdir)/lib
%C%_bench_findings_LDADD = replay/libreplay.la lib/libcore.la $(SQLITE_LIBS)
BENCHMARKS += %D%/bench_findings
EXTRA_PROGRAMS += %D%/bench_replay
%C%_bench_replay_SOURCES = %D%/bench_replay.c tests/sample_trace.c tests/sample_trace.h
%C%_bench_replay_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS) -I$(top_srcdir) -I$(top_srcdir)/lib
%C%_bench_replay_LDADD = replay/libreplay.la sim/libsim.la lib/libcore.la $(SQLITE_LIBS)
BENCHMARKS += %D%/bench_replay

EXTRA_PROGRAMS += %D%/bench_trace
%C%_bench_trace_SOURCES = %D%/bench_trace.c tests/sample_trace.c tests/sample_trace.h
%C%_bench_trace_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS) -I$(top_srcdir) -I$(top_srcdir)/lib
%C%_bench_trace_LDADD = replay/libreplay.la $(SIM_TEST_LIBS) $(SQLITE_LIBS)
BENCHMARKS += %D%/bench_trace

EXTRA_PROGRAMS += %D%/bench_suballoc
%C%_bench_suballoc_SOURCES = %D%/bench_suballoc.c %D%/best_fit_tree.c %D%/best_fit_tree.h \
	%D%/allocators.c %D%/allocators.h %D%/workload.c %D%/workload.h
%C%_bench_suballoc_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib
%C%_bench_suballoc_CFLAGS = $(AM_CFLAGS) -pthread
%C%_bench_suballoc_LDADD = lib/libcore.la -lm
BENCHMARKS += %D%/bench_suballoc

EXTRA_PROGRAMS += %D%/bench_recorded
%C%_bench_recorded_SOURCES = %D%/bench_recorded.c %D%/recorded.c %D%/recorded.h \
	%D%/allocators.c %D%/allocators.h %D%/best_fit_tree.c %D%/best_fit_tree.h \
	%D%/workload.c %D%/workload.h
%C%_bench_recorded_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib \
	-DTRACE_DIR='"$(abs_top_srcdir)/traces"'
%C%_bench_recorded_CFLAGS = $(AM_CFLAGS) -pthread
%C%_bench_recorded_LDADD = replay/libreplay.la $(bench_pool_libs) $(SQLITE_LIBS) -lm
BENCHMARKS += %D%/bench_recorded

EXTRA_PROGRAMS += %D%/bench_plan
%C%_bench_plan_LDADD = lib/libcore.la
BENCHMARKS += %D%/bench_plan
EXTRA_PROGRAMS += %D%/bench_pool
%C%_bench_pool_SOURCES = %D%/bench_pool.c %D%/workload.c %D%/workload.h
%C%_bench_pool_CPPFLAGS = $(AM_CPPFLAGS)
%C%_bench_pool_LDADD = $(bench_pool_libs) -lm
if WITH_OPENCL
bench_pool_libs = lib/libcldevice.la lib/libcore.la $(OPENCL_LIBS)
else
bench_pool_libs = lib/libcore.la
endif
BENCHMARKS += %D%/bench_pool

CLEANFILES += $(EXTRA_PROGRAMS)
if WITH_OPENCL
EXTRA_LTLIBRARIES += %D%/layer_forward.la
%C%_layer_forward_la_SOURCES = %D%/layer_forward.c
# Not to be installed; with a place to go to, libtool makes it a module.
%C%_layer_forward_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere
EXTRA_PROGRAMS += %D%/bench_record
%C%_bench_record_SOURCES = %D%/bench_record.c
%C%_bench_record_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib \
	-DBENCH_DIR='"$(abs_top_builddir)/%D%/.libs"' -DLAYER_DIR='"$(abs_top_builddir)/layer/.libs"' \
	-DPROFILE='"$(abs_top_srcdir)/sim/profiles/pocl-3.1.ini"'
%C%_bench_record_CFLAGS = $(AM_CFLAGS) $(OPENCL_CFLAGS)
%C%_bench_record_LDADD = $(OPENCL_LIBS)
EXTRA_%C%_bench_record_DEPENDENCIES = layer/libberth-layer.la \
	layer/libberth-simulate-layer.la %D%/layer_forward.la
BENCHMARKS += %D%/bench_record
endif

CLEANFILES += $(EXTRA_PROGRAMS) $(EXTRA_LTLIBRARIES)

.PHONY: bench
bench: all $(BENCHMARKS)
	@for program in $(BENCHMARKS); do $$program || exit 1; done
if WITH_OPENCL
	@BERTH=$(abs_top_builddir)/tool/berth $(SHELL) $(srcdir)/%D%/record_programs.sh
endif
EXTRA_DIST += %D%/record_programs.sh %D%/simulate_programs.sh
