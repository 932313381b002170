# Tests: one CUnit program a module, and the tests of the tool.
TEST_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib -I$(top_srcdir)/tests $(CUNIT_CFLAGS) \
	-DTEST_SOURCE_DIR='"$(abs_top_srcdir)/tests"' -DTEST_BUILD_DIR='"$(abs_top_builddir)/tests"'

# For programs that have alloc_fault.c.
alloc_fault_sources = %D%/alloc_fault.c %D%/alloc_fault.h
ALLOC_FAULT_LINK = $(AM_LDFLAGS) \
	-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray,--wrap=free \
	-Wl,--wrap=strdup,--wrap=asprintf,--wrap=__asprintf_chk,--wrap=posix_memalign \
	-Wl,--wrap=mmap,--wrap=munmap

noinst_LTLIBRARIES += %D%/libtestmain.la
%C%_libtestmain_la_SOURCES = %D%/test_main.c %D%/test_main.h
%C%_libtestmain_la_CPPFLAGS = $(TEST_CPPFLAGS)

check_PROGRAMS += %D%/test_op
TESTS += %D%/test_op
%C%_test_op_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_op_LDADD = %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_caps
TESTS += %D%/test_caps
%C%_test_caps_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_caps_LDADD = %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_objects
TESTS += %D%/test_objects
%C%_test_objects_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_objects_SOURCES = %D%/test_objects.c $(alloc_fault_sources)
%C%_test_objects_LDFLAGS = $(ALLOC_FAULT_LINK)
%C%_test_objects_LDADD = %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_caps_query
TESTS += %D%/test_caps_query
%C%_test_caps_query_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_caps_query_LDADD = %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)

if WITH_OPENCL
check_PROGRAMS += %D%/test_opencl
TESTS += %D%/test_opencl
%C%_test_opencl_SOURCES = %D%/test_opencl.c %D%/opencl_driver.c %D%/opencl_driver.h \
	$(alloc_fault_sources)
%C%_test_opencl_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_opencl_LDFLAGS = $(ALLOC_FAULT_LINK)
%C%_test_opencl_LDADD = %D%/libtestmain.la lib/libcldevice.la lib/libcore.la $(CUNIT_LIBS)
endif

check_PROGRAMS += %D%/test_checker
TESTS += %D%/test_checker
%C%_test_checker_SOURCES = %D%/test_checker.c $(alloc_fault_sources)
%C%_test_checker_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_checker_LDFLAGS = $(ALLOC_FAULT_LINK)
%C%_test_checker_LDADD = %D%/libtestmain.la replay/libreplay.la lib/libcore.la $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_profile
TESTS += %D%/test_profile
%C%_test_profile_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_profile_LDADD = %D%/libtestmain.la sim/libsim.la lib/libcore.la $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_profile_sections
TESTS += %D%/test_profile_sections
%C%_test_profile_sections_SOURCES = %D%/test_profile_sections.c %D%/scratch.c %D%/scratch.h
%C%_test_profile_sections_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_profile_sections_LDADD = %D%/libtestmain.la sim/libsim.la lib/libcore.la $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_clinfo
TESTS += %D%/test_clinfo
%C%_test_clinfo_SOURCES = %D%/test_clinfo.c %D%/scratch.c %D%/scratch.h
%C%_test_clinfo_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_clinfo_LDADD = %D%/libtestmain.la sim/libsim.la lib/libcore.la $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_ranges
TESTS += %D%/test_ranges
%C%_test_ranges_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_ranges_LDADD = %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)

# The contract suite: what every device promises. A program gives it devices.
noinst_LTLIBRARIES += %D%/libcontract.la
%C%_libcontract_la_SOURCES = \
	%D%/contract.c \
	%D%/contract.h \
	%D%/contract_internal.h \
	%D%/contract_more.c \
	%D%/contract_object.c \
	%D%/contract_transfer.c
%C%_libcontract_la_CPPFLAGS = $(TEST_CPPFLAGS)

# Devices by name lead to the OpenCL device where there is one.
SIM_TEST_LIBS = sim/libsim.la
if WITH_OPENCL
SIM_TEST_LIBS += lib/libcldevice.la
endif
SIM_TEST_LIBS += lib/libcore.la

