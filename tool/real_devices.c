/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "image_mode.h"
#include "real_devices.h"

#ifdef BERTH_WITH_OPENCL

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <berth/opencl.h>

/* A driver that has said nothing for so long hangs; the slowest seen take 3 s. */
#define SILENCE_MS 20000

/* What the child ends with when Berth, not a driver, gave up. */
enum { CHILD_OK = 0, CHILD_REFUSED = 1, CHILD_BROKEN_PIPE = 2 };

/* A record is larger than a pipe's atomic write: both ends loop. */
static bool write_all(int pipe_end, const void *bytes, size_t count)
{
	const char *at = bytes;

	while (count > 0) {
		ssize_t written = write(pipe_end, at, count);

		if (written < 0 && errno != EINTR)
			return false;
		if (written > 0) {
			at += written;
			count -= (size_t)written;
		}
	}
	return true;
}

/* A device that makes images on buffers says so; the others have to be tried. */
static berth_image_mode try_image_mode(cl_device_id id, const berth_caps *caps)
{
	berth_opencl_options options = BERTH_OPENCL_OPTIONS_INIT;
	berth_image_mode mode;
	berth_device *device;

	if (!caps->images)
		return BERTH_IMAGES_NONE;
	if (caps->image2d_from_buffer)
		return BERTH_IMAGES_NATIVE;
	options.device = id;
	if (berth_opencl_create(&device, &options) != BERTH_OK)
		return BERTH_IMAGES_NONE;
	mode = image_mode_of(device);
	berth_device_destroy(device);
	return mode;
}

static bool send_device(cl_device_id id, const char *platform, uint32_t index, void *userdata)
{
	struct real_device device = { .index = index };

	snprintf(device.platform, sizeof(device.platform), "%s", platform);
	if (berth_opencl_caps(&device.caps, id, NULL) != BERTH_OK)
		snprintf(device.caps.name, sizeof(device.caps.name), "(its queries fail)");
	else
		device.image_mode = try_image_mode(id, &device.caps);
	if (!write_all(*(int *)userdata, &device, sizeof(device)))
		_exit(CHILD_BROKEN_PIPE);
	return true;
}

static void list_in_child(int pipe_end)
{
	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_DUMPABLE, 0);
	_exit(berth_opencl_each(send_device, &pipe_end) == BERTH_OK ? CHILD_OK : CHILD_REFUSED);
}

/* Read one record. 1: got it; 0: the child has no more; -1: it is silent. */
static int receive_device(int pipe_end, struct real_device *device)
{
	size_t have = 0;

	while (have < sizeof(*device)) {
		struct pollfd ready = { .fd = pipe_end, .events = POLLIN };
		int events = poll(&ready, 1, SILENCE_MS);
		ssize_t count = -1;

		if (events == 0)
			return -1;
		if (events > 0)
			count = read(pipe_end, (char *)device + have, sizeof(*device) - have);
		if (count == 0 || (count < 0 && errno != EINTR))
			return 0;
		if (count > 0)
			have += (size_t)count;
	}
	return 1;
}

static berth_status judge_child(int wait_status, bool silent)
{
	if (silent)
		return berth_error_set(BERTH_E_CL, 0,
				       "an OpenCL driver has hung for %d s; "
				       "OCL_ICD_VENDORS can name one driver to ask",
				       SILENCE_MS / 1000);
	if (WIFSIGNALED(wait_status))
		return berth_error_set(BERTH_E_CL, 0,
				       "an OpenCL driver crashed with signal %d (%s); "
				       "OCL_ICD_VENDORS can name one driver to ask",
				       WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)));
	if (WEXITSTATUS(wait_status) != CHILD_OK)
		return berth_error_set(BERTH_E_CL, 0,
				       "an OpenCL driver ended or refused the queries");
	return BERTH_OK;
}

berth_status real_devices_each(real_device_fn *visit, void *userdata)
{
	struct real_device device;
	int ends[2], got, wait_status;
	pid_t child;

	if (pipe(ends) != 0)
		return berth_error_set(BERTH_E_IO, 0, "cannot ask the drivers: %s",
				       strerror(errno));
	fflush(NULL);
	child = fork();
	if (child == 0) {
		close(ends[0]);
		list_in_child(ends[1]);
	}
	close(ends[1]);
	if (child < 0) {
		close(ends[0]);
		return berth_error_set(BERTH_E_IO, 0, "cannot ask the drivers: %s",
				       strerror(errno));
	}
	while ((got = receive_device(ends[0], &device)) > 0)
		visit(&device, userdata);
	close(ends[0]);
	if (got < 0)
		kill(child, SIGKILL);
	waitpid(child, &wait_status, 0);
	return judge_child(wait_status, got < 0);
}

#else

berth_status real_devices_each(real_device_fn *visit, void *userdata)
{
	(void)visit;
	(void)userdata;
	return berth_error_set(BERTH_E_UNSUPPORTED, 0, "this Berth was built without OpenCL");
}

#endif
