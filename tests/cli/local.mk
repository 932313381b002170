# Cases of the tool: NAME.sh runs by ./run and must print NAME.stdout.
TEST_EXTENSIONS = .sh .test
SH_LOG_COMPILER = $(SHELL) $(top_srcdir)/%D%/run
AM_TESTS_ENVIRONMENT += \
	TEST_SHELL='$(SHELL)'; export TEST_SHELL; \
	TOP_SRCDIR='$(abs_top_srcdir)'; export TOP_SRCDIR; \
	TOP_BUILDDIR='$(abs_top_builddir)'; export TOP_BUILDDIR;

CLI_CASES = \
	%D%/bad-device.sh \
	%D%/bad-plan.sh \
	%D%/bad-program.sh \
	%D%/bad-target.sh \
	%D%/bad-trace.sh \
	%D%/compare.sh \
	%D%/devices.sh \
	%D%/devices-real.sh \
	%D%/devices-clinfo.sh \
	%D%/devices-clinfo-real.sh \
	%D%/diff.sh \
	%D%/findings.sh \
	%D%/exchange.sh \
	%D%/exchange-chrome.sh \
	%D%/exchange-pytorch.sh \
	%D%/help.sh \
	%D%/outputs.sh \
	%D%/plan.sh \
	%D%/plan-inclusive.sh \
	%D%/pool.sh \
	%D%/probe.sh \
	%D%/record.sh \
	%D%/record-options.sh \
	%D%/record-synthetic.sh \
	%D%/record-via.sh \
	%D%/recover.sh \
	%D%/replay-fault.sh \
	%D%/user-cases.sh \
	%D%/replay-plan-opencl.sh \
	%D%/replay-plan.sh \
	%D%/replay.sh \
	%D%/replay-queues-opencl.sh \
	%D%/replay-range.sh \
	%D%/report.sh \
	%D%/rules.sh \
	%D%/show.sh \
	%D%/signals.sh \
	%D%/simulate.sh \
	%D%/usage.sh
TESTS += $(CLI_CASES)
EXTRA_DIST += %D%/run %D%/lib.sh %D%/deep_speech.csv $(CLI_CASES) $(CLI_CASES:.sh=.stdout)

if WITH_OPENCL
check_PROGRAMS += %D%/cl_program
%C%_cl_program_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS)
%C%_cl_program_LDADD = $(OPENCL_LIBS)

check_PROGRAMS += %D%/marked_program
%C%_marked_program_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS)
%C%_marked_program_LDADD = $(OPENCL_LIBS)

check_PROGRAMS += %D%/simulated_program
%C%_simulated_program_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS)
%C%_simulated_program_LDADD = $(OPENCL_LIBS)

check_LTLIBRARIES += %D%/libOpenCL-vendor.la
%C%_libOpenCL_vendor_la_SOURCES = %D%/vendor_opencl.c
%C%_libOpenCL_vendor_la_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS)
%C%_libOpenCL_vendor_la_LDFLAGS = -shared -avoid-version -rpath /nowhere
check_PROGRAMS += %D%/vendor_program
%C%_vendor_program_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS)
%C%_vendor_program_LDADD = %D%/libOpenCL-vendor.la

check_LTLIBRARIES += %D%/synthetic_icd.la
%C%_synthetic_icd_la_SOURCES = %D%/synthetic_icd.c
%C%_synthetic_icd_la_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS)
%C%_synthetic_icd_la_CFLAGS = $(AM_CFLAGS) -pthread
%C%_synthetic_icd_la_LDFLAGS = -module -shared -avoid-version -rpath /nowhere
%C%_synthetic_icd_la_LIBADD = -ldl
check_PROGRAMS += %D%/synthetic_program
%C%_synthetic_program_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS)
%C%_synthetic_program_CFLAGS = $(AM_CFLAGS) -pthread
%C%_synthetic_program_LDADD = $(OPENCL_LIBS)

check_LTLIBRARIES += %D%/crash_icd.la
%C%_crash_icd_la_SOURCES = %D%/crash_icd.c
%C%_crash_icd_la_LDFLAGS = -module -shared -avoid-version -rpath /nowhere
endif