check_PROGRAMS += %D%/test_contract_sim
TESTS += %D%/test_contract_sim
%C%_test_contract_sim_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_contract_sim_LDADD = %D%/libcontract.la %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_deviation
TESTS += %D%/test_deviation
%C%_test_deviation_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_deviation_LDADD = %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_recorder
TESTS += %D%/test_recorder
%C%_test_recorder_SOURCES = %D%/test_recorder.c %D%/scratch.c %D%/scratch.h
%C%_test_recorder_CPPFLAGS = $(TEST_CPPFLAGS) $(XXHASH_CFLAGS) -DXXH_INLINE_ALL
%C%_test_recorder_LDADD = %D%/libcontract.la %D%/libtestmain.la replay/libreplay.la \
	$(SIM_TEST_LIBS) $(SQLITE_LIBS) $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_fault %D%/test_contract_fault
TESTS += %D%/test_fault %D%/test_contract_fault
%C%_test_fault_SOURCES = %D%/test_fault.c %D%/sim_fixture.h
%C%_test_fault_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_fault_LDADD = %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)
%C%_test_contract_fault_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_contract_fault_LDADD = %D%/libcontract.la %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_behaviour
TESTS += %D%/test_behaviour
%C%_test_behaviour_SOURCES = %D%/test_behaviour.c %D%/sim_fixture.h
%C%_test_behaviour_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_behaviour_LDADD = %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_sim_deviations %D%/test_sim_accepting
TESTS += %D%/test_sim_deviations %D%/test_sim_accepting
%C%_test_sim_deviations_SOURCES = %D%/test_sim_deviations.c %D%/sim_fixture.h
%C%_test_sim_deviations_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_sim_deviations_LDADD = %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)
%C%_test_sim_accepting_SOURCES = \
	%D%/rule_cases.h \
	%D%/rule_cases_buffer.c \
	%D%/rule_cases_flags.c \
	%D%/rule_cases_image.c \
	%D%/rule_cases_image_command.c \
	%D%/rule_cases_image_memory.c \
	%D%/rule_cases_image_region.c \
	%D%/rule_cases_linear.c \
	%D%/rule_cases_argument.c \
	%D%/rule_cases_object.c \
	%D%/rule_cases_svm.c \
	%D%/rule_cases_rect.c \
	%D%/rule_world.c \
	%D%/test_sim_accepting.c
%C%_test_sim_accepting_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_sim_accepting_LDADD = %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)

# The replayer, and what the tests of the tool need.
check_PROGRAMS += %D%/test_replay
TESTS += %D%/test_replay
%C%_test_replay_SOURCES = %D%/test_replay.c $(alloc_fault_sources)
%C%_test_replay_LDFLAGS = $(ALLOC_FAULT_LINK)
%C%_test_replay_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir) -I$(top_srcdir)/replay
%C%_test_replay_LDADD = %D%/libtestmain.la replay/libreplay.la lib/libcore.la $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_replay_run
TESTS += %D%/test_replay_run
%C%_test_replay_run_SOURCES = %D%/test_replay_run.c %D%/sample_trace.c %D%/sample_trace.h
%C%_test_replay_run_CPPFLAGS = $(TEST_CPPFLAGS) $(SQLITE_CFLAGS) -I$(top_srcdir)
%C%_test_replay_run_LDADD = %D%/libtestmain.la replay/libreplay.la $(SIM_TEST_LIBS) \
	$(SQLITE_LIBS) $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_quirks
TESTS += %D%/test_quirks
%C%_test_quirks_SOURCES = %D%/test_quirks.c %D%/rule_cases.h %D%/rule_world.c
%C%_test_quirks_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_quirks_LDADD = %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_probe
TESTS += %D%/test_probe
%C%_test_probe_SOURCES = %D%/test_probe.c %D%/scratch.c %D%/scratch.h
%C%_test_probe_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_probe_LDADD = %D%/libtestmain.la replay/libberth-replay.la lib/libberth.la $(CUNIT_LIBS)

