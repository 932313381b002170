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

/* What the opcodes do (pickle_execute.c); `argument` is of the table. */
typedef berth_status berth__pickle_execute_fn(struct berth__pickle_machine *m, unsigned argument);
berth__pickle_execute_fn berth__pickle_do_append,
	berth__pickle_do_appends,
	berth__pickle_do_bool,
	berth__pickle_do_bytes,
	berth__pickle_do_dup,
	berth__pickle_do_empty,
	berth__pickle_do_float,
	berth__pickle_do_frame,
	berth__pickle_do_get,
	berth__pickle_do_int32,
	berth__pickle_do_long,
	berth__pickle_do_mark,
	berth__pickle_do_marked,
	berth__pickle_do_memoize,
	berth__pickle_do_none,
	berth__pickle_do_pop,
	berth__pickle_do_pop_mark,
	berth__pickle_do_proto,
	berth__pickle_do_put,
	berth__pickle_do_stop,
	berth__pickle_do_text,
	berth__pickle_do_tuple,
	berth__pickle_do_unsigned;

struct berth__pickle_opcode {
	const char *name; /* of Python's pickletools; NULL: there is none */
	/* NULL: not data. */
	berth__pickle_execute_fn *execute;
	unsigned argument;
};

extern const struct berth__pickle_opcode berth__pickle_opcodes[256];

/* What the file lacks. */
berth_status berth__pickle_cut_short(const struct berth__pickle_machine *m);

#endif
