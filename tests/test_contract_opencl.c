/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device contract on real drivers. Built once a driver (DRIVER, a name in
 * opencl_drivers): its environment has to be there before the first OpenCL call.
 */
#include "contract.h"
#include "opencl_driver.h"
#include "test_main.h"

#include <string.h>

#include <berth/opencl.h>

/* What a driver is excused from, by its departures from the specification. */
static const struct {
	const char *driver;
	struct contract_skip skip[4];
} excuses[] = {
	{ "oclgrind",
	  { { "refused transfers", "Oclgrind fills with a pattern that does not divide the size" },
	    { "created with content", "Oclgrind ignores the row pitch of copied host memory" },
	    { "maps of buffers", "Oclgrind unmaps a pointer that is not mapped" } } },
	{ NULL, { { NULL, NULL } } },
};

static berth_status open_driver(berth_device **out, void *userdata)
{
	const struct opencl_driver *driver = userdata;
	berth_opencl_options options = BERTH_OPENCL_OPTIONS_INIT;
	berth_status st = berth_opencl_find(&options.device, driver->platform, 0);

	return st == BERTH_OK ? berth_opencl_create(out, &options) : st;
}

int main(void)
{
	const struct opencl_driver *driver = opencl_drivers;
	struct contract_device device = { .open = open_driver };

	while (driver->name && strcmp(driver->name, DRIVER) != 0)
		driver++;
	if (!driver->name)
		return 99;
	if (!opencl_driver_select(driver))
		return 77;
	for (size_t i = 0; excuses[i].driver; i++)
		if (strcmp(excuses[i].driver, driver->name) == 0)
			device.skip = excuses[i].skip;
	device.userdata = (void *)driver;
	return contract_main("contract: " DRIVER, &device);
}
