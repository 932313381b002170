/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of a made-up driver that tests of the record layer share: its objects, what it
 * answers next, contexts, queues and buffers.
 */
#ifndef BERTH_TESTS_LAYER_DRIVER_H
#define BERTH_TESTS_LAYER_DRIVER_H

#include "layer_fixture.h"

/* The first word of a driver's object is its dispatch table; there are two drivers. */
struct layer_driver_object {
	const void *dispatch;
};
extern struct layer_driver_object layer_objects[32];
extern const void *layer_dispatches[2];

#define HANDLE(n) ((void *)&layer_objects[n])
#define CONTEXT ((cl_context)HANDLE(0))
#define QUEUE ((cl_command_queue)HANDLE(1))
#define OTHER_QUEUE ((cl_command_queue)HANDLE(2)) /* out of order, and it profiles */
#define KERNEL ((cl_kernel)HANDLE(3))
#define BUFFER ((cl_mem)HANDLE(4))
#define BUFFER_2 ((cl_mem)HANDLE(5))
#define IMAGE ((cl_mem)HANDLE(6))
#define COMMANDS ((cl_command_buffer_khr)HANDLE(7))
#define COMMAND ((cl_mutable_command_khr)HANDLE(8))
#define EVENT(n) ((cl_event)HANDLE(16 + (n)))

/* What the driver says and gives next. */
extern cl_int next_status;
extern cl_event next_event;
extern void *next_pointer;
extern cl_mem next_object;
extern cl_command_queue next_queue;

/* Called once, while the driver runs. */
extern void (*within)(void);

cl_int layer_driver_answer(cl_event *event);

cl_context CL_API_CALL layer_driver_context(const cl_context_properties *properties, cl_uint count,
					    const cl_device_id *devices,
					    void(CL_CALLBACK *notify)(const char *, const void *,
								      size_t, void *),
					    void *user_data, cl_int *status);
cl_command_queue CL_API_CALL layer_driver_queue(cl_context context, cl_device_id device,
						cl_command_queue_properties properties,
						cl_int *status);
cl_mem CL_API_CALL layer_driver_buffer(cl_context context, cl_mem_flags flags, size_t size,
				       void *host, cl_int *status);

/* ---- for tests on it ---- */

/* Load the layer with a driver; false: it cannot be. */
bool layer_driver_load(const cl_icd_dispatch *driver);

/* Make CONTEXT, QUEUE and OTHER_QUEUE: three order ops. */
void layer_driver_make_queues(void);

void make_buffer(cl_mem handle, size_t bytes);
const char *name_of(const struct spool_op *op);
void assert_digest(const uint8_t *actual, const void *bytes, size_t count);

#endif
