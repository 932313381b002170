/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate_setup.h"

#include "cmd.h"
#include "layer_path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <berth/sim.h>

static int write_all(int file, const char *text)
{
	size_t left = strlen(text);

	while (left > 0) {
		ssize_t written = write(file, text, left);

		if (written < 0 && errno != EINTR)
			return -1;
		if (written > 0) {
			text += written;
			left -= (size_t)written;
		}
	}
	return 0;
}

/*
 * By its path below /proc, every process that the program starts finds it, whatever descriptors
 * were closed on the way; and nothing is left behind, however berth ends.
 */
static int add_file(struct simulate_setup *setup, const char *text)
{
	int file = memfd_create("berth-profile", MFD_CLOEXEC);
	size_t length = strlen(setup->paths);

	if (file < 0 || write_all(file, text) != 0) {
		int reason = errno;

		if (file >= 0)
			close(file);
		return cmd_fail(CMD_EXIT_FAILED, "cannot hand a profile to the program: %s",
				strerror(reason));
	}
	setup->files[setup->file_count++] = file;
	snprintf(setup->paths + length, sizeof(setup->paths) - length, "%s/proc/%ld/fd/%d",
		 length ? ":" : "", (long)getpid(), file);
	return CMD_EXIT_OK;
}

/* A device that has less memory says so, and allows no object that is larger. */
static void set_memory(berth_profile *profile, uint64_t bytes)
{
	if (bytes == 0)
		return;
	profile->memory.capacity_bytes = bytes;
	profile->caps.global_mem_bytes = bytes;
	if (profile->caps.max_alloc_bytes > bytes)
		profile->caps.max_alloc_bytes = bytes;
}

static int load(berth_profile *profile, const char *device, const struct simulate_request *request)
{
	static const char prefix[] = "sim:";
	berth_status st;

	if (strncmp(device, prefix, sizeof(prefix) - 1) != 0)
		return cmd_fail(CMD_EXIT_USAGE,
				"simulate: '%s' is no simulated device: allowed are sim:PROFILE, "
				"sim:FILE.ini and sim:clinfo:FILE[:N]",
				device);
	st = berth_profile_load(profile, device + sizeof(prefix) - 1);
	if (st != BERTH_OK)
		return cmd_fail_detail("cannot open device", device);
	if (request->settings && berth_profile_override(profile, request->settings) != BERTH_OK)
		return cmd_fail(CMD_EXIT_USAGE, "simulate: --set: %s", berth_error_get()->message);
	set_memory(profile, request->memory_bytes);
	if (berth_caps_validate(&profile->caps) != BERTH_OK)
		return cmd_fail_detail("cannot simulate", device);
	return CMD_EXIT_OK;
}

static int add_device(struct simulate_setup *setup, const char *device,
		      const struct simulate_request *request)
{
	berth_profile *profile = malloc(sizeof(*profile));
	char *text = NULL;
	int status;

	if (!profile)
		return cmd_fail(CMD_EXIT_FAILED, "no memory for a profile");
	status = load(profile, device, request);
	if (status == CMD_EXIT_OK && berth_profile_to_text(&text, profile) != BERTH_OK)
		status = cmd_fail_detail("cannot simulate", device);
	if (status == CMD_EXIT_OK)
		status = add_file(setup, text);
	free(text);
	free(profile);
	return status;
}

int simulate_setup_open(struct simulate_setup *setup, const struct simulate_request *request)
{
	char *devices = strdup(request->devices), *save = NULL;
	int status = CMD_EXIT_OK;

	memset(setup, 0, sizeof(*setup));
	if (!devices)
		return cmd_fail(CMD_EXIT_FAILED, "no memory for the names of devices");
	for (char *device = strtok_r(devices, ",", &save); device && status == CMD_EXIT_OK;
	     device = strtok_r(NULL, ",", &save))
		status = setup->file_count < SIMULATE_DEVICES_MAX
				 ? add_device(setup, device, request)
				 : cmd_fail(CMD_EXIT_USAGE, "simulate: --on: more than %d devices",
					    SIMULATE_DEVICES_MAX);
	free(devices);
	if (status == CMD_EXIT_OK && setup->file_count == 0)
		status = cmd_fail(CMD_EXIT_USAGE, "simulate: --on: no device is named");
	if (status == CMD_EXIT_OK && layer_path_find_simulate(setup->layer) != BERTH_OK)
		status = cmd_fail_detail("cannot simulate", NULL);
	return status;
}

void simulate_setup_close(struct simulate_setup *setup)
{
	while (setup->file_count > 0)
		close(setup->files[--setup->file_count]);
}
