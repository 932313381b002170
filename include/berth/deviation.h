/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Deviations: where a device does not answer as the specification says.
 *
 * Rules are named by their rows (rules.h), those of the specification ("R38") and
 * those of the quirk table ("Q.zero_bytes"): what some drivers refuse although no
 * rule does. A row of the specification holds unless a deviation says otherwise;
 * a row of the quirk table only counts when a deviation names it.
 *
 * Order: the specification orders no checks, a driver has one. The rows in `first`
 * are checked before all others, in that order; the others follow in the table's.
 *
 * No state, thread safe.
 */
#ifndef BERTH_DEVIATION_H
#define BERTH_DEVIATION_H

#include <berth/rules.h>

BERTH_BEGIN_DECLS

/** What a device does with an op that breaks a row. */
typedef enum berth_deviation_answer {
	BERTH_DEVIATION_ACCEPT = 0, /**< nothing: the row does not exist on this device */
	BERTH_DEVIATION_CODE = 1,   /**< refuses with berth_deviation.code */
	BERTH_DEVIATION_CRASH = 2,  /**< takes the program down: BERTH_E_LOST */
} berth_deviation_answer;

typedef struct berth_deviation {
	const berth_rule *rule; /**< of either table (berth_rules_find()) */
	uint32_t kinds;		/**< 1u << berth_op_kind of those it is about; 0: all */
	uint32_t forms;		/**< 1u << berth_op_form of those it is about; 0: all */
	berth_deviation_answer answer;
	int32_t code; /**< of BERTH_DEVIATION_CODE; else 0 */
} berth_deviation;

#define BERTH_DEVIATIONS_MAX 256
#define BERTH_ORDER_MAX 64

/** All departures of one device. Zeroed: the specification. A plain value. */
typedef struct berth_deviations {
	uint32_t count;
	uint32_t first_count;
	berth_deviation items[BERTH_DEVIATIONS_MAX];
	const berth_rule *first[BERTH_ORDER_MAX]; /**< checked before all others */
} berth_deviations;

/**
 * Add a deviation.
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL  no rule, a kind that the rule is not about, no such answer,
 *                        or a code of 0; @p to is unchanged
 * @retval BERTH_E_STATE  one with the same rule, kinds and forms is there
 * @retval BERTH_E_LIMIT  BERTH_DEVIATIONS_MAX are there
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_deviations_add(berth_deviations *to,
							     const berth_deviation *deviation);

/**
 * @return the deviation that counts when @p op breaks @p rule, or NULL: that with
 * kinds and forms before that with kinds, that before one with forms, that before
 * one with neither. Borrowed.
 */
BERTH_API const berth_deviation *berth_deviations_find(const berth_deviations *deviations,
						       const berth_rule *rule, const berth_op *op);

/**
 * Bring broken rows into the device's order, and drop those it accepts.
 * @param[in,out] broken  of berth_rules_check() and berth_quirks_check()
 * @return how many are left, at most @p count; the first decides the answer
 */
BERTH_API size_t berth_deviations_apply(const berth_deviations *deviations, const berth_op *op,
					const berth_rule *broken[], size_t count);

/**
 * As berth_rules_answer(), with the codes of the device instead of the specification's
 * where it deviates.
 * @param broken  of berth_deviations_apply()
 * @param count   > 0
 * @retval BERTH_OK
 * @retval BERTH_E_LOST  the device crashes here; @p result is untouched
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_deviations_answer(const berth_deviations *deviations,
								const berth_op *op,
								const berth_rule *const broken[],
								size_t count, berth_result *result);

BERTH_END_DECLS

#endif
