# The record layer.
if WITH_OPENCL
noinst_LTLIBRARIES += %D%/libspoolwriter.la
%C%_libspoolwriter_la_SOURCES = \
	%D%/spool_process.c \
	%D%/spool_process.h \
	%D%/spool_segment.c \
	%D%/spool_segment.h \
	%D%/spool_writer.c \
	%D%/spool_writer.h
%C%_libspoolwriter_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib
%C%_libspoolwriter_la_LIBADD = lib/libcore.la

# The wrappers, for both of the following.
noinst_LTLIBRARIES += %D%/libwrappers.la
%C%_libwrappers_la_SOURCES = \
	%D%/command_list.c \
	%D%/command_list.h \
	%D%/digest.c \
	%D%/digest.h \
	%D%/handle_map.c \
	%D%/handle_map.h \
	%D%/layer.c \
	%D%/layer.h \
	%D%/layer_below.h \
	%D%/layer_buffer.c \
	%D%/layer_buffer.h \
	%D%/layer_call.c \
	%D%/layer_call.h \
	%D%/layer_callback.h \
	%D%/layer_calls.h \
	%D%/layer_command_buffer.c \
	%D%/layer_context.c \
	%D%/layer_copy.c \
	%D%/layer_destructor.c \
	%D%/layer_entry.c \
	%D%/layer_event.c \
	%D%/layer_event.h \
	%D%/layer_extension.c \
	%D%/layer_extension.h \
	%D%/layer_external.c \
	%D%/layer_image.c \
	%D%/layer_kernel.c \
	%D%/layer_kernel.h \
	%D%/layer_later.c \
	%D%/layer_later.h \
	%D%/layer_map.c \
	%D%/layer_mapping.c \
	%D%/layer_mark.c \
	%D%/layer_mark.h \
	%D%/layer_mapping.h \
	%D%/layer_name.c \
	%D%/layer_native.c \
	%D%/layer_native.h \
	%D%/layer_pipe.c \
	%D%/layer_svm.c \
	%D%/layer_svm.h \
	%D%/layer_sync.c \
	%D%/layer_transfer.c \
	%D%/layer_untracked.c \
	%D%/layer_use.c \
	%D%/layer_uses.c \
	%D%/layer_usm.c \
	%D%/payload.c \
	%D%/payload.h \
	%D%/stack.c \
	%D%/stack.h \
	%D%/svm_map.c \
	%D%/svm_map.h \
	%D%/svm_ops.c
%C%_libwrappers_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib $(XXHASH_CFLAGS)
%C%_libwrappers_la_CFLAGS = $(AM_CFLAGS) -pthread
%C%_libwrappers_la_LIBADD = %D%/libspoolwriter.la

# What an OpenCL loader loads.
pkglib_LTLIBRARIES += %D%/libberth-layer.la
%C%_libberth_layer_la_SOURCES =
%C%_libberth_layer_la_LIBADD = %D%/libwrappers.la
# nodelete: a loader may unload the layer, and its wrappers are still being called.
# now: what does not resolve fails when the layer is loaded, not in the program's midst.
%C%_libberth_layer_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -pthread \
	-Wl,--version-script=$(top_srcdir)/%D%/layer.map -Wl,-z,nodelete -Wl,-z,now
if !WITH_SANITIZERS
%C%_libberth_layer_la_LDFLAGS += -Wl,-z,defs
endif
EXTRA_%C%_libberth_layer_la_DEPENDENCIES = %D%/layer.map config.status
EXTRA_DIST += %D%/layer.map

# What stands in for an OpenCL loader that loads no layers: in a folder of its own, under the
# name that programs ask for.
if WITH_DROP_IN
noinst_LTLIBRARIES += %D%/libloader.la
%C%_libloader_la_SOURCES = %D%/loader.c %D%/loader_calls.h
%C%_libloader_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib
%C%_libloader_la_CFLAGS = $(AM_CFLAGS) -pthread
%C%_libloader_la_LIBADD = %D%/libwrappers.la
loader_ldflags = $(AM_LDFLAGS) -shared -pthread \
	-Wl,--version-script=$(top_srcdir)/%D%/loader.map -Wl,-z,nodelete -Wl,-z,now

# To be preloaded: under a name that no program asks for, so that what it asks for is loaded too.
pkglib_LTLIBRARIES += %D%/libberth-opencl.la
%C%_libberth_opencl_la_SOURCES =
%C%_libberth_opencl_la_LIBADD = %D%/libloader.la
%C%_libberth_opencl_la_LDFLAGS = $(loader_ldflags) -module -avoid-version
EXTRA_%C%_libberth_opencl_la_DEPENDENCIES = %D%/loader.map config.status

dropindir = $(pkglibdir)/opencl
dropin_LTLIBRARIES = %D%/opencl/libOpenCL.la
%C%_opencl_libOpenCL_la_SOURCES =
%C%_opencl_libOpenCL_la_LIBADD = %D%/libloader.la
%C%_opencl_libOpenCL_la_LDFLAGS = $(loader_ldflags) -version-info 1:0:0
EXTRA_%C%_opencl_libOpenCL_la_DEPENDENCIES = %D%/loader.map config.status
endif
EXTRA_DIST += %D%/loader.map
endif

# The same wrappers above a simulator. Apart, so that the record layer stays small.
if WITH_OPENCL
noinst_LTLIBRARIES += %D%/libsimulate.la
%C%_libsimulate_la_SOURCES = \
	%D%/layer_below.h \
	%D%/simulate.c \
	%D%/simulate.h \
	%D%/simulate_alias.c \
	%D%/simulate_alias.h \
	%D%/simulate_alias_test.c \
	%D%/simulate_devices.c \
	%D%/simulate_info.c \
	%D%/simulate_query.c \
	%D%/simulate_say.c \
	%D%/simulate_type.c
%C%_libsimulate_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib
%C%_libsimulate_la_CFLAGS = $(AM_CFLAGS) -pthread
%C%_libsimulate_la_LIBADD = %D%/libwrappers.la sim/libsimulator.la

pkglib_LTLIBRARIES += %D%/libberth-simulate-layer.la
%C%_libberth_simulate_layer_la_SOURCES =
%C%_libberth_simulate_layer_la_LIBADD = %D%/libsimulate.la
%C%_libberth_simulate_layer_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -pthread \
	-Wl,--version-script=$(top_srcdir)/%D%/layer.map -Wl,-z,nodelete -Wl,-z,now
if !WITH_SANITIZERS
%C%_libberth_simulate_layer_la_LDFLAGS += -Wl,-z,defs
endif
EXTRA_%C%_libberth_simulate_layer_la_DEPENDENCIES = %D%/layer.map config.status
endif
