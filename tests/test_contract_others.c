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
#define NO_SUCH_DEVICE 78 /* of this program's children only */

struct search {
	unsigned wanted; /* how many to pass over */
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

	if (has_program_of_its_own(platform) || search->wanted-- > 0)
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

static int run_device(unsigned number)
{
	struct search search = { .wanted = number };
	struct contract_device device = { .open = open_found, .userdata = &search };

	if (berth_opencl_each(consider, &search) != BERTH_OK || !search.found)
		return NO_SUCH_DEVICE;
	return contract_main(search.suite, &device);
}

static int run_child(unsigned number)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		status = run_device(number);
		fflush(stdout);
		/* Without the driver's own destructors: some hang. */
		_exit(status);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 99;
	if (WIFSIGNALED(status)) {
		printf("device %u: ended by signal %d\n", number, WTERMSIG(status));
		return 1;
	}
	return WEXITSTATUS(status);
}

int main(void)
{
	int result = SKIPPED, status;

	for (unsigned number = 0; (status = run_child(number)) != NO_SUCH_DEVICE; number++) {
		if (status != 0 && status != SKIPPED)
			result = status;
		else if (status == 0 && result == SKIPPED)
			result = 0;
		if (status == 99)
			break;
	}
	if (result == SKIPPED)
		puts("SKIP: no driver is installed besides PoCL, rusticl and Oclgrind");
	return result;
}
