# Plain drivers that feed damaged files to the readers; `make check` runs them.
check_PROGRAMS += %D%/fuzz_trace %D%/fuzz_spool
TESTS += %D%/fuzz_trace %D%/fuzz_spool
%C%_fuzz_trace_SOURCES = %D%/fuzz_trace.c %D%/mutate.c %D%/mutate.h
%C%_fuzz_trace_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_fuzz_trace_LDADD = tests/libtracefixture.la replay/libreplay.la $(SIM_TEST_LIBS)
%C%_fuzz_spool_SOURCES = %D%/fuzz_spool.c %D%/mutate.c %D%/mutate.h
%C%_fuzz_spool_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_fuzz_spool_LDADD = tests/libtracefixture.la replay/libreplay.la lib/libcore.la

check_PROGRAMS += %D%/fuzz_plan
TESTS += %D%/fuzz_plan
%C%_fuzz_plan_SOURCES = %D%/fuzz_plan.c %D%/mutate.c %D%/mutate.h
%C%_fuzz_plan_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_fuzz_plan_LDADD = tests/libtracefixture.la replay/libreplay.la lib/libcore.la

check_PROGRAMS += %D%/fuzz_profile
TESTS += %D%/fuzz_profile
%C%_fuzz_profile_SOURCES = %D%/fuzz_profile.c %D%/mutate.c %D%/mutate.h
%C%_fuzz_profile_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_fuzz_profile_LDADD = tests/libtracefixture.la replay/libreplay.la $(SIM_TEST_LIBS)

check_PROGRAMS += %D%/fuzz_clinfo
TESTS += %D%/fuzz_clinfo
%C%_fuzz_clinfo_SOURCES = %D%/fuzz_clinfo.c %D%/mutate.c %D%/mutate.h
%C%_fuzz_clinfo_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_fuzz_clinfo_LDADD = tests/libtracefixture.la replay/libreplay.la $(SIM_TEST_LIBS)

check_PROGRAMS += %D%/fuzz_sim
TESTS += %D%/fuzz_sim
%C%_fuzz_sim_SOURCES = %D%/fuzz_sim.c
%C%_fuzz_sim_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_fuzz_sim_LDADD = $(SIM_TEST_LIBS)

check_PROGRAMS += %D%/fuzz_import
TESTS += %D%/fuzz_import
%C%_fuzz_import_SOURCES = %D%/fuzz_import.c %D%/mutate.c %D%/mutate.h
%C%_fuzz_import_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_fuzz_import_LDADD = tests/libtracefixture.la replay/libreplay.la lib/libcore.la