check_PROGRAMS += %D%/make_trace
%C%_make_trace_SOURCES = %D%/make_trace.c %D%/sample_trace.c %D%/sample_trace.h \
	%D%/script_trace.c %D%/script_trace.h
%C%_make_trace_CPPFLAGS = $(TEST_CPPFLAGS) $(SQLITE_CFLAGS) -I$(top_srcdir)
%C%_make_trace_LDADD = replay/libreplay.la sim/libsim.la lib/libcore.la $(SQLITE_LIBS)

include tests/cli/local.mk

# The contract on real drivers: a program each, see test_contract_opencl.c.
if WITH_OPENCL
contract_opencl_sources = %D%/test_contract_opencl.c %D%/opencl_driver.c %D%/opencl_driver.h
contract_opencl_libs = %D%/libcontract.la %D%/libtestmain.la lib/libcldevice.la lib/libcore.la \
	$(CUNIT_LIBS)
contract_opencl_programs = \
	%D%/test_contract_pocl \
	%D%/test_contract_rusticl \
	%D%/test_contract_oclgrind
check_PROGRAMS += $(contract_opencl_programs)
TESTS += $(contract_opencl_programs)
%C%_test_contract_pocl_SOURCES = $(contract_opencl_sources)
%C%_test_contract_pocl_CPPFLAGS = $(TEST_CPPFLAGS) -DDRIVER='"pocl"'
%C%_test_contract_pocl_LDADD = $(contract_opencl_libs)
%C%_test_contract_rusticl_SOURCES = $(contract_opencl_sources)
%C%_test_contract_rusticl_CPPFLAGS = $(TEST_CPPFLAGS) -DDRIVER='"rusticl"'
%C%_test_contract_rusticl_LDADD = $(contract_opencl_libs)
%C%_test_contract_oclgrind_SOURCES = $(contract_opencl_sources)
%C%_test_contract_oclgrind_CPPFLAGS = $(TEST_CPPFLAGS) -DDRIVER='"oclgrind"'
%C%_test_contract_oclgrind_LDADD = $(contract_opencl_libs)

# On whatever else is installed.
check_PROGRAMS += %D%/test_contract_others
TESTS += %D%/test_contract_others
%C%_test_contract_others_SOURCES = %D%/test_contract_others.c %D%/opencl_driver.c %D%/opencl_driver.h
%C%_test_contract_others_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_contract_others_LDADD = $(contract_opencl_libs)
endif

check_PROGRAMS += %D%/test_contract_checker
TESTS += %D%/test_contract_checker
%C%_test_contract_checker_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_contract_checker_LDADD = %D%/libcontract.la %D%/libtestmain.la replay/libreplay.la \
	$(SIM_TEST_LIBS) $(CUNIT_LIBS)

# A driver against the simulator.
if WITH_OPENCL
check_PROGRAMS += %D%/test_check_opencl
TESTS += %D%/test_check_opencl
%C%_test_check_opencl_SOURCES = %D%/test_check_opencl.c %D%/opencl_driver.c %D%/opencl_driver.h
%C%_test_check_opencl_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_check_opencl_LDADD = %D%/libtestmain.la replay/libreplay.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)
endif
check_PROGRAMS += %D%/test_sim %D%/test_sim_content
TESTS += %D%/test_sim %D%/test_sim_content
%C%_test_sim_SOURCES = %D%/test_sim.c %D%/sim_fixture.h
%C%_test_sim_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_sim_LDADD = %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)
%C%_test_sim_content_SOURCES = %D%/test_sim_content.c %D%/sim_fixture.h
%C%_test_sim_content_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/sim
%C%_test_sim_content_LDADD = %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_sim_faults
TESTS += %D%/test_sim_faults
%C%_test_sim_faults_SOURCES = %D%/test_sim_faults.c %D%/sim_fixture.h $(alloc_fault_sources)
%C%_test_sim_faults_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_sim_faults_LDADD = %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)
%C%_test_sim_faults_LDFLAGS = $(ALLOC_FAULT_LINK)
if WITH_OPENCL
# The record layer: its spool, its wrappers on a made-up driver, a live program.
noinst_LTLIBRARIES += %D%/libspoolreader.la
%C%_libspoolreader_la_SOURCES = %D%/spool_reader.c %D%/spool_reader.h
%C%_libspoolreader_la_CPPFLAGS = $(TEST_CPPFLAGS)

