/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Real drivers in tests. Which ones a process sees is settled by its environment
 * before the first OpenCL call, so a test program works with one driver.
 */
#ifndef BERTH_TEST_OPENCL_DRIVER_H
#define BERTH_TEST_OPENCL_DRIVER_H

#include <stdbool.h>

struct opencl_driver {
	const char *name;
	const char *vendors;  /* OCL_ICD_VENDORS: a name in the loader's folder, or a path */
	const char *platform; /* part of CL_PLATFORM_NAME */
	const char *variable, *value; /* one more that it needs, or NULL */
};

/* Ends with a NULL name. The first is PoCL. */
extern const struct opencl_driver opencl_drivers[];

/*
 * Make this process see one driver, with what it caches under a scratch folder
 * that is removed at exit. False, with test_skip() called, when it is not here.
 */
bool opencl_driver_select(const struct opencl_driver *driver);

#endif
