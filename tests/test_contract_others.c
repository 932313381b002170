/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device contract on every installed driver that has no program of its own
 * (a GPU's, Intel's CPU runtime). The environment stays the user's. Each device
 * has a child process: drivers crash, and CUnit runs one suite a process.
 */
#include "contract.h"
#include "opencl_driver.h"
#include "test_main.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <berth/opencl.h>

#define SKIPPED 77
#define DEVICES_MAX 64 /* their number is the exit status of a child, below SKIPPED */

struct search {
	unsigned wanted; /* how many to pass over */
	unsigned seen;
	cl_device_id found;
	char suite[160];
};

static bool has_program_of_its_own(const char *platform)
{
	for (const struct opencl_driver *driver = opencl_drivers; driver->name; driver++)
		if (strstr(platform, driver->platform))
			return true;
	return false;
}

static bool consider(cl_device_id device, const char *platform, uint32_t index, void *userdata)
{
	struct search *search = userdata;

	if (has_program_of_its_own(platform) || search->seen++ < search->wanted)
		return true;
	search->found = device;
	snprintf(search->suite, sizeof(search->suite), "contract: %s, device %u", platform, index);
	return false;
}

static berth_status open_found(berth_device **out, void *userdata)
{
	const struct search *search = userdata;
	berth_opencl_options options = BERTH_OPENCL_OPTIONS_INIT;

	options.device = search->found;
	return berth_opencl_create(out, &options);
}

static int count_devices(unsigned wanted)
{
	struct search search = { .wanted = wanted };

	if (berth_opencl_each(consider, &search) != BERTH_OK)
		return 99;
	return (int)search.seen;
}

static int run_device(unsigned number)
{
	struct search search = { .wanted = number };
	struct contract_device device = { .open = open_found, .userdata = &search };

	if (berth_opencl_each(consider, &search) != BERTH_OK || !search.found)
		return 99;
	return contract_main(search.suite, &device);
}

/* The exit status of run(argument) in a child; 1 when a driver ends it. */
static int in_child(int (*run)(unsigned), unsigned argument, bool *crashed)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		status = run(argument);
		fflush(stdout);
		/* Without the driver's own destructors: some hang. */
		_exit(status);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 99;
	*crashed = WIFSIGNALED(status);
	if (*crashed)
		printf("a driver ended the process by signal %d\n", WTERMSIG(status));
	return *crashed ? 1 : WEXITSTATUS(status);
}

int main(void)
{
	bool crashed;
	int result = SKIPPED, status, count = in_child(count_devices, DEVICES_MAX, &crashed);

	if (crashed || count == 99)
		return count;
	for (int number = 0; number < count; number++) {
		status = in_child(run_device, (unsigned)number, &crashed);
		if (status != 0 && status != SKIPPED)
			result = status;
		else if (status == 0 && result == SKIPPED)
			result = 0;
	}
	if (result == SKIPPED)
		puts("SKIP: no driver is installed besides PoCL, rusticl and Oclgrind");
	return result;
}
