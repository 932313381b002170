/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record layer: state that all of its files share.
 *
 * A wrapper (layer_calls.h) describes its call as an op, forwards it unchanged,
 * and appends the op with the driver's answer to the spool. No lock is held
 * while the driver runs: it may call back into the program, and the program may
 * call from there.
 */
#ifndef BERTH_LAYER_LAYER_H
#define BERTH_LAYER_LAYER_H

#include <stdatomic.h>

/* All calls of all versions, the deprecated ones too. */
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl_icd.h>

#include <berth/op.h>

#include "handle_map.h"
#include "spool_writer.h"
#include "svm_map.h"

struct berth__layer {
	/* The calls of the next layer or the driver: a copy, NULL where it has none. */
	cl_icd_dispatch target;
	struct berth__spool_writer spool;
	struct berth__handle_map mems;
	struct berth__handle_map kernels;
	struct berth__handle_map queues;
	struct berth__handle_map contexts;
	struct berth__handle_map devices;
	struct berth__handle_map events;
	struct berth__handle_map command_buffers;
	struct berth__svm_map svm;
	_Atomic uint64_t last_object;
	_Atomic uint64_t last_mapping;
	_Atomic uint64_t last_event;
	_Atomic uint32_t last_context;
	_Atomic uint32_t last_queue;
	_Atomic uint32_t last_device;
	/* From 1, one more in each forked child: what was begun under another is not ours. */
	uint32_t generation;
	bool digests;
	bool split_waits;
};

extern struct berth__layer berth__layer;

/* What the layer keeps of a thread. */
struct berth__thread {
	uint32_t generation;
	uint32_t id;   /* gettid() */
	uint32_t slot; /* pending slot, or BERTH__SPOOL_NO_SLOT */
	uint32_t depth; /* recorded calls that it is inside of */
};

/*
 * Each call looks at it more than once. From the room that the C library keeps for libraries which
 * are loaded late, as graphics drivers take it, that costs one instruction, else a call.
 */
#ifdef __GLIBC__
#define BERTH__QUICK_THREAD_LOCAL __attribute__((tls_model("initial-exec")))
#else
#define BERTH__QUICK_THREAD_LOCAL
#endif
extern _Thread_local struct berth__thread berth__this_thread BERTH__QUICK_THREAD_LOCAL;

/*
 * Whether a call comes from inside another: a driver may use OpenCL itself, through the loader.
 * The program does not see that call, and the trace shall not. Callbacks of the program are not
 * inside (layer_callback.h). Counts it by name, so that the trace says so.
 */
bool berth__layer_note_inside(const char *name);
static inline bool berth__layer_is_inside(const char *name)
{
	return __builtin_expect(berth__this_thread.depth > 0, 0) && berth__layer_note_inside(name);
}

/* At the beginning of a wrapper. */
#define BERTH__PASS_INSIDE(name, ...)                                                              \
	if (berth__layer_is_inside(#name))                                                         \
	return berth__layer.target.name(__VA_ARGS__)
#define BERTH__PASS_INSIDE_VOID(name, ...)                                                         \
	if (berth__layer_is_inside(#name)) {                                                       \
		berth__layer.target.name(__VA_ARGS__);                                             \
		return;                                                                            \
	}

/* The calling thread's; valid until it ends. Opens a forked child's spool first. */
struct berth__thread *berth__layer_thread(void);

/*
 * Start to record into `directory` ("": nothing is recorded), or go on after the loader was unloaded and
 * loaded again. BERTH_E_IO, BERTH_E_NOMEM, BERTH_E_INVAL (the path is too long):
 * no spool can be made there.
 */
BERTH_MUST_CHECK berth_status berth__layer_start(const char *directory);

/* The process or the loader ends. Calls that come nevertheless are counted as lost. */
void berth__layer_stop(void);

/* Id of an object: BERTH_ID_NONE for NULL, BERTH_ID_UNKNOWN for a handle that is none. */
uint64_t berth__layer_object(const void *handle);

/* Find a memory object: *out is all zero but for its id (as above) when it is not known. */
bool berth__layer_find_object(const void *handle, struct berth__handle *out);

/* Id of a context; 0 when it is not known. */
uint32_t berth__layer_context(const void *handle);

/* Id of a text in the spool, from 1; 0 when it is NULL or could not be kept (layer_name.c). */
uint32_t berth__layer_name(const char *text);
void berth__layer_forget_names(void);

/* Count a call that is not modelled, by its name (layer_untracked.c). */
void berth__layer_count_untracked(const char *name);
void berth__layer_forget_untracked(void);

#endif
