/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One recorded call, from its arguments to its record:
 *
 *	berth__call_begin(&call, kind, form);
 *	... describe the arguments in call.op ...
 *	berth__call_enter(&call);
 *	status = berth__layer.target.clX(...);
 *	berth__call_leave(&call, status);
 *	... if (berth__call_succeeded(&call)): what only the answer tells ...
 *	berth__call_commit(&call);
 *
 * Around the driver's call stands BERTH__ASK (layer_below.h): a simulated device may refuse it.
 * The op stands in the thread's pending slot from enter to commit, so that it is
 * known even when the driver never returns. errno is what it would be without.
 */
#ifndef BERTH_LAYER_LAYER_CALL_H
#define BERTH_LAYER_LAYER_CALL_H

#include "digest.h"
#include "layer.h"
#include "layer_below.h"

struct berth__call {
	struct berth_spool_op *op; /* in the pending slot, or `own` */
	_Atomic uint32_t *in_call; /* of the slot; NULL without one */
	uint32_t generation;
	cl_int refusal; /* of the device that is simulated; 0: none, the driver is asked */
	int errno_of_program;
	struct berth__thread *thread;
	uint32_t queue_flags; /* BERTH__QUEUE_* */
	cl_command_queue queue_handle; /* of a queue that is known; or NULL */
	/* As the program passed them; looked at when the driver has accepted the call. */
	cl_uint wait_count;
	const cl_event *wait_list;
	const cl_event *event;
	uint16_t parts;		   /* BERTH_SPOOL_PART_*, which of the following are set */
	struct berth_spool_op own; /* of calls made inside a call, and of threads without slot */
	berth_region region;
	berth_image image;
	struct berth_spool_result result;
	uint8_t digest[BERTH__DIGEST_BYTES];
	const berth_object_use *uses; /* op->use_count of them */
	uint64_t events[BERTH_SPOOL_EVENTS_MAX]; /* op->event_count of them */
};

void berth__call_begin(struct berth__call *call, berth_op_kind kind, berth_op_form form);
/* Of a call that orders what is done with memory, by its name. */
void berth__call_begin_order(struct berth__call *call, const char *name);
void berth__call_enter(struct berth__call *call);
void berth__call_leave(struct berth__call *call, cl_int status);
bool berth__call_succeeded(const struct berth__call *call);
void berth__call_commit(struct berth__call *call);

/* The answer of a create call: what it returned, and what it wrote to errcode_ret. */
cl_int berth__call_create_status(const void *created, cl_int status);

/* Whether a create call with these flags takes content from host_ptr. */
bool berth__call_gives_content(cl_mem_flags flags);

/* Of a fill: four channels of 4 bytes; of a depth image one float. */
size_t berth__colour_bytes(const struct berth__handle *image);

/* Arguments that many calls have. */
void berth__call_queue(struct berth__call *call, cl_command_queue queue);
void berth__call_blocking(struct berth__call *call, cl_bool blocking);
/* Before the call is left. */
void berth__call_events(struct berth__call *call, cl_uint wait_count, const cl_event *wait_list,
			const cl_event *event);
void berth__call_host(struct berth__call *call, const void *host);

/* The id of the event that the call gave; 0: none. */
uint64_t berth__call_event(const struct berth__call *call);

/* The region, all zero; to be filled in. */
berth_region *berth__call_region(struct berth__call *call);

/* Read an origin or extent of three; a NULL one sets `absent_bit`. */
void berth__call_axes(struct berth__call *call, uint64_t out[3], const size_t *axes,
		      uint32_t absent_bit);

/* After the call: content of host memory, as the digests are on. */
void berth__call_digest(struct berth__call *call, const void *host, size_t bytes);
void berth__call_digest_rows(struct berth__call *call, const struct berth__rows *rows);
/* Of what a call that succeeded brings to the host: now if it has blocked, else later. */
void berth__call_digest_read(struct berth__call *call, const struct berth__rows *rows);

/*
 * A new object: its id before the call; after a successful one its handle is
 * entered. `entry` has what is to be known of it, but for handle, id and count.
 */
void berth__call_new_object(struct berth__call *call, cl_context context);
void berth__call_enter_object(struct berth__call *call, cl_mem handle,
			      const struct berth__handle *entry);

#endif
