/* SPDX-License-Identifier: Apache-2.0 */
/* What a report is made of (berth/report.h), between the files that gather and print it. */
#ifndef BERTH_REPLAY_REPORT_DATA_H
#define BERTH_REPLAY_REPORT_DATA_H

#include "report_map.h"

#include <stdio.h>

#include <berth/report.h>

#define BERTH__REPORT_BUCKETS 800 /* a screen has not many more columns */
#define BERTH__REPORT_TOP 24	  /* objects that are named of each moment */
#define BERTH__REPORT_GROUPS 11	  /* names with a colour; one more is the rest */
#define BERTH__REPORT_KINDS 6	  /* object.kind; 0 is none */

/* The moment of a span of ops at which most was alive. */
struct berth__report_bucket {
	uint64_t seq, t_ns;
	uint64_t bytes, requested; /* as the driver says; without an image's padding */
	uint64_t alive;		   /* objects that own memory */
	uint64_t kinds[BERTH__REPORT_KINDS];
	uint64_t groups[BERTH__REPORT_GROUPS + 1];
};

enum berth__report_move {
	BERTH__REPORT_WRITE,
	BERTH__REPORT_READ,
	BERTH__REPORT_COPY,
	BERTH__REPORT_FILL,
	BERTH__REPORT_MAP,
	BERTH__REPORT_USE,
	BERTH__REPORT_MOVES
};

/* An object that is named. Sub-buffers, and images on a buffer, count as their root. */
struct berth__report_object {
	uint64_t id, bytes, requested;
	uint64_t created_op, ends_op; /* ends_op 0: never */
	uint64_t stack;
	uint64_t first_use, last_use; /* seq of an op that touches its bytes; 0: none */
	uint64_t parts;		      /* sub-buffers and images that lay on it */
	unsigned kind;
	uint32_t element_bytes;
	char *label;
	char geometry[96];
	uint64_t count[BERTH__REPORT_MOVES], bytes_moved[BERTH__REPORT_MOVES];
};

/* A device that was compared with. */
struct berth__report_device {
	char *name;
	uint64_t capacity_bytes, max_alloc_bytes;
	bool played;	/* simulated: `held` is there */
	uint64_t *held; /* the most that it held in each span */
	uint64_t refused, first_refused;
};

struct berth__report {
	berth_trace *trace;
	const berth_report_options *options;
	uint64_t op_count;
	uint64_t steps;	   /* for progress */
	uint64_t span_ops; /* ops of a span */
	size_t bucket_count;
	struct berth__report_bucket buckets[BERTH__REPORT_BUCKETS];
	uint64_t leaked_bytes; /* alive at the end */
	size_t group_count;
	char *groups[BERTH__REPORT_GROUPS];
	struct berth__report_object *objects;
	size_t object_count, object_capacity;
	struct berth__report_map index; /* of objects, and of what lies on them, by id */
	struct berth__report_device *devices;
};

/* An op's span; what a damaged trace says beyond its end lies in the last one. */
static inline size_t berth__report_bucket_of(const struct berth__report *report, uint64_t seq)
{
	uint64_t bucket = seq > 0 ? (seq - 1) / report->span_ops : 0;

	return bucket < report->bucket_count ? (size_t)bucket : report->bucket_count - 1;
}

/* Tell the caller's callback, every few thousand calls. */
void berth__report_progress(struct berth__report *report, const char *stage, uint64_t done);

BERTH_MUST_CHECK berth_status berth__report_no_memory(void);

/* Gather: names, moments and objects; what the objects were used for; devices. */
BERTH_MUST_CHECK berth_status berth__report_find_groups(struct berth__report *report);
BERTH_MUST_CHECK berth_status berth__report_find_moments(struct berth__report *report);
BERTH_MUST_CHECK berth_status berth__report_find_objects(struct berth__report *report);
BERTH_MUST_CHECK berth_status berth__report_find_uses(struct berth__report *report);
BERTH_MUST_CHECK berth_status berth__report_play_devices(struct berth__report *report);

/* @return the group of a name, group_count for the rest. */
size_t berth__report_group_of(const struct berth__report *report, const char *label, unsigned kind,
			      uint64_t bytes);

/* Print all of it as one JSON object that may stand in an HTML script element. */
BERTH_MUST_CHECK berth_status berth__report_print(FILE *file, const struct berth__report *report);

#endif
