/* SPDX-License-Identifier: Apache-2.0 */
/* A device in front of another: counts ops, keeps their labels, fails one on demand. */
#ifndef BERTH_TEST_FAULT_DEVICE_H
#define BERTH_TEST_FAULT_DEVICE_H

#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#include <berth/device.h>

struct fault_device {
	berth_device base;
	berth_device *inner; /* owned */
	uint32_t kinds;	     /* 1u << berth_op_kind of those that may fail */
	unsigned countdown;  /* the n-th of them fails; 0: none */
	int32_t code;	     /* with which */
	unsigned failed;     /* how many did */
	char labels[8192];   /* of label ops, a line each */
	unsigned counts[BERTH_OP_KIND_END];
	berth_op last[BERTH_OP_KIND_END];
};

static inline berth_status fault_device_execute(berth_device *device, const berth_op *op,
						berth_result *result)
{
	struct fault_device *fault = (struct fault_device *)device;

	fault->counts[op->kind]++;
	fault->last[op->kind] = *op;
	if (op->kind == BERTH_OP_LABEL &&
	    strlen(fault->labels) + strlen(op->name) + 2 < sizeof(fault->labels)) {
		strcat(fault->labels, op->name);
		strcat(fault->labels, "\n");
	}
	if (fault->countdown > 0 && (fault->kinds >> op->kind & 1) && --fault->countdown == 0) {
		fault->failed++;
		result->cl_status = fault->code;
		berth_error_set(BERTH_E_CL, fault->code, "made to fail");
		return BERTH_OK;
	}
	return berth_device_execute(fault->inner, op, result);
}

static inline void fault_device_memory(const berth_device *device, berth_memory *memory)
{
	berth_device_memory(((const struct fault_device *)device)->inner, memory);
}

static inline void fault_device_destroy(berth_device *device)
{
	berth_device_destroy(((struct fault_device *)device)->inner);
	free(device);
}

static inline struct fault_device *fault_device_create(berth_device *inner)
{
	static const berth_device_ops ops = { BERTH_DEVICE_OPS_VERSION, fault_device_execute,
					      fault_device_memory, fault_device_destroy, NULL };
	struct fault_device *fault = calloc(1, sizeof(*fault));

	if (!fault)
		abort();
	fault->base.ops = &ops;
	fault->base.caps = berth_device_caps(inner);
	fault->base.name = berth_device_name(inner);
	fault->inner = inner;
	fault->code = CL_OUT_OF_RESOURCES;
	return fault;
}

#endif
