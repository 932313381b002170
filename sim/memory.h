/* SPDX-License-Identifier: Apache-2.0 */
/* The memory model: what objects take of a device's memory, and whether they fit. */
#ifndef BERTH_SIM_MEMORY_H
#define BERTH_SIM_MEMORY_H

#include <berth/op.h>
#include <berth/sim.h>

/* What one or several objects take. */
struct berth__footprint {
	uint64_t own_bytes;    /* in granules of their own */
	uint64_t shared_bytes; /* in granules shared with other small objects */
};

struct berth__sim_memory {
	berth_memory_model model;
	struct berth__footprint in_use;
	uint64_t peak_bytes;
};

/* BERTH_E_INVAL: the detail names the field and what is allowed. */
berth_status berth__memory_model_validate(const berth_memory_model *model);

/*
 * The bytes of the object that a create op asks for, as the device stores it;
 * UINT64_MAX when that does not fit 64 bits (no capacity holds it).
 */
uint64_t berth__memory_object_bytes(const berth_memory_model *model, const berth_op *op);

/* What an object of so many bytes takes. */
struct berth__footprint berth__memory_footprint(const berth_memory_model *model, uint64_t bytes);

/* @p to += @p more, stopping at UINT64_MAX. */
void berth__footprint_add(struct berth__footprint *to, const struct berth__footprint *more);

uint64_t berth__memory_in_use_bytes(const struct berth__sim_memory *memory);

/* The bytes by which in_use_bytes would be less without @p part of it. */
uint64_t berth__memory_of(const struct berth__sim_memory *memory,
			  const struct berth__footprint *part);

/* What in_use_bytes would be with @p more; UINT64_MAX when that does not fit 64 bits. */
uint64_t berth__memory_with(const struct berth__sim_memory *memory,
			    const struct berth__footprint *more);

bool berth__memory_fits(const struct berth__sim_memory *memory,
			const struct berth__footprint *more);

void berth__memory_take(struct berth__sim_memory *memory, const struct berth__footprint *more);
void berth__memory_give(struct berth__sim_memory *memory, const struct berth__footprint *less);

#endif