LAYER_TEST_LIBS = %D%/libspoolreader.la %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_spool
TESTS += %D%/test_spool
%C%_test_spool_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/layer
%C%_test_spool_CFLAGS = $(AM_CFLAGS) -pthread
%C%_test_spool_LDADD = layer/libspoolwriter.la $(LAYER_TEST_LIBS)

check_PROGRAMS += %D%/live_program %D%/live_program_dlopen
%C%_live_program_CFLAGS = $(AM_CFLAGS) $(OPENCL_CFLAGS) -pthread
%C%_live_program_LDADD = $(OPENCL_LIBS)
%C%_live_program_dlopen_SOURCES = %D%/live_program.c
%C%_live_program_dlopen_CPPFLAGS = $(AM_CPPFLAGS) -DLIVE_DLOPEN
%C%_live_program_dlopen_CFLAGS = $(AM_CFLAGS) -pthread
%C%_live_program_dlopen_LDADD = -ldl

# As libtool names the folder in which the layer lies before it is installed.
LAYER_TEST_CPPFLAGS = $(TEST_CPPFLAGS) $(XXHASH_CFLAGS) \
	-DTEST_LAYER_DIR='"$(abs_top_builddir)/layer/.libs"'

check_PROGRAMS += %D%/test_layer
TESTS += %D%/test_layer
%C%_test_layer_CPPFLAGS = $(LAYER_TEST_CPPFLAGS)
%C%_test_layer_LDADD = $(LAYER_TEST_LIBS)
EXTRA_%C%_test_layer_DEPENDENCIES = layer/libberth-layer.la

check_PROGRAMS += %D%/test_layer_calls %D%/test_layer_events %D%/test_layer_extensions \
	%D%/test_layer_forwarding %D%/test_layer_threads
TESTS += %D%/test_layer_calls %D%/test_layer_events %D%/test_layer_extensions \
	%D%/test_layer_forwarding %D%/test_layer_threads
%C%_test_layer_calls_SOURCES = %D%/test_layer_calls.c %D%/layer_fixture.c %D%/layer_fixture.h
%C%_test_layer_calls_CPPFLAGS = $(LAYER_TEST_CPPFLAGS)
%C%_test_layer_calls_LDADD = $(LAYER_TEST_LIBS) -ldl
EXTRA_%C%_test_layer_calls_DEPENDENCIES = layer/libberth-layer.la
%C%_test_layer_threads_SOURCES = %D%/test_layer_threads.c %D%/layer_fixture.c \
	%D%/layer_fixture.h
%C%_test_layer_threads_CPPFLAGS = $(LAYER_TEST_CPPFLAGS)
%C%_test_layer_threads_CFLAGS = $(AM_CFLAGS) -pthread
%C%_test_layer_threads_LDADD = $(LAYER_TEST_LIBS) -ldl
EXTRA_%C%_test_layer_threads_DEPENDENCIES = layer/libberth-layer.la
%C%_test_layer_forwarding_SOURCES = %D%/test_layer_forwarding.c %D%/layer_fixture.c \
	%D%/layer_fixture.h
%C%_test_layer_forwarding_CPPFLAGS = $(LAYER_TEST_CPPFLAGS)
%C%_test_layer_forwarding_LDADD = $(LAYER_TEST_LIBS) -ldl
EXTRA_%C%_test_layer_forwarding_DEPENDENCIES = layer/libberth-layer.la
LAYER_DRIVER_SOURCES = %D%/layer_driver.c %D%/layer_driver.h %D%/layer_fixture.c \
	%D%/layer_fixture.h
