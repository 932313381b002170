/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated device, as its own files see it. */
#ifndef BERTH_SIM_SIMULATOR_H
#define BERTH_SIM_SIMULATOR_H

#include <berth/rules.h>
#include <berth/sim.h>

#include "content.h"
#include "memory.h"

/* A live mapping of memory that the device reaches by itself. */
struct berth__pinned {
	uintptr_t start;
	uint64_t bytes;
	uint64_t object;
	uint64_t mapping;
};

struct berth__staged_map;

struct berth__simulator {
	berth_device base;
	berth_profile profile;
	berth_caps enforced; /* the limits that the rules are checked at */
	bool departs;	     /* there is more to do than to check the rules */
	bool has_quirks;
	bool has_transfer_model;
	bool is_lost; /* it has crashed */
	char name[sizeof("sim:") + sizeof(((berth_profile *)0)->name)];
	bool ghost;
	berth_objects *objects;
	struct berth__sim_memory memory;
	struct berth__footprint unreturned; /* of released objects, until the next sync */
	struct berth__staged_map *staged_maps;
	struct berth__pinned *pinned;
	size_t pinned_count, pinned_capacity;
	uint64_t op_number; /* to see each root once in an op that names it twice */
};

/* What hangs on each root object (berth_object.user). */
struct berth__root {
	struct berth__footprint footprint;
	bool committed;
	bool has_had_children;
	uint64_t seen_in_op;
	struct berth__content content; /* zeroed in ghosts */
};

static inline struct berth__root *berth__root_of(const berth_object *object)
{
	return object->root->user;
}

/* NULL is fine. */
void berth__root_free(struct berth__root *root);

/* Take a root's memory, if that has not been done. It fits. */
void berth__sim_commit(struct berth__simulator *sim, struct berth__root *root);

/* A released root's memory is no longer needed: given back now, later or never. */
void berth__sim_give(struct berth__simulator *sim, struct berth__root *root);

/* Answer that the memory is out: @p rule allows it here, @p more is what did not fit. */
berth_status berth__sim_refuse_memory(const struct berth__simulator *sim, const berth_op *op,
				      const char *rule, const struct berth__footprint *more,
				      berth_result *result);

/* BERTH_E_STATE when a create op's id is reserved or alive. */
berth_status berth__sim_check_new_id(const struct berth__simulator *sim, const berth_op *op);

/* A create op that the rules accept. */
berth_status berth__sim_create_object(struct berth__simulator *sim, const berth_op *op,
				      berth_result *result);

#endif
