# berth(1). Uses the public headers only.
bin_PROGRAMS += %D%/berth
%C%_berth_SOURCES = \
	%D%/berth.c \
	%D%/child.c \
	%D%/child.h \
	%D%/cmd-compare.c \
	%D%/cmd-devices.c \
	%D%/cmd-diff.c \
	%D%/cmd-findings.c \
	%D%/findings_json.c \
	%D%/findings_junit.c \
	%D%/findings_print.h \
	%D%/cmd-export.c \
	%D%/cmd-import.c \
	%D%/cmd-plan.c \
	%D%/cmd-probe.c \
	%D%/cmd-recover.c \
	%D%/cmd-record.c \
	%D%/cmd-replay.c \
	%D%/cmd-report.c \
	%D%/cmd-rules.c \
	%D%/cmd-show.c \
	%D%/cmd-simulate.c \
	%D%/simulate_setup.c \
	%D%/simulate_setup.h \
	%D%/cmd-top.c \
	%D%/cmd.h \
	%D%/compare_cell.c \
	%D%/compare_cell.h \
	%D%/compare_file.c \
	%D%/compare_file.h \
	%D%/compare_row.c \
	%D%/compare_row.h \
	%D%/compare_run.c \
	%D%/compare_run.h \
	%D%/compare_table.c \
	%D%/compare_table.h \
	%D%/help.c \
	%D%/json.c \
	%D%/json.h \
	%D%/json_read.c \
	%D%/json_read.h \
	%D%/junit.c \
	%D%/junit.h \
	%D%/layer_path.c \
	%D%/layer_path.h \
	%D%/output.c \
	%D%/output.h \
	%D%/plan_reason.c \
	%D%/plan_reason.h \
	%D%/plan_report.c \
	%D%/plan_report.h \
	%D%/plan_report_json.c \
	%D%/print.c \
	%D%/print.h \
	%D%/print_stack.c \
	%D%/print_stack.h \
	%D%/probe_json.c \
	%D%/probe_junit.c \
	%D%/probe_table.c \
	%D%/probe_table.h \
	%D%/progress.c \
	%D%/progress.h \
	%D%/image_mode.c \
	%D%/image_mode.h \
	%D%/real_devices.c \
	%D%/real_devices.h \
	%D%/record_options.c \
	%D%/record_options.h \
	%D%/record_way.c \
	%D%/record_way.h \
	%D%/recording.c \
	%D%/recording.h \
	%D%/show_residency.c \
	%D%/show_residency.h \
	%D%/replay_estimate.c \
	%D%/replay_estimate.h \
	%D%/replay_fault.c \
	%D%/replay_fault.h \
	%D%/replay_plan.c \
	%D%/replay_plan.h \
	%D%/replay_pool.c \
	%D%/replay_pool.h \
	%D%/replay_range.c \
	%D%/replay_range.h \
	%D%/replay_report.c \
	%D%/replay_report.h \
	%D%/replay_report_json.c \
	%D%/replay_report_junit.c \
	%D%/replay_stack.c \
	%D%/replay_stack.h \
	replay/json_text.c \
	replay/json_text.h \
	%D%/size.c \
	%D%/size.h
%C%_berth_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS) -DBERTH_PKGLIBDIR='"$(pkglibdir)"'
# The layer's folder is compiled in.
%D%/berth-layer_path.$(OBJEXT): config.status
EXTRA_%C%_berth_DEPENDENCIES = config.status
%C%_berth_LDADD = replay/libberth-replay.la lib/libberth.la $(SQLITE_LIBS)

# The man page is printed by berth from its command tables. It depends on their
# sources, on the program only in order: a tarball carries the page, and has no
# reason to make it again.
dist_man_MANS += %D%/berth.1
man_page_inputs = \
	$(srcdir)/%D%/berth.c \
	$(srcdir)/%D%/cmd-compare.c \
	$(srcdir)/%D%/cmd-devices.c \
	$(srcdir)/%D%/cmd-diff.c \
	$(srcdir)/%D%/cmd-findings.c \
	$(srcdir)/%D%/cmd-export.c \
	$(srcdir)/%D%/cmd-import.c \
	$(srcdir)/%D%/cmd-plan.c \
	$(srcdir)/%D%/cmd-probe.c \
	$(srcdir)/%D%/cmd-recover.c \
	$(srcdir)/%D%/cmd-record.c \
	$(srcdir)/%D%/cmd-replay.c \
	$(srcdir)/%D%/cmd-report.c \
	$(srcdir)/%D%/cmd-show.c \
	$(srcdir)/%D%/cmd-simulate.c \
	$(srcdir)/%D%/cmd-top.c \
	$(srcdir)/%D%/record_options.c \
	$(srcdir)/%D%/help.c
%D%/berth.1: $(man_page_inputs) | %D%/berth$(EXEEXT)
	$(AM_V_GEN)%D%/berth$(EXEEXT) --man >$@.tmp && mv $@.tmp $@
MAINTAINERCLEANFILES += %D%/berth.1

EXTRA_DIST += %D%/demo.sh
# Record a live program, replay it on a simulated GPU, print what comes out.
if WITH_OPENCL
demo_program = tests/cli/cl_program$(EXEEXT)
endif
.PHONY: demo
demo: all $(demo_program)
	@BERTH=$(abs_top_builddir)/%D%/berth DEMO_PROGRAM=$(abs_top_builddir)/tests/cli/cl_program \
	  $(SHELL) $(srcdir)/%D%/demo.sh
