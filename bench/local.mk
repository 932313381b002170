# Benchmarks: `make bench` runs them; `make check` does not.
EXTRA_PROGRAMS += %D%/bench_replay
%C%_bench_replay_SOURCES = %D%/bench_replay.c tests/sample_trace.c tests/sample_trace.h
%C%_bench_replay_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS) -I$(top_srcdir) -I$(top_srcdir)/lib
%C%_bench_replay_LDADD = replay/libreplay.la sim/libsim.la lib/libcore.la $(SQLITE_LIBS)
BENCHMARKS += %D%/bench_replay

EXTRA_PROGRAMS += %D%/bench_suballoc
%C%_bench_suballoc_SOURCES = %D%/bench_suballoc.c %D%/best_fit_tree.c %D%/best_fit_tree.h \
	%D%/workload.c %D%/workload.h
%C%_bench_suballoc_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib
%C%_bench_suballoc_CFLAGS = $(AM_CFLAGS) -pthread
%C%_bench_suballoc_LDADD = lib/libcore.la -lm
BENCHMARKS += %D%/bench_suballoc

CLEANFILES += $(EXTRA_PROGRAMS)

.PHONY: bench
bench: $(BENCHMARKS)
	@for program in $(BENCHMARKS); do $$program || exit 1; done
