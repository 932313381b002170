/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of Berth's statuses and names of OpenCL's. */
#include "config.h"

#include <berth/status.h>

#include <string.h>

#include <CL/cl.h>

const char *berth_version(void)
{
	return PACKAGE_VERSION;
}

const char *berth_status_string(berth_status status)
{
	switch (status) {
#define X(name, value, text)                                                                       \
	case name:                                                                                 \
		return text;
		BERTH_STATUS_MAP(X)
#undef X
	}
	return "unknown status";
}

/* Every code of CL/cl.h 3.0. */
#define CL_STATUS_MAP(X)                                                                           \
	X(CL_SUCCESS)                                                                              \
	X(CL_DEVICE_NOT_FOUND)                                                                     \
	X(CL_DEVICE_NOT_AVAILABLE)                                                                 \
	X(CL_COMPILER_NOT_AVAILABLE)                                                               \
	X(CL_MEM_OBJECT_ALLOCATION_FAILURE)                                                        \
	X(CL_OUT_OF_RESOURCES)                                                                     \
	X(CL_OUT_OF_HOST_MEMORY)                                                                   \
	X(CL_PROFILING_INFO_NOT_AVAILABLE)                                                         \
	X(CL_MEM_COPY_OVERLAP)                                                                     \
	X(CL_IMAGE_FORMAT_MISMATCH)                                                                \
	X(CL_IMAGE_FORMAT_NOT_SUPPORTED)                                                           \
	X(CL_BUILD_PROGRAM_FAILURE)                                                                \
	X(CL_MAP_FAILURE)                                                                          \
	X(CL_MISALIGNED_SUB_BUFFER_OFFSET)                                                         \
	X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)                                            \
	X(CL_COMPILE_PROGRAM_FAILURE)                                                              \
	X(CL_LINKER_NOT_AVAILABLE)                                                                 \
	X(CL_LINK_PROGRAM_FAILURE)                                                                 \
	X(CL_DEVICE_PARTITION_FAILED)                                                              \
	X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE)                                                        \
	X(CL_INVALID_VALUE)                                                                        \
	X(CL_INVALID_DEVICE_TYPE)                                                                  \
	X(CL_INVALID_PLATFORM)                                                                     \
	X(CL_INVALID_DEVICE)                                                                       \
	X(CL_INVALID_CONTEXT)                                                                      \
	X(CL_INVALID_QUEUE_PROPERTIES)                                                             \
	X(CL_INVALID_COMMAND_QUEUE)                                                                \
	X(CL_INVALID_HOST_PTR)                                                                     \
	X(CL_INVALID_MEM_OBJECT)                                                                   \
	X(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)                                                      \
	X(CL_INVALID_IMAGE_SIZE)                                                                   \
	X(CL_INVALID_SAMPLER)                                                                      \
	X(CL_INVALID_BINARY)                                                                       \
	X(CL_INVALID_BUILD_OPTIONS)                                                                \
	X(CL_INVALID_PROGRAM)                                                                      \
	X(CL_INVALID_PROGRAM_EXECUTABLE)                                                           \
	X(CL_INVALID_KERNEL_NAME)                                                                  \
	X(CL_INVALID_KERNEL_DEFINITION)                                                            \
	X(CL_INVALID_KERNEL)                                                                       \
	X(CL_INVALID_ARG_INDEX)                                                                    \
	X(CL_INVALID_ARG_VALUE)                                                                    \
	X(CL_INVALID_ARG_SIZE)                                                                     \
	X(CL_INVALID_KERNEL_ARGS)                                                                  \
	X(CL_INVALID_WORK_DIMENSION)                                                               \
	X(CL_INVALID_WORK_GROUP_SIZE)                                                              \
	X(CL_INVALID_WORK_ITEM_SIZE)                                                               \
	X(CL_INVALID_GLOBAL_OFFSET)                                                                \
	X(CL_INVALID_EVENT_WAIT_LIST)                                                              \
	X(CL_INVALID_EVENT)                                                                        \
	X(CL_INVALID_OPERATION)                                                                    \
	X(CL_INVALID_GL_OBJECT)                                                                    \
	X(CL_INVALID_BUFFER_SIZE)                                                                  \
	X(CL_INVALID_MIP_LEVEL)                                                                    \
	X(CL_INVALID_GLOBAL_WORK_SIZE)                                                             \
	X(CL_INVALID_PROPERTY)                                                                     \
	X(CL_INVALID_IMAGE_DESCRIPTOR)                                                             \
	X(CL_INVALID_COMPILER_OPTIONS)                                                             \
	X(CL_INVALID_LINKER_OPTIONS)                                                               \
	X(CL_INVALID_DEVICE_PARTITION_COUNT)                                                       \
	X(CL_INVALID_PIPE_SIZE)                                                                    \
	X(CL_INVALID_DEVICE_QUEUE)                                                                 \
	X(CL_INVALID_SPEC_ID)                                                                      \
	X(CL_MAX_SIZE_RESTRICTION_EXCEEDED)

const char *berth_cl_status_string(int32_t cl_status)
{
	switch (cl_status) {
#define X(name)                                                                                    \
	case name:                                                                                 \
		return #name;
		CL_STATUS_MAP(X)
#undef X
	}
	return "CL_UNKNOWN_STATUS";
}

berth_status berth_cl_status_parse(int32_t *out, const char *name)
{
	static const struct {
		const char *name;
		int32_t code;
	} codes[] = {
#define X(name) { #name, name },
		CL_STATUS_MAP(X)
#undef X
	};

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		if (strcmp(codes[i].name, name) == 0) {
			*out = codes[i].code;
			return BERTH_OK;
		}
	}
	return berth_error_set(BERTH_E_NOT_FOUND, 0, "'%.64s' is not the name of an OpenCL code",
			       name);
}