%C%_test_layer_events_SOURCES = %D%/test_layer_events.c $(LAYER_DRIVER_SOURCES)
%C%_test_layer_events_CPPFLAGS = $(LAYER_TEST_CPPFLAGS)
%C%_test_layer_events_LDADD = $(LAYER_TEST_LIBS) -ldl
EXTRA_%C%_test_layer_events_DEPENDENCIES = layer/libberth-layer.la
%C%_test_layer_extensions_SOURCES = %D%/test_layer_extensions.c $(LAYER_DRIVER_SOURCES)
%C%_test_layer_extensions_CPPFLAGS = $(LAYER_TEST_CPPFLAGS)
%C%_test_layer_extensions_LDADD = $(LAYER_TEST_LIBS) -ldl
EXTRA_%C%_test_layer_extensions_DEPENDENCIES = layer/libberth-layer.la
endif

# Layouts, and offsets in an arena.
check_PROGRAMS += %D%/test_layout %D%/test_suballoc
TESTS += %D%/test_layout %D%/test_suballoc
%C%_test_layout_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_layout_LDADD = %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)
%C%_test_suballoc_SOURCES = %D%/test_suballoc.c %D%/alloc_fault.c %D%/alloc_fault.h
%C%_test_suballoc_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_suballoc_LDFLAGS = $(ALLOC_FAULT_LINK)
%C%_test_suballoc_LDADD = %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)
check_PROGRAMS += %D%/test_rules
TESTS += %D%/test_rules
%C%_test_rules_SOURCES = \
	%D%/rule_cases.h \
	%D%/rule_cases_buffer.c \
	%D%/rule_cases_flags.c \
	%D%/rule_cases_image.c \
	%D%/rule_cases_image_command.c \
	%D%/rule_cases_image_memory.c \
	%D%/rule_cases_image_region.c \
	%D%/rule_cases_linear.c \
	%D%/rule_cases_argument.c \
	%D%/rule_cases_object.c \
	%D%/rule_cases_svm.c \
	%D%/rule_cases_rect.c \
	%D%/rule_world.c \
	%D%/test_rules.c
%C%_test_rules_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_rules_LDADD = %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)
# The trace store, the drainer and the summary share fixtures.
noinst_LTLIBRARIES += %D%/libtracefixture.la
%C%_libtracefixture_la_SOURCES = %D%/scratch.c %D%/scratch.h %D%/trace_fixture.c \
	%D%/trace_fixture.h %D%/spool_fixture.c %D%/spool_fixture.h
TRACE_TEST_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/replay $(SQLITE_CFLAGS)
%C%_libtracefixture_la_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
TRACE_TEST_LIBS = %D%/libtestmain.la %D%/libtracefixture.la replay/libreplay.la lib/libcore.la \
	$(CUNIT_LIBS)

check_PROGRAMS += %D%/test_trace %D%/test_drain %D%/test_drain_records %D%/test_summary \
	%D%/test_residency_report %D%/test_unreleased
TESTS += %D%/test_trace %D%/test_drain %D%/test_drain_records %D%/test_summary \
	%D%/test_residency_report %D%/test_unreleased
%C%_test_trace_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_test_trace_LDADD = $(TRACE_TEST_LIBS)
%C%_test_drain_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_test_drain_LDADD = $(TRACE_TEST_LIBS)
%C%_test_drain_records_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_test_drain_records_LDADD = $(TRACE_TEST_LIBS)
%C%_test_unreleased_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_test_unreleased_LDADD = $(TRACE_TEST_LIBS)
%C%_test_summary_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_test_summary_LDADD = $(TRACE_TEST_LIBS)
%C%_test_residency_report_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_test_residency_report_LDADD = $(TRACE_TEST_LIBS)

check_PROGRAMS += %D%/test_report
TESTS += %D%/test_report %D%/report_browser.test
EXTRA_DIST += %D%/report_browser.test %D%/report_browser.js
%C%_test_report_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_test_report_LDADD = %D%/libtestmain.la %D%/libtracefixture.la replay/libreplay.la \
	$(SIM_TEST_LIBS) $(CUNIT_LIBS)

if WITH_SANITIZERS
# Oclgrind deletes its objects by the wrong type, which is none of our business.
AM_TESTS_ENVIRONMENT += \
	ASAN_OPTIONS=new_delete_type_mismatch=0:$$ASAN_OPTIONS; export ASAN_OPTIONS;
