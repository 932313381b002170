/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What may stand between the wrappers and the driver: a simulated device, which answers before the
 * driver is asked (simulate.c). It stands below the recorder, which so writes what the program saw.
 * The record layer has nothing there, and pays a branch that always goes the same way.
 */
#ifndef BERTH_LAYER_LAYER_BELOW_H
#define BERTH_LAYER_LAYER_BELOW_H

#include "layer.h"

struct berth__call;

struct berth__layer_below {
	/* The loader's tables are filled: put functions in, for the wrappers and for the program.
	 */
	void (*join)(cl_icd_dispatch *target, cl_icd_dispatch *table);
	/* All handles are forgotten: a forked child, or the loader was loaded again. */
	void (*forget)(void);
	void (*stop)(void);
	void (*context)(uint32_t id, cl_context context);
	/* The call is described, and not made yet: sets call->refusal. */
	void (*ask)(struct berth__call *call);
	/* A memory object was made for the call; its handle is not entered yet. */
	void (*made)(struct berth__call *call, const void *object);
	/* The call has its answer in call->op->cl_status, be it the driver's or the refusal. */
	void (*answered)(struct berth__call *call);
};

/* NULL: nothing. Set before the loader calls. */
extern const struct berth__layer_below *berth__layer_below;

/* The driver's call, or instead of it the refusal. */
#define BERTH__ASK(call, forward)                                                                  \
	(__builtin_expect((call)->refusal != 0, 0) ? (call)->refusal : (forward))
#define BERTH__ASK_VOID(call, forward)                                                             \
	do {                                                                                       \
		if (__builtin_expect((call)->refusal == 0, 1))                                     \
			forward;                                                                   \
	} while (0)
/* Of what returns a pointer. `status`: where the code goes, or NULL. */
#define BERTH__ASK_POINTER(call, status, forward)                                                  \
	(berth__call_is_refused((call)->refusal, status) ? NULL : (forward))
/* Of what makes a memory object. */
#define BERTH__ASK_MADE(call, status, forward)                                                     \
	(berth__call_is_refused((call)->refusal, status) ? NULL : berth__call_made(call, forward))

static inline bool berth__call_is_refused(cl_int refusal, cl_int *status)
{
	if (__builtin_expect(refusal == CL_SUCCESS, 1))
		return false;
	if (status)
		*status = refusal;
	return true;
}

static inline cl_mem berth__call_made(struct berth__call *call, cl_mem object)
{
	if (__builtin_expect(berth__layer_below != NULL, 0) && object)
		berth__layer_below->made(call, object);
	return object;
}

#endif
