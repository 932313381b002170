# Traces: the store, the drainer of spools, the replayer, the checker, what the planner is fed
# with. libreplay.la is linked into libberth-replay, the tool and the tests.
noinst_LTLIBRARIES += %D%/libreplay.la
%C%_libreplay_la_SOURCES = \
	%D%/check.h \
	%D%/check_content.c \
	%D%/check_content.h \
	%D%/check_judge.c \
	%D%/check_kept.c \
	%D%/checker.c \
	%D%/call_columns.c \
	%D%/call_columns.h \
	%D%/codes.h \
	%D%/crew.c \
	%D%/crew.h \
	%D%/csv_rows.c \
	%D%/csv_rows.h \
	%D%/db.c \
	%D%/db.h \
	%D%/diff_groups.c \
	%D%/diff_groups.h \
	%D%/drain.c \
	%D%/drain_leftovers.c \
	%D%/drain_leftovers.h \
	%D%/drain_place.c \
	%D%/drain_place.h \
	%D%/drain_process.c \
	%D%/drain_process.h \
	%D%/drain_process_finish.c \
	%D%/estimate_sum.c \
	%D%/estimate_sum.h \
	%D%/finding.h \
	%D%/finding_alignment.c \
	%D%/finding_argument.c \
	%D%/finding_backlog.c \
	%D%/finding_churn.c \
	%D%/finding_content.c \
	%D%/finding_fold.c \
	%D%/finding_host.c \
	%D%/finding_idle.c \
	%D%/finding_leak.c \
	%D%/finding_limit.c \
	%D%/finding_list.c \
	%D%/finding_list.h \
	%D%/finding_padding.c \
	%D%/finding_parent.c \
	%D%/finding_refused.c \
	%D%/finding_release.c \
	%D%/finding_rules.c \
	%D%/finding_share.c \
	%D%/finding_transfer.c \
	%D%/finding_wait.c \
	%D%/finding_world.c \
	%D%/findings.c \
	%D%/exchange.c \
	%D%/export.c \
	%D%/export.h \
	%D%/export_calls.c \
	%D%/export_chrome.c \
	%D%/export_memory.c \
	%D%/export_nest.c \
	%D%/export_nest.h \
	%D%/id_map.c \
	%D%/id_map.h \
	%D%/import.c \
	%D%/import.h \
	%D%/import_calls.c \
	%D%/import_clock.c \
	%D%/import_clock.h \
	%D%/import_plan.c \
	%D%/import_pytorch.c \
	%D%/import_pytorch.h \
	%D%/import_pytorch_events.c \
	%D%/import_rmm.c \
	%D%/import_sink.c \
	%D%/import_sink.h \
	%D%/json_text.c \
	%D%/json_text.h \
	%D%/judge.c \
	%D%/judge.h \
	%D%/last_steps.c \
	%D%/last_steps.h \
	%D%/live.c \
	%D%/pickle.c \
	%D%/pickle.h \
	%D%/pickle_machine.h \
	%D%/pickle_execute.c \
	%D%/pickle_opcodes.c \
	%D%/pickle_store.h \
	%D%/pickle_value.c \
	%D%/plan_file.c \
	%D%/plan_lists.c \
	%D%/plan_queues.c \
	%D%/plan_queues.h \
	%D%/plan_source.c \
	%D%/plan_source.h \
	%D%/plan_svg.c \
	%D%/plan_svg.h \
	%D%/plan_table.c \
	%D%/plan_text.c \
	%D%/plan_text.h \
	%D%/plan_trace.c \
	%D%/player.c \
	%D%/player.h \
	%D%/player_op.c \
	%D%/player_op.h \
	%D%/process_alive.c \
	%D%/process_alive.h \
	%D%/recorder.c \
	%D%/recorded_content.c \
	%D%/recorded_content.h \
	%D%/replay.c \
	%D%/report.c \
	%D%/report_compare.c \
	%D%/report_data.h \
	%D%/report_devices.c \
	%D%/report_groups.c \
	%D%/report_json.c \
	%D%/report_json.h \
	%D%/report_map.c \
	%D%/report_map.h \
	%D%/report_moments.c \
	%D%/report_objects.c \
	%D%/report_page.c \
	%D%/report_page.h \
	%D%/report_plan.c \
	%D%/report_print.c \
	%D%/report_tables.c \
	%D%/report_tables.h \
	%D%/report_uses.c \
	%D%/residency_held.c \
	%D%/residency_held.h \
	%D%/residency_ops.c \
	%D%/residency_ops.h \
	%D%/residency_report.c \
	%D%/residency_report_of.h \
	%D%/residency_span.c \
	%D%/residency_span.h \
	%D%/residency_tally.c \
	%D%/residency_tally.h \
	%D%/shell_quote.c \
	%D%/shell_quote.h \
	%D%/spool_read.c \
	%D%/spool_read.h \
	%D%/spool_store.c \
	%D%/spool_store.h \
	%D%/stand_in.c \
	%D%/stand_in.h \
	%D%/summary.c \
	%D%/summary_json.c \
	%D%/summary_object.c \
	%D%/summary_object.h \
	%D%/summary_unreleased.c \
	%D%/summary_unreleased.h \
	%D%/symbolise.c \
	%D%/symbolise.h \
	%D%/text_stream.c \
	%D%/text_stream.h \
	%D%/trace_device.c \
	%D%/trace_diff.c \
	%D%/trace_device.h \
	%D%/trace_limit.c \
	%D%/trace_limit.h \
	%D%/trace_mark.c \
	%D%/trace_names.c \
	%D%/trace_objects.c \
	%D%/trace_objects.h \
	%D%/trace_op_write.c \
	%D%/trace_op_write.h \
	%D%/trace_open.c \
	%D%/trace_read.c \
	%D%/trace_schema.c \
	%D%/trace_schema.h \
	%D%/trace_side.c \
	%D%/trace_side.h \
	%D%/trace_stack.c \
	%D%/trace_stack_write.c \
	%D%/trace_stack_write.h \
	%D%/trace_store.h \
	%D%/trace_views.c \
	%D%/trace_write.c \
	%D%/trace_write.h \
	%D%/verdict.c \
	%D%/verdict.h \
	%D%/whole_file.c \
	%D%/whole_file.h
