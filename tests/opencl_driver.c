/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl_driver.h"
#include "test_main.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <berth/opencl.h>

const struct opencl_driver opencl_drivers[] = {
	{ "pocl", "pocl.icd", "Portable Computing Language", NULL, NULL },
	{ "rusticl", "rusticl.icd", "rusticl", "RUSTICL_ENABLE", "llvmpipe" },
	{ "oclgrind", "/usr/lib/oclgrind/liboclgrind-rt-icd.so", "Oclgrind", NULL, NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

/*
 * AddressSanitizer asks the program for this. Drivers leak, from modules that are
 * unloaded by then, where no suppression can name them, and LeakSanitizer itself
 * crashes on PoCL's threads. Our own leaks are counted by alloc_fault.c.
 */
__attribute__((visibility("default"))) const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

static char scratch[] = "/tmp/berth-test-XXXXXX";
static pid_t scratch_owner;

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

/* Not in a child of the process that made it. */
static void remove_scratch(void)
{
	if (getpid() == scratch_owner)
		nftw(scratch, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static bool make_scratch(void)
{
	if (!mkdtemp(scratch))
		return false;
	scratch_owner = getpid();
	atexit(remove_scratch);
	return setenv("POCL_CACHE_DIR", scratch, 1) == 0 &&
	       setenv("XDG_CACHE_HOME", scratch, 1) == 0;
}

bool opencl_driver_select(const struct opencl_driver *driver)
{
	cl_device_id device;

	if (!make_scratch() || setenv("OCL_ICD_VENDORS", driver->vendors, 1) != 0 ||
	    (driver->variable && setenv(driver->variable, driver->value, 1) != 0)) {
		test_skip("the environment for %s cannot be set", driver->name);
		return false;
	}
	if (berth_opencl_find(&device, driver->platform, 0) == BERTH_OK)
		return true;
	test_skip("no OpenCL driver '%s': %s", driver->name, berth_error_get()->message);
	return false;
}
