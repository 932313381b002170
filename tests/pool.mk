# Pools.
check_PROGRAMS += %D%/test_contract_pool %D%/test_pool
TESTS += %D%/test_contract_pool %D%/test_pool
%C%_test_contract_pool_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_contract_pool_LDADD = %D%/libcontract.la %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)
%C%_test_pool_SOURCES = %D%/test_pool.c %D%/pool_fixture.h %D%/sim_fixture.h
%C%_test_pool_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_pool_LDADD = %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)
check_PROGRAMS += %D%/test_pool_view %D%/test_pool_memory
TESTS += %D%/test_pool_view %D%/test_pool_memory
%C%_test_pool_view_SOURCES = %D%/test_pool_view.c %D%/pool_fixture.h %D%/sim_fixture.h
%C%_test_pool_view_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_pool_view_LDADD = %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)
%C%_test_pool_memory_SOURCES = %D%/test_pool_memory.c %D%/pool_fixture.h %D%/sim_fixture.h
%C%_test_pool_memory_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_pool_memory_LDADD = %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)
check_PROGRAMS += %D%/test_pool_faults %D%/test_pool_threads
TESTS += %D%/test_pool_faults %D%/test_pool_threads
%C%_test_pool_faults_SOURCES = %D%/test_pool_faults.c %D%/pool_fixture.h %D%/sim_fixture.h \
	%D%/alloc_fault.c %D%/alloc_fault.h
%C%_test_pool_faults_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_pool_faults_LDFLAGS = $(ALLOC_FAULT_LINK)
%C%_test_pool_faults_LDADD = %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)
%C%_test_pool_threads_SOURCES = %D%/test_pool_threads.c %D%/pool_fixture.h %D%/sim_fixture.h
%C%_test_pool_threads_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_pool_threads_CFLAGS = $(AM_CFLAGS) -pthread
%C%_test_pool_threads_LDADD = %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)

# Pools on real drivers: a program each, see test_pool_opencl.c. Intel's CPU runtime is
# not packaged: it is used where OCL_ICD_VENDORS names it.
if WITH_OPENCL
pool_opencl_sources = %D%/test_pool_opencl.c %D%/pool_fixture.h %D%/sim_fixture.h \
	%D%/opencl_driver.c %D%/opencl_driver.h
pool_opencl_libs = %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS) $(OPENCL_LIBS)
pool_opencl_programs = \
	%D%/test_pool_pocl \
	%D%/test_pool_rusticl \
	%D%/test_pool_intel
check_PROGRAMS += $(pool_opencl_programs)
TESTS += $(pool_opencl_programs)
%C%_test_pool_pocl_SOURCES = $(pool_opencl_sources)
%C%_test_pool_pocl_CPPFLAGS = $(TEST_CPPFLAGS) -DDRIVER='"pocl"' \
	-DPLATFORM='"Portable Computing Language"' -DIMAGE_MODE='"host-aliased"' -DROW_PITCH=1664
%C%_test_pool_pocl_LDADD = $(pool_opencl_libs)
%C%_test_pool_rusticl_SOURCES = $(pool_opencl_sources)
%C%_test_pool_rusticl_CPPFLAGS = $(TEST_CPPFLAGS) -DDRIVER='"rusticl"' \
	-DPLATFORM='"rusticl"' -DIMAGE_MODE='"none"' -DROW_PITCH=1616
%C%_test_pool_rusticl_LDADD = $(pool_opencl_libs)
%C%_test_pool_intel_SOURCES = $(pool_opencl_sources)
%C%_test_pool_intel_CPPFLAGS = $(TEST_CPPFLAGS) -DDRIVER='""' \
	-DPLATFORM='"Intel(R) OpenCL"' -DIMAGE_MODE='"native"' -DROW_PITCH=2048
%C%_test_pool_intel_LDADD = $(pool_opencl_libs)
check_PROGRAMS += %D%/test_contract_pool_opencl
TESTS += %D%/test_contract_pool_opencl
%C%_test_contract_pool_opencl_SOURCES = %D%/test_contract_pool_opencl.c %D%/opencl_driver.c \
	%D%/opencl_driver.h
%C%_test_contract_pool_opencl_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_contract_pool_opencl_LDADD = %D%/libcontract.la $(pool_opencl_libs)
endif

# Drivers whose kernel compilers leak.
EXTRA_DIST += %D%/leak.supp
AM_TESTS_ENVIRONMENT += \
	LSAN_OPTIONS="suppressions=$(abs_top_srcdir)/%D%/leak.supp:print_suppressions=0:$$LSAN_OPTIONS"; \
	export LSAN_OPTIONS;

check_PROGRAMS += %D%/test_pool_order
TESTS += %D%/test_pool_order
%C%_test_pool_order_SOURCES = %D%/test_pool_order.c %D%/pool_fixture.h %D%/sim_fixture.h
%C%_test_pool_order_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_pool_order_LDADD = %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_pool_reuse
TESTS += %D%/test_pool_reuse
%C%_test_pool_reuse_SOURCES = %D%/test_pool_reuse.c %D%/pool_fixture.h %D%/sim_fixture.h
%C%_test_pool_reuse_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_pool_reuse_LDADD = %D%/libtestmain.la $(SIM_TEST_LIBS) $(CUNIT_LIBS)
