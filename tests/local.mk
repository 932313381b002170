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
%C%_test_objects_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=calloc -Wl,--wrap=reallocarray
%C%_test_objects_LDADD = %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)

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
	%D%/rule_cases_object.c \
	%D%/rule_cases_rect.c \
	%D%/rule_world.c \
	%D%/test_rules.c
%C%_test_rules_CPPFLAGS = $(TEST_CPPFLAGS)
%C%_test_rules_LDADD = %D%/libtestmain.la lib/libcore.la $(CUNIT_LIBS)
