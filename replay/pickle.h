/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pickles (Python's serialisation, protocols 2 to 5) as data. A pickle is a program for a stack
 * machine; this one has the opcodes that make numbers, texts, lists, tuples and dicts, and no
 * others: nothing is imported, called or built, whatever a file asks for.
 *
 * Values are held in flat arrays and refer to each other by index, so that neither reading nor
 * freeing recurses, and what refers to itself does no harm. Memory is bounded by the file's
 * size: each opcode makes at most one value.
 */
#ifndef BERTH_REPLAY_PICKLE_H
#define BERTH_REPLAY_PICKLE_H

#include <berth/status.h>

enum berth__pickle_type {
	BERTH__PICKLE_NONE,
	BERTH__PICKLE_BOOL,
	BERTH__PICKLE_INT,  /* negative, or up to 64 bits */
	BERTH__PICKLE_HUGE, /* an integer of more than 64 bits: only that it is one is known */
	BERTH__PICKLE_FLOAT,
	BERTH__PICKLE_TEXT,
	BERTH__PICKLE_BYTES, /* skipped */
	BERTH__PICKLE_LIST,
	BERTH__PICKLE_TUPLE,
	BERTH__PICKLE_DICT,
};

/* More values on the stack are no snapshot's: Python puts a thousand of a list there at once. */
#define BERTH__PICKLE_STACK_MAX 100000u
/* More marks are nested too deep. */
#define BERTH__PICKLE_MARKS_MAX 1000u
/* More values are too large a file: they alone take 4 GiB. */
#define BERTH__PICKLE_VALUES_MAX (UINT32_C(1) << 28)

struct berth__pickle;
/* An index; valid as long as the pickle. */
typedef uint32_t berth__pickle_value;

/*
 * BERTH_OK; BERTH_E_IO; BERTH_E_FORMAT: not a pickle, cut short, or an opcode that is not data:
 * the detail names it and its byte; BERTH_E_LIMIT; BERTH_E_NOMEM.
 */
BERTH_MUST_CHECK berth_status berth__pickle_load(struct berth__pickle **out, const char *path);
void berth__pickle_free(struct berth__pickle *pickle);

berth__pickle_value berth__pickle_root(const struct berth__pickle *pickle);
enum berth__pickle_type berth__pickle_type_of(const struct berth__pickle *pickle,
					      berth__pickle_value value);
/* "dict", "a list" and the like, for messages. */
const char *berth__pickle_type_string(enum berth__pickle_type type);

/* An integer from 0; false: it is none, or negative, or too large. */
bool berth__pickle_number(uint64_t *out, const struct berth__pickle *pickle,
			  berth__pickle_value value);
bool berth__pickle_truth(const struct berth__pickle *pickle, berth__pickle_value value);
/* NULL: not a text, or one with a NUL in it. */
const char *berth__pickle_text(const struct berth__pickle *pickle, berth__pickle_value value);

/* Of a list or tuple; else 0. */
uint32_t berth__pickle_count(const struct berth__pickle *pickle, berth__pickle_value value);
berth__pickle_value berth__pickle_item(const struct berth__pickle *pickle,
				       berth__pickle_value value, uint32_t index);
/* The value of a key in a dict, the last if it comes twice; false: none, or not a dict. */
bool berth__pickle_find(berth__pickle_value *out, struct berth__pickle *pickle,
			berth__pickle_value dict, const char *key);

/*
 * Whether a walk has looked at far more than the file holds: parts of a forged one can stand in
 * it a million times without being there more than once.
 */
bool berth__pickle_is_worn_out(const struct berth__pickle *pickle);

#endif
