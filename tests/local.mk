# Tests: one CUnit program a module, and the tests of the tool.
TEST_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib -I$(top_srcdir)/tests $(CUNIT_CFLAGS) \
	-DTEST_SOURCE_DIR='"$(abs_top_srcdir)/tests"' -DTEST_BUILD_DIR='"$(abs_top_builddir)/tests"'

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
%C%_test_objects_LDADD = %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_caps_query
TESTS += %D%/test_caps_query
%C%_test_caps_query_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_caps_query_LDADD = %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)

if WITH_OPENCL
check_PROGRAMS += %D%/test_opencl
TESTS += %D%/test_opencl
%C%_test_opencl_SOURCES = %D%/test_opencl.c %D%/opencl_driver.c %D%/opencl_driver.h
%C%_test_opencl_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_opencl_LDADD = %D%/libtestmain.la lib/libcldevice.la lib/libcore.la $(CUNIT_LIBS)
endif

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

check_PROGRAMS += %D%/test_layer_calls
TESTS += %D%/test_layer_calls
%C%_test_layer_calls_CPPFLAGS = $(LAYER_TEST_CPPFLAGS)
%C%_test_layer_calls_LDADD = $(LAYER_TEST_LIBS) -ldl
EXTRA_%C%_test_layer_calls_DEPENDENCIES = layer/libberth-layer.la
endif
