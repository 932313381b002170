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

# The trace store, the drainer and the summary share fixtures.
noinst_LTLIBRARIES += %D%/libtracefixture.la
%C%_libtracefixture_la_SOURCES = %D%/scratch.c %D%/scratch.h %D%/trace_fixture.c \
	%D%/trace_fixture.h %D%/spool_fixture.c %D%/spool_fixture.h
TRACE_TEST_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/replay $(SQLITE_CFLAGS)
%C%_libtracefixture_la_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
TRACE_TEST_LIBS = %D%/libtestmain.la %D%/libtracefixture.la replay/libreplay.la lib/libcore.la \
	$(CUNIT_LIBS)

check_PROGRAMS += %D%/test_trace %D%/test_drain %D%/test_summary
TESTS += %D%/test_trace %D%/test_drain %D%/test_summary
%C%_test_trace_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_test_trace_LDADD = $(TRACE_TEST_LIBS)
%C%_test_drain_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_test_drain_LDADD = $(TRACE_TEST_LIBS)
%C%_test_summary_CPPFLAGS = $(TRACE_TEST_CPPFLAGS)
%C%_test_summary_LDADD = $(TRACE_TEST_LIBS)