endif
check_PROGRAMS += %D%/test_trace_faults
TESTS += %D%/test_trace_faults
%C%_test_trace_faults_SOURCES = %D%/test_trace_faults.c $(alloc_fault_sources)
%C%_test_trace_faults_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_test_trace_faults_LDFLAGS = $(ALLOC_FAULT_LINK)
%C%_test_trace_faults_LDADD = %D%/libtestmain.la %D%/libtracefixture.la replay/libreplay.la \
	$(SIM_TEST_LIBS) $(SQLITE_LIBS) $(CUNIT_LIBS)

# Of what is built and shipped as such: headers, libraries, golden traces.
TEST_LOG_COMPILER = $(SHELL)
AM_TESTS_ENVIRONMENT += \
	CC='$(CC)'; export CC; NM='$(NM)'; export NM; \
	WITH_OPENCL='@WITH_OPENCL@'; export WITH_OPENCL; \
	WITH_SANITIZERS='@WITH_SANITIZERS@'; export WITH_SANITIZERS; \
	WITH_COVERAGE='@WITH_COVERAGE@'; export WITH_COVERAGE; \
	TSAN_OPTIONS="suppressions=$(abs_top_srcdir)/%D%/thread.supp $$TSAN_OPTIONS"; export TSAN_OPTIONS;
built_tests = %D%/golden.test %D%/headers.test %D%/rule_numbers.test %D%/symbols.test \
	%D%/compare_table.test %D%/exchange_golden.test %D%/trace_queries.test
TESTS += $(built_tests)

# Findings: the rules, and what people reported.
finding_story = %D%/finding_story.c %D%/finding_story.h
check_PROGRAMS += %D%/test_findings %D%/test_findings_cases
TESTS += %D%/test_findings %D%/test_findings_cases
%C%_test_findings_SOURCES = %D%/test_findings.c $(finding_story)
%C%_test_findings_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_test_findings_LDADD = $(TRACE_TEST_LIBS)
%C%_test_findings_cases_SOURCES = %D%/test_findings_cases.c $(finding_story)
%C%_test_findings_cases_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_test_findings_cases_LDADD = $(TRACE_TEST_LIBS)

check_PROGRAMS += %D%/test_token_plan
TESTS += %D%/test_token_plan
%C%_test_token_plan_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_token_plan_LDADD = %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_plan_queues
TESTS += %D%/test_plan_queues
%C%_test_plan_queues_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_test_plan_queues_LDADD = $(TRACE_TEST_LIBS)

check_PROGRAMS += %D%/test_plan_input
TESTS += %D%/test_plan_input
%C%_test_plan_input_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_test_plan_input_LDADD = $(TRACE_TEST_LIBS)

check_PROGRAMS += %D%/test_planned
TESTS += %D%/test_planned
%C%_test_planned_SOURCES = %D%/test_planned.c %D%/pool_fixture.h %D%/sim_fixture.h
%C%_test_planned_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_planned_LDADD = %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)
# The planner and its validator.
check_PROGRAMS += %D%/test_plan_pools
TESTS += %D%/test_plan_pools
%C%_test_plan_pools_LDADD = %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_plan %D%/test_plan_check
TESTS += %D%/test_plan %D%/test_plan_check
%C%_test_plan_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_plan_LDADD = %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)
%C%_test_plan_check_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_plan_check_LDADD = %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_plan_faults
TESTS += %D%/test_plan_faults
%C%_test_plan_faults_SOURCES = %D%/test_plan_faults.c %D%/alloc_fault.c %D%/alloc_fault.h
%C%_test_plan_faults_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_plan_faults_LDFLAGS = $(ALLOC_FAULT_LINK)
%C%_test_plan_faults_LDADD = %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_plan_use_faults
TESTS += %D%/test_plan_use_faults
%C%_test_plan_use_faults_SOURCES = %D%/test_plan_use_faults.c %D%/alloc_fault.c %D%/alloc_fault.h \
	%D%/pool_fixture.h %D%/sim_fixture.h %D%/sample_trace.c %D%/sample_trace.h
