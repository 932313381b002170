/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The OpenCL specification on memory objects, as a table.
 *
 * Each row is one condition that an op must not break: a stable id ("R25", or
 * "R100.bounds" where one clause of the specification lists several conditions),
 * the section, the kinds of op it applies to, a predicate over (capabilities,
 * object state, op), and the codes the specification gives for breaking it.
 *
 * The specification orders no checks: when an op breaks several rows, any of
 * their codes conforms. berth_rules_check() therefore yields the whole set, in
 * table order, which is the order of the specification's own error lists.
 *
 * Other numbers in comments, as R90, are clauses that are no conditions: doc/rules.md.
 *
 * Rows about the device's memory (R5, R30, R39, R53: "the store can be allocated")
 * are in the table to be looked up; berth_rules_check() never finds them broken,
 * because a memory model decides them.
 *
 * A second table of the same form holds quirks ("Q.zero_bytes"): what some drivers refuse
 * although the specification does not. Only a device whose deviations name a quirk
 * keeps to it (deviation.h); berth_rules_check() does not look there.
 *
 * No state, thread safe.
 */
#ifndef BERTH_RULES_H
#define BERTH_RULES_H

#include <berth/objects.h>

BERTH_BEGIN_DECLS

#define BERTH_RULE_CODES_MAX 3

typedef struct berth_rule {
	const char *id;	     /**< stable */
	const char *section; /**< heading in the specification */
	const char *summary; /**< the condition that must hold, one sentence */
	uint32_t kinds;	     /**< 1u << berth_op_kind for each kind it applies to */
	int32_t codes[BERTH_RULE_CODES_MAX]; /**< codes for breaking it; unused entries 0 */
} berth_rule;

/** The most rows that one op can break at once. */
#define BERTH_RULES_BROKEN_MAX 24

/** @return the number of rows. */
BERTH_API size_t berth_rules_count(void);

/** @return row @p index; NULL at or past berth_rules_count(). Static. */
BERTH_API const berth_rule *berth_rules_at(size_t index);

/** @return the number of quirks. */
BERTH_API size_t berth_quirks_count(void);

/** @return quirk @p index; NULL at or past berth_quirks_count(). Static. */
BERTH_API const berth_rule *berth_quirks_at(size_t index);

/** @return the row of either table with this id, or NULL. Static. */
BERTH_API const berth_rule *berth_rules_find(const char *id);

/**
 * Which rows an op breaks.
 *
 * @param caps      of the device (its limits are the ones checked)
 * @param objects   state before the op
 * @param[out] broken  at least BERTH_RULES_BROKEN_MAX entries; table order
 * @return the number of rows broken; 0: the op conforms
 */
BERTH_API size_t berth_rules_check(const berth_caps *caps, const berth_objects *objects,
				   const berth_op *op, const berth_rule *broken[]);

/** As berth_rules_check(), for the table of quirks. */
BERTH_API size_t berth_quirks_check(const berth_caps *caps, const berth_objects *objects,
				    const berth_op *op, const berth_rule *broken[]);

/**
 * Say in one line why an op breaks a row: the object, the limit and both numbers;
 * or that it does not break it.
 * @param rule       of the table
 * @param[out] text  at most @p text_bytes with its NUL
 */
BERTH_API void berth_rule_explain(const berth_rule *rule, const berth_caps *caps,
				  const berth_objects *objects, const berth_op *op, char *text,
				  size_t text_bytes);

/**
 * Turn broken rows into an answer: the first row's first code and id, all other
 * codes as alternatives. R1's codes (out of resources, out of host memory) are
 * not among them: they are allowed anywhere and never predicted.
 * @param count  > 0
 */
BERTH_API void berth_rules_answer(const berth_rule *const broken[], size_t count,
				  berth_result *result);

BERTH_END_DECLS

#endif
