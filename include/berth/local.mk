# The public headers, installed as <berth/NAME.h>.
berthincludedir = $(includedir)/berth
dist_berthinclude_HEADERS = \
	%D%/api.h \
	%D%/caps.h \
	%D%/checker.h \
	%D%/clinfo.h \
	%D%/device.h \
	%D%/deviation.h \
	%D%/exchange.h \
	%D%/fault.h \
	%D%/findings.h \
	%D%/layout.h \
	%D%/live.h \
	%D%/mark.h \
	%D%/meter.h \
	%D%/objects.h \
	%D%/op.h \
	%D%/open.h \
	%D%/plan.h \
	%D%/plan_input.h \
	%D%/plan_output.h \
	%D%/plan_pools.h \
	%D%/planned.h \
	%D%/pool.h \
	%D%/pool_device.h \
	%D%/probe.h \
	%D%/record.h \
	%D%/recorder.h \
	%D%/replay.h \
	%D%/report.h \
	%D%/residency_report.h \
	%D%/rules.h \
	%D%/sim.h \
	%D%/status.h \
	%D%/tensor.h \
	%D%/token_plan.h \
	%D%/trace.h \
	%D%/trace_diff.h \
	%D%/transfer.h \
	%D%/workspace.h
if WITH_OPENCL
dist_berthinclude_HEADERS += %D%/opencl.h
else
EXTRA_DIST += %D%/opencl.h
endif