%C%_test_plan_use_faults_CPPFLAGS = $(TRACE_TEST_CPPFLAGS) -I$(top_srcdir)
%C%_test_plan_use_faults_LDFLAGS = $(ALLOC_FAULT_LINK)
%C%_test_plan_use_faults_LDADD = %D%/libtestmain.la %D%/libtracefixture.la replay/libreplay.la \
	$(SIM_TEST_LIBS) $(CUNIT_LIBS)

EXTRA_DIST += $(built_tests) %D%/thread.supp
# Tensors, on the simulator and on a driver.
tensor_fixture = %D%/tensor_fixture.h %D%/fault_device.h %D%/sim_fixture.h
tensor_libs = %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)
check_PROGRAMS += %D%/test_tensor %D%/test_tensor_evict %D%/test_tensor_faults \
	%D%/test_tensor_graph %D%/test_tensor_threads
TESTS += %D%/test_tensor %D%/test_tensor_evict %D%/test_tensor_faults %D%/test_tensor_graph \
	%D%/test_tensor_threads
%C%_test_tensor_SOURCES = %D%/test_tensor.c $(tensor_fixture)
%C%_test_tensor_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_tensor_LDADD = $(tensor_libs)
%C%_test_tensor_evict_SOURCES = %D%/test_tensor_evict.c $(tensor_fixture)
%C%_test_tensor_evict_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_tensor_evict_LDADD = $(tensor_libs)
%C%_test_tensor_faults_SOURCES = %D%/test_tensor_faults.c $(tensor_fixture) $(alloc_fault_sources)
%C%_test_tensor_faults_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_tensor_faults_LDFLAGS = $(ALLOC_FAULT_LINK)
%C%_test_tensor_faults_LDADD = $(tensor_libs)
%C%_test_tensor_graph_SOURCES = %D%/test_tensor_graph.c $(tensor_fixture)
%C%_test_tensor_graph_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_tensor_graph_CFLAGS = $(AM_CFLAGS) -pthread
%C%_test_tensor_graph_LDADD = $(tensor_libs) -lm
%C%_test_tensor_threads_SOURCES = %D%/test_tensor_threads.c $(tensor_fixture)
%C%_test_tensor_threads_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_tensor_threads_CFLAGS = $(AM_CFLAGS) -pthread
%C%_test_tensor_threads_LDADD = $(tensor_libs)
if WITH_OPENCL
tensor_pocl_flags = $(TEST_CPPFLAGS) -DDRIVER='"pocl"' -DPLATFORM='"Portable Computing Language"'
tensor_pocl_sources = $(tensor_fixture) %D%/opencl_driver.c %D%/opencl_driver.h
check_PROGRAMS += %D%/test_tensor_pocl %D%/test_tensor_evict_pocl %D%/test_tensor_graph_pocl \
	%D%/test_tensor_context
TESTS += %D%/test_tensor_pocl %D%/test_tensor_evict_pocl %D%/test_tensor_graph_pocl \
	%D%/test_tensor_context
%C%_test_tensor_context_SOURCES = %D%/test_tensor_context.c $(tensor_pocl_sources)
%C%_test_tensor_context_CPPFLAGS = $(tensor_pocl_flags)
%C%_test_tensor_context_LDADD = $(tensor_libs)
%C%_test_tensor_pocl_SOURCES = %D%/test_tensor.c $(tensor_pocl_sources)
%C%_test_tensor_pocl_CPPFLAGS = $(tensor_pocl_flags)
%C%_test_tensor_pocl_LDADD = $(tensor_libs)
%C%_test_tensor_evict_pocl_SOURCES = %D%/test_tensor_evict.c $(tensor_pocl_sources)
%C%_test_tensor_evict_pocl_CPPFLAGS = $(tensor_pocl_flags)
%C%_test_tensor_evict_pocl_LDADD = $(tensor_libs)
%C%_test_tensor_graph_pocl_SOURCES = %D%/test_tensor_graph.c $(tensor_pocl_sources)
%C%_test_tensor_graph_pocl_CPPFLAGS = $(tensor_pocl_flags)
%C%_test_tensor_graph_pocl_CFLAGS = $(AM_CFLAGS) -pthread
%C%_test_tensor_graph_pocl_LDADD = $(tensor_libs) -lm
endif

include tests/pool.mk