%C%_libreplay_la_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS) $(XXHASH_CFLAGS) \
	$(LIBDW_CFLAGS) -I$(top_srcdir)/lib
%C%_libreplay_la_LIBADD = $(SQLITE_LIBS) $(CSV_LIBS) $(LIBDW_LIBS)

lib_LTLIBRARIES += %D%/libberth-replay.la
%C%_libberth_replay_la_SOURCES =
%C%_libberth_replay_la_LIBADD = %D%/libreplay.la lib/libberth.la
EXTRA_%C%_libberth_replay_la_DEPENDENCIES = config.status
%C%_libberth_replay_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 -no-undefined

pkgconfig_DATA += %D%/berth-replay.pc
EXTRA_DIST += doc/compare.md doc/replay.md doc/findings.md doc/simulate.md doc/residency-report.md \
	doc/trace-format.md doc/trace-queries.md doc/recording.md \
	doc/recorded/README.md doc/recorded/record-programs doc/recorded/viennacl_vectors.cpp
EXTRA_DIST += doc/trace-format.md doc/planner.md doc/planner/resnet50.awk doc/planner/tables

# The page of a report, embedded: its parts are files that a browser's tools read.
nodist_%C%_libreplay_la_SOURCES = %D%/report_embedded.c
CLEANFILES += %D%/report_embedded.c
report_parts = %D%/report/page.html %D%/report/page.css %D%/report/base.js \
	%D%/report/objects.js %D%/report/chart.js %D%/report/page.js
EXTRA_DIST += $(report_parts) %D%/report/embed doc/report.md \
	doc/report/opencv-umat-desk.png doc/report/opencv-umat-phone.png \
	doc/report/ffmpeg-nlmeans-desk.png doc/report/ffmpeg-nlmeans-phone.png
%D%/report_embedded.c: $(report_parts) %D%/report/embed
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	  $(SHELL) $(srcdir)/%D%/report/embed $(srcdir)/%D%/report >$@.tmp && mv $@.tmp $@
EXTRA_DIST += doc/export-import.md
