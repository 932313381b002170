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
	%D%/csv_rows.c \
	%D%/csv_rows.h \
	%D%/db.c \
	%D%/db.h \
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
	%D%/plan_table.c \
	%D%/plan_text.c \
	%D%/plan_text.h \
	%D%/plan_trace.c \
	%D%/player.c \
	%D%/player.h \
	%D%/process_alive.c \
	%D%/process_alive.h \
	%D%/recorder.c \
	%D%/recorded_content.c \
	%D%/recorded_content.h \
	%D%/replay.c \
	%D%/residency_held.c \
	%D%/residency_held.h \
	%D%/residency_ops.c \
	%D%/residency_ops.h \
	%D%/residency_report.c \
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
	%D%/trace_device.c \
	%D%/trace_device.h \
	%D%/trace_limit.c \
	%D%/trace_limit.h \
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
	%D%/trace_write.c \
	%D%/trace_write.h \
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
EXTRA_DIST += doc/residency-report.md doc/trace-format.md doc/trace-queries.md doc/recording.md \
	doc/recorded/README.md doc/recorded/record-programs doc/recorded/viennacl_vectors.cpp
EXTRA_DIST += doc/trace-format.md doc/planner.md doc/planner/resnet50.awk doc/planner/tables
EXTRA_DIST += doc/export-import.md
