# Benchmarks: `make bench` runs them; `make check` does not.
EXTRA_PROGRAMS += %D%/bench_replay
%C%_bench_replay_SOURCES = %D%/bench_replay.c tests/sample_trace.c tests/sample_trace.h
%C%_bench_replay_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS) -I$(top_srcdir) -I$(top_srcdir)/lib
%C%_bench_replay_LDADD = replay/libreplay.la sim/libsim.la lib/libcore.la $(SQLITE_LIBS)
BENCHMARKS += %D%/bench_replay

EXTRA_PROGRAMS += %D%/bench_plan
%C%_bench_plan_LDADD = lib/libcore.la
BENCHMARKS += %D%/bench_plan
CLEANFILES += $(EXTRA_PROGRAMS)

.PHONY: bench
bench: $(BENCHMARKS)
	@for program in $(BENCHMARKS); do $$program || exit 1; done
