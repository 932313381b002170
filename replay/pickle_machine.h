/* SPDX-License-Identifier: Apache-2.0 */
/* The stack machine of a pickle, as its opcodes see it. */
#ifndef BERTH_REPLAY_PICKLE_MACHINE_H
#define BERTH_REPLAY_PICKLE_MACHINE_H

#include "pickle_store.h"
#include "plan_text.h"

struct berth__pickle_machine {
	struct berth__plan_text text;
	struct berth__pickle *pickle;
	uint64_t offset;  /* of the next byte */
	uint64_t op_at;	  /* of the opcode that is executed */
	const char *name; /* its name */
	berth__pickle_value *stack;
	size_t height, stack_capacity;
	size_t *marks; /* heights of the stack */
	size_t mark_count, mark_capacity;
	berth__pickle_value *memo;
	size_t memo_count, memo_capacity;
	bool stopped;
};

struct berth__pickle_opcode {
	const char *name; /* of Python's pickletools; NULL: there is none */
	/* NULL: not data. */
	berth_status (*execute)(struct berth__pickle_machine *m, unsigned argument);
	unsigned argument;
};

extern const struct berth__pickle_opcode berth__pickle_opcodes[256];

/* What the file lacks. */
berth_status berth__pickle_cut_short(const struct berth__pickle_machine *m);

#endif
