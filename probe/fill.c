/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many buffers of a size fit: made and touched until one is refused, in a child. Only
 * for devices with memory of their own, since a CPU's is everybody's.
 */
#include "probe.h"

#include "clock.h"

#include <stdlib.h>
#include <string.h>

/* More than any device can hold: ids, and the end of a driver that never refuses. */
#define COUNT_MAX (UINT64_C(1) << 32)
/* For one size; what fits in that time is then the least that fits. */
#define TIME_MAX_NS (UINT64_C(60) * 1000000000)

struct fill {
	const berth_probe *probe;
	uint64_t bytes;
	void *byte; /* what is written */
};

static int32_t answer_to(berth_device *device, const berth_op *op)
{
	berth_result result;

	return berth_device_execute(device, op, &result) == BERTH_OK ? result.cl_status
								     : CL_OUT_OF_HOST_MEMORY;
}

/* A buffer that is there only when its memory is. */
static int32_t make(berth_device *device, const struct fill *fill, uint64_t id)
{
	const berth_op create = { .kind = BERTH_OP_BUFFER_CREATE,
				  .object = id,
				  .bytes = fill->bytes };
	berth_op touch = { .kind = BERTH_OP_WRITE,
			   .form = BERTH_FORM_LINEAR,
			   .object = id,
			   .bits = BERTH_OP_BLOCKING,
			   .bytes = 1 };
	const int32_t code = answer_to(device, &create);

	berth_op_set_host(&touch, fill->byte);
	return code == CL_SUCCESS ? answer_to(device, &touch) : code;
}

static void count_buffers(int fd, void *userdata)
{
	const struct fill *fill = userdata;
	berth_probe_filled filled = { .bytes = fill->bytes };
	const uint64_t end_ns = berth__clock_ns(CLOCK_MONOTONIC) + TIME_MAX_NS;
	berth_device *device;

	if (berth__probe_open(&device, fill->probe->device) != BERTH_OK)
		return;
	while (filled.count < COUNT_MAX && filled.code == CL_SUCCESS) {
		if (berth__clock_ns(CLOCK_MONOTONIC) > end_ns)
			break;
		filled.code = make(device, fill, filled.count + 1);
		if (filled.code == CL_SUCCESS)
			filled.count++;
	}
	filled.complete = filled.code != CL_SUCCESS;
	berth__probe_child_write(fd, &filled, sizeof(filled));
}

berth_status berth_probe_fill(berth_probe_filled *out, const berth_probe *probe, uint64_t bytes)
{
	struct fill fill = { probe, bytes, (char *)probe->host.memory + POINTER };
	berth_probe_filled filled;
	struct probe_child child;
	enum probe_read got;
	berth_status st;

	if (probe->caps.host_unified)
		return berth_error_set(
			BERTH_E_UNSUPPORTED, 0,
			"'%s' has the host's memory (CL_DEVICE_HOST_UNIFIED_MEMORY): "
			"to fill it would stop all programs",
			probe->device);
	st = berth__probe_child_start(&child, count_buffers, &fill);
	if (st != BERTH_OK)
		return st;
	got = berth__probe_child_read(&child, &filled, sizeof(filled),
				      (uint32_t)(TIME_MAX_NS / 1000000) + 2 * probe->timeout_ms);
	berth__probe_child_finish(&child, true);
	if (got != PROBE_READ_ALL)
		return berth_error_set(BERTH_E_LOST, 0, "the driver of '%s' %s when it was filled",
				       probe->device, got == PROBE_READ_LATE ? "hung" : "crashed");
	*out = filled;
	return BERTH_OK;
}
