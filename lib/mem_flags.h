/* SPDX-License-Identifier: Apache-2.0 */
/* The groups of cl_mem_flags that belong together ("Memory Flags"). */
#ifndef BERTH_LIB_MEM_FLAGS_H
#define BERTH_LIB_MEM_FLAGS_H

#include <CL/cl.h>

#define FLAGS_ACCESS ((uint64_t)(CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY))
#define FLAGS_HOST_ACCESS                                                                          \
	((uint64_t)(CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS))
#define FLAGS_HOST_PTR                                                                             \
	((uint64_t)(CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR))

#endif
