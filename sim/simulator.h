/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated device, as its own files see it. */
#ifndef BERTH_SIM_SIMULATOR_H
#define BERTH_SIM_SIMULATOR_H

#include <berth/rules.h>
#include <berth/sim.h>

#include "content.h"
#include "memory.h"

struct berth__simulator {
	berth_device base;
	berth_profile profile;
	char name[sizeof("sim:") + sizeof(((berth_profile *)0)->name)];
	bool ghost;
	berth_objects *objects;
	struct berth__sim_memory memory;
	uint64_t op_number; /* to see each root once in an op that names it twice */
};

/* What hangs on each root object (berth_object.user). */
struct berth__root {
	struct berth__footprint footprint;
	bool committed;
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
