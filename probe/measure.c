/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measurements, in one child: how long transfers take, when memory is taken and given back,
 * and the pitches that images get.
 */
#include "probe.h"

#include "clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SMALLEST (UINT64_C(4) << 10)
#define LARGEST (UINT64_C(64) << 20)
#define SIZE_STEP 4
#define SIZES 8 /* 4 KiB to 64 MiB */
#define REPEATS 9
/* Of an image that no usual alignment divides. */
#define NARROW_PX 17

enum { DEVICE_BUFFER = 1, PINNED_BUFFER, TOUCHED_BUFFER, NARROW_IMAGE, OTHER_BUFFER };

struct bench {
	berth_device *device;
	void *pageable;
	void *pinned; /* NULL: the device maps none */
	uint64_t next_mapping;
};

static bool execute(struct bench *bench, const berth_op *op, berth_result *result)
{
	berth_result unused;

	if (!result)
		result = &unused;
	return berth_device_execute(bench->device, op, result) == BERTH_OK &&
	       result->cl_status == CL_SUCCESS;
}

static bool finish(struct bench *bench)
{
	return execute(bench, &(berth_op){ .kind = BERTH_OP_SYNC }, NULL);
}

static bool create(struct bench *bench, uint64_t id, uint64_t bytes, uint64_t flags)
{
	return execute(bench,
		       &(berth_op){ .kind = BERTH_OP_BUFFER_CREATE,
				    .object = id,
				    .bytes = bytes,
				    .flags = flags },
		       NULL);
}

static bool transfer(struct bench *bench, berth_op_kind kind, uint64_t id, void *host,
		     uint64_t bytes)
{
	berth_op op = { .kind = kind,
			.form = BERTH_FORM_LINEAR,
			.object = id,
			.bits = BERTH_OP_BLOCKING,
			.bytes = bytes };

	berth_op_set_host(&op, host);
	return execute(bench, &op, NULL);
}

/* Move bytes one way, and be done when this returns. */
static bool move(struct bench *bench, berth_transfer_kind kind, uint64_t bytes)
{
	static uint32_t pattern;
	berth_op op = { .form = BERTH_FORM_LINEAR, .object = DEVICE_BUFFER, .bytes = bytes };

	switch (kind) {
	case BERTH_TRANSFER_WRITE_PAGEABLE:
		return transfer(bench, BERTH_OP_WRITE, DEVICE_BUFFER, bench->pageable, bytes);
	case BERTH_TRANSFER_READ_PAGEABLE:
		return transfer(bench, BERTH_OP_READ, DEVICE_BUFFER, bench->pageable, bytes);
	case BERTH_TRANSFER_WRITE_PINNED:
		return bench->pinned &&
		       transfer(bench, BERTH_OP_WRITE, DEVICE_BUFFER, bench->pinned, bytes);
	case BERTH_TRANSFER_READ_PINNED:
		return bench->pinned &&
		       transfer(bench, BERTH_OP_READ, DEVICE_BUFFER, bench->pinned, bytes);
	case BERTH_TRANSFER_COPY:
		op.kind = BERTH_OP_COPY;
		op.other = OTHER_BUFFER;
		return execute(bench, &op, NULL) && finish(bench);
	case BERTH_TRANSFER_FILL:
		op.kind = BERTH_OP_FILL;
		op.pattern_bytes = sizeof(pattern);
		berth_op_set_host(&op, &pattern);
		return execute(bench, &op, NULL) && finish(bench);
	default:
		return false;
	}
}

