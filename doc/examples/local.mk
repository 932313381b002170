# Programs to copy from; built and run by `make check`.
EXTRA_DIST += %D%/graph_runtime.test
if WITH_OPENCL
check_PROGRAMS += %D%/graph_runtime
TESTS += %D%/graph_runtime.test
%C%_graph_runtime_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS)
%C%_graph_runtime_LDADD = lib/libberth.la $(OPENCL_LIBS)
endif
EXTRA_DIST += %D%/inference_loop.test
if WITH_OPENCL
check_PROGRAMS += %D%/inference_loop
TESTS += %D%/inference_loop.test
%C%_inference_loop_SOURCES = %D%/inference_loop.c %D%/offline_optimum.c %D%/offline_optimum.h
%C%_inference_loop_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS)
%C%_inference_loop_LDADD = lib/libberth.la $(OPENCL_LIBS)
endif

EXTRA_DIST += %D%/rehearsal.test
check_PROGRAMS += %D%/rehearsal
TESTS += %D%/rehearsal.test
%C%_rehearsal_LDADD = lib/libberth.la
