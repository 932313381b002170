# The core. libcore.la is linked into libberth, the layer and the tests.
noinst_LTLIBRARIES += %D%/libcore.la
%C%_libcore_la_SOURCES = \
	%D%/caps.c \
	%D%/caps_query.c \
	%D%/caps_query.h \
	%D%/clock.h \
	%D%/deviation.c \
	%D%/device.c \
	%D%/error.c \
	%D%/fault.c \
	%D%/fault_spec.c \
	%D%/fault_spec.h \
	%D%/format.c \
	%D%/image_shape.c \
	%D%/image_shape.h \
	%D%/svm_index.c \
	%D%/svm_index.h \
	%D%/op_fold.h \
	%D%/layout.c \
	%D%/layout_name.c \
	%D%/mem_flags.h \
	%D%/meter.c \
	%D%/object.c \
	%D%/object.h \
	%D%/objects.c \
	%D%/op.c \
	%D%/plan.c \
	%D%/plan_adjacent.c \
	%D%/plan_arenas.c \
	%D%/plan_bound.c \
	%D%/plan_bound.h \
	%D%/plan_branch.c \
	%D%/plan_check.c \
	%D%/plan_effort.c \
	%D%/plan_greedy.c \
	%D%/plan_input.c \
	%D%/plan_input.h \
	%D%/plan_local.c \
	%D%/plan_normalise.c \
	%D%/plan_normalise.h \
	%D%/plan_order.c \
	%D%/plan_pools.c \
	%D%/plan_problem.h \
	%D%/plan_repair.c \
	%D%/plan_search.c \
	%D%/plan_search.h \
	%D%/plan_search_state.c \
	%D%/plan_search_state.h \
	%D%/plan_shelf.c \
	%D%/plan_shelf.h \
	%D%/plan_solve.h \
	%D%/plan_vary.c \
	%D%/planned.c \
	%D%/pool.c \
	%D%/pool_block.c \
	%D%/pool_device.c \
	%D%/pool_device.h \
	%D%/pool_device_command.c \
	%D%/pool_device_copy.c \
	%D%/pool_device_create.c \
	%D%/pool_device_plan.c \
	%D%/pool_image.c \
	%D%/pool_in_flight.c \
	%D%/pool_internal.h \
	%D%/pool_object.c \
	%D%/pool_place.c \
	%D%/pool_policy.c \
	%D%/pool_stats.c \
	%D%/pool_storage.c \
	%D%/pool_view.c \
	%D%/ranges.c \
	%D%/ranges.h \
	%D%/rehearsal.c \
	%D%/rule_answer.h \
	%D%/rule_table.h \
	%D%/rules.c \
	%D%/rules_argument.c \
	%D%/rules_buffer.c \
	%D%/rules_command.c \
	%D%/rules_flags.c \
	%D%/rules_image.c \
	%D%/rules_image_command.c \
	%D%/rules_image_memory.c \
	%D%/rules_image_region.c \
	%D%/rules_linear.c \
	%D%/rules_map.c \
	%D%/rules_memory.c \
	%D%/rules_object.c \
	%D%/rules_pipe.c \
	%D%/rules_quirk.c \
	%D%/rules_quirk_part.c \
	%D%/rules_quirk_create.c \
	%D%/rules_rect.c \
	%D%/rules_svm.c \
	%D%/slots.c \
	%D%/slots.h \
	%D%/spool_format.h \
	%D%/status.c \
	%D%/suballoc.c \
	%D%/suballoc.h \
	%D%/suballoc_arena.h \
	%D%/suballoc_create.c \
	%D%/suballoc_inspect.c \
	%D%/tensor.c \
	%D%/tensor_evict.c \
	%D%/tensor_handle.c \
	%D%/tensor_host.c \
	%D%/tensor_internal.h \
	%D%/tensor_log.c \
	%D%/tensor_move.c \
	%D%/tensor_pending.c \
	%D%/tensor_policy.c \
	%D%/tensor_resident.c \
	%D%/tensor_run.c \
	%D%/tensor_transfer.c \
	%D%/token_plan.c \
	%D%/tokens.c \
	%D%/transfer.c \
	%D%/workspace.c

# The OpenCL device: not in libcore, which the layer links and which must not
# need libOpenCL.
if WITH_OPENCL
noinst_LTLIBRARIES += %D%/libcldevice.la
%C%_libcldevice_la_SOURCES = \
	%D%/opencl_argument.c \
	%D%/opencl_command.c \
	%D%/opencl_device.c \
	%D%/opencl_device.h \
	%D%/opencl_execute.c \
	%D%/opencl_explain.c \
	%D%/opencl_fence.c \
	%D%/opencl_find.c \
	%D%/opencl_objects.c \
	%D%/opencl_queues.c \
	%D%/opencl_svm.c
%C%_libcldevice_la_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS)
%C%_libcldevice_la_LIBADD = $(OPENCL_LIBS)
endif

# The library that runtimes link: the core and the simulator.
lib_LTLIBRARIES += %D%/libberth.la
%C%_libberth_la_SOURCES =
%C%_libberth_la_LIBADD = %D%/libcore.la
if WITH_OPENCL
%C%_libberth_la_LIBADD += %D%/libcldevice.la
endif
# A library knows where it will be installed: another --prefix links it again.
EXTRA_%C%_libberth_la_DEPENDENCIES = config.status
%C%_libberth_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 -no-undefined

pkgconfig_DATA += %D%/berth.pc

# The documents of what is here.
EXTRA_DIST += doc/rules.md doc/pools.md doc/residency.md