static int by_time(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The median time of several; 0: the device refuses. */
static uint64_t median_ns(struct bench *bench, berth_transfer_kind kind, uint64_t bytes)
{
	uint64_t times[REPEATS];

	if (!move(bench, kind, bytes))
		return 0;
	for (int i = 0; i < REPEATS; i++) {
		const uint64_t start = berth__clock_ns(CLOCK_MONOTONIC);

		if (!move(bench, kind, bytes))
			return 0;
		times[i] = berth__clock_ns(CLOCK_MONOTONIC) - start;
	}
	qsort(times, REPEATS, sizeof(times[0]), by_time);
	return times[REPEATS / 2];
}

/*
 * The straight line of least squares, each point weighted by 1 / time^2: what counts is how
 * far off an estimate is in proportion, at 4 KiB as at 64 MiB.
 */
static void fit(berth_transfer_model *line, const uint64_t bytes[], const uint64_t times[],
		size_t count)
{
	double weight = 0, x = 0, y = 0, xx = 0, xy = 0, slope, fixed;

	for (size_t i = 0; i < count; i++) {
		const double t = (double)times[i], b = (double)bytes[i], w = 1 / (t * t);

		weight += w;
		x += w * b;
		y += w * t;
		xx += w * b * b;
		xy += w * b * t;
	}
	slope = (weight * xy - x * y) / (weight * xx - x * x);
	if (!(slope > 0))
		slope = 0;
	fixed = (y - slope * x) / weight;
	line->fixed_ns = fixed > 0 ? (uint64_t)fixed : 0;
	line->bytes_per_second = slope > 0 ? (uint64_t)(1e9 / slope) : 0;
}

static void measure_line(struct bench *bench, berth_transfer_times *out, berth_transfer_kind kind)
{
	uint64_t bytes[SIZES], times[SIZES];
	size_t count = 0;

	for (uint64_t size = SMALLEST; size <= LARGEST; size *= SIZE_STEP) {
		bytes[count] = size;
		times[count] = median_ns(bench, kind, size);
		if (times[count] == 0)
			return;
		count++;
	}
	fit(&out->lines[kind], bytes, times, count);
}

static void *map_pinned(struct bench *bench)
{
	berth_result result;
	const berth_op map = { .kind = BERTH_OP_MAP,
			       .form = BERTH_FORM_LINEAR,
			       .object = PINNED_BUFFER,
			       .bits = BERTH_OP_BLOCKING,
			       .flags = CL_MAP_READ | CL_MAP_WRITE,
			       .mapping = ++bench->next_mapping,
			       .bytes = LARGEST };

	if (!create(bench, PINNED_BUFFER, LARGEST, CL_MEM_ALLOC_HOST_PTR) ||
	    !execute(bench, &map, &result))
		return NULL;
	return result.mapped;
}

static void measure_transfers(struct bench *bench, berth_transfer_times *out)
{
	static const berth_transfer_kind kinds[] = {
		BERTH_TRANSFER_WRITE_PAGEABLE, BERTH_TRANSFER_WRITE_PINNED,
		BERTH_TRANSFER_READ_PAGEABLE,  BERTH_TRANSFER_READ_PINNED,
		BERTH_TRANSFER_COPY,	       BERTH_TRANSFER_FILL,
	};

	bench->pageable = malloc(LARGEST);
	if (!bench->pageable || !create(bench, DEVICE_BUFFER, LARGEST, 0) ||
	    !create(bench, OTHER_BUFFER, LARGEST, 0))
		return;
	memset(bench->pageable, 1, LARGEST);
	bench->pinned = map_pinned(bench);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		measure_line(bench, out, kinds[i]);
}

/* What the process has in memory: the device's memory, where the device is the CPU. */
static uint64_t resident_bytes(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	unsigned long long pages = 0;

	if (file && fscanf(file, "%*u %llu", &pages) != 1)
		pages = 0;
	if (file)
		fclose(file);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t more_than(uint64_t before)
{
	const uint64_t now = resident_bytes();

	return now > before ? now - before : 0;
}

static uint64_t timed_write(struct bench *bench)
{
	const uint64_t start = berth__clock_ns(CLOCK_MONOTONIC);

	return transfer(bench, BERTH_OP_WRITE, TOUCHED_BUFFER, bench->pageable, LARGEST)
		       ? berth__clock_ns(CLOCK_MONOTONIC) - start
		       : 0;
}

/* The bytes that a buffer of 64 MiB takes of the process at each point of its life. */
static void measure_life(struct bench *bench, berth_probe_measures *out)
{
	const berth_op release = { .kind = BERTH_OP_RELEASE, .object = TOUCHED_BUFFER };
	const uint64_t before = resident_bytes();
	uint64_t start = berth__clock_ns(CLOCK_MONOTONIC);

	if (!bench->pageable || !create(bench, TOUCHED_BUFFER, LARGEST, 0))
		return;
	out->create_ns = berth__clock_ns(CLOCK_MONOTONIC) - start;
	out->buffer_bytes = LARGEST;
	out->created_bytes = more_than(before);
	out->first_write_ns = timed_write(bench);
	out->used_bytes = more_than(before);
	out->second_write_ns = timed_write(bench);
	execute(bench, &release, NULL);
	out->released_bytes = more_than(before);
	finish(bench);
	out->finished_bytes = more_than(before);
}

static void measure_image(struct bench *bench, berth_probe_measures *out)
{
	const berth_op image = { .kind = BERTH_OP_IMAGE_CREATE,
				 .object = NARROW_IMAGE,
				 .image = { .type = CL_MEM_OBJECT_IMAGE2D,
					    .order = CL_RGBA,
					    .channel_type = CL_UNORM_INT8,
					    .width = NARROW_PX,
					    .height = 3 } };
	const berth_op map = { .kind = BERTH_OP_MAP,
			       .form = BERTH_FORM_IMAGE,
			       .object = NARROW_IMAGE,
			       .bits = BERTH_OP_BLOCKING,
			       .flags = CL_MAP_READ,
			       .mapping = ++bench->next_mapping,
			       .region.extent = { NARROW_PX, 3, 1 } };
	berth_result result;

	if (!execute(bench, &image, &result))
		return;
	out->image_row_bytes = NARROW_PX * 4;
	out->image_row_pitch_bytes = result.row_pitch_bytes;
	out->image_slice_pitch_bytes = result.slice_pitch_bytes;
	if (execute(bench, &map, &result))
		out->map_row_pitch_bytes = result.row_pitch_bytes;
}

static void measure(int fd, void *userdata)
{
	const berth_probe *probe = userdata;
	berth_probe_measures measures = { .buffer_bytes = 0 };
	struct bench bench = { .next_mapping = 0 };

	if (berth__probe_open(&bench.device, probe->device) != BERTH_OK)
		return;
	measure_transfers(&bench, &measures.transfer);
	measure_life(&bench, &measures);
	measure_image(&bench, &measures);
	berth__probe_child_write(fd, &measures, sizeof(measures));
}

/* All of it takes longer than a case does. */
#define MEASURE_TIMEOUTS 10

berth_status berth_probe_measure(berth_probe *probe)
{
	berth_probe_measures measures;
	struct probe_child child;
	enum probe_read got;
	berth_status st;

	st = berth__probe_child_start(&child, measure, probe);
	if (st != BERTH_OK)
		return st;
	got = berth__probe_child_read(&child, &measures, sizeof(measures),
				      probe->timeout_ms * MEASURE_TIMEOUTS);
	berth__probe_child_finish(&child, true);
	if (got != PROBE_READ_ALL)
		return berth_error_set(BERTH_E_LOST, 0,
				       "the driver of '%s' %s when it was measured", probe->device,
				       got == PROBE_READ_LATE ? "hung" : "crashed");
	probe->measures = measures;
	return BERTH_OK;
}

const berth_probe_measures *berth_probe_measured(const berth_probe *probe)
{
	return &probe->measures;
}
