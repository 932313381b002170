/* SPDX-License-Identifier: Apache-2.0 */
/* Deviations: which one counts for an op, and the answer that follows. */
#include <berth/deviation.h>

#include <inttypes.h>

#include "rule_answer.h"

static bool is_known_answer(const berth_deviation *deviation)
{
	switch (deviation->answer) {
	case BERTH_DEVIATION_ACCEPT:
	case BERTH_DEVIATION_CRASH:
		return deviation->code == 0;
	case BERTH_DEVIATION_CODE:
		return deviation->code != 0;
	}
	return false;
}

static berth_status check(const berth_deviation *deviation)
{
	if (!deviation->rule)
		return berth_error_set(BERTH_E_INVAL, 0, "a deviation needs a rule");
	if (!is_known_answer(deviation))
		return berth_error_set(
			BERTH_E_INVAL, 0,
			"deviation from %s: answer %d with code %" PRId32
			": allowed are to accept or to crash, with code 0, or a code "
			"that is not 0",
			deviation->rule->id, (int)deviation->answer, deviation->code);
	if (deviation->kinds & ~deviation->rule->kinds)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "deviation from %s: it is about kinds of op 0x%" PRIX32
				       ", the rule about 0x%" PRIX32 " only",
				       deviation->rule->id, deviation->kinds,
				       deviation->rule->kinds);
	if (deviation->forms >> BERTH_FORM_END)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "deviation from %s: forms 0x%" PRIX32
				       " are not all forms of an op",
				       deviation->rule->id, deviation->forms);
	return BERTH_OK;
}

berth_status berth_deviations_add(berth_deviations *to, const berth_deviation *deviation)
{
	berth_status st = check(deviation);

	if (st != BERTH_OK)
		return st;
	for (uint32_t i = 0; i < to->count; i++) {
		const berth_deviation *item = &to->items[i];

		if (item->rule == deviation->rule && item->kinds == deviation->kinds &&
		    item->forms == deviation->forms)
			return berth_error_set(BERTH_E_STATE, 0,
					       "a deviation from %s for the same ops is there",
					       deviation->rule->id);
	}
	if (to->count == BERTH_DEVIATIONS_MAX)
		return berth_error_set(BERTH_E_LIMIT, 0, "more than %d deviations",
				       BERTH_DEVIATIONS_MAX);
	to->items[to->count++] = *deviation;
	return BERTH_OK;
}

/* 0: not about this op. */
static unsigned precedence(const berth_deviation *deviation, const berth_op *op)
{
	if ((deviation->kinds && !(deviation->kinds >> op->kind & 1)) ||
	    (deviation->forms && !(deviation->forms >> op->form & 1)))
		return 0;
	return 1 + (deviation->forms ? 1u : 0u) + (deviation->kinds ? 2u : 0u);
}

const berth_deviation *berth_deviations_find(const berth_deviations *deviations,
					     const berth_rule *rule, const berth_op *op)
{
	const berth_deviation *best = NULL;

	for (uint32_t i = 0; i < deviations->count; i++) {
		const berth_deviation *item = &deviations->items[i];
		unsigned rank = item->rule == rule ? precedence(item, op) : 0;

		if (rank > (best ? precedence(best, op) : 0))
			best = item;
	}
	return best;
}

static bool is_accepted(const berth_deviations *deviations, const berth_rule *rule,
			const berth_op *op)
{
	const berth_deviation *deviation = berth_deviations_find(deviations, rule, op);

	return deviation && deviation->answer == BERTH_DEVIATION_ACCEPT;
}

/* Smaller is checked earlier; all that are not named are checked last. */
static uint32_t position(const berth_deviations *deviations, const berth_rule *rule)
{
	uint32_t i = 0;

	while (i < deviations->first_count && deviations->first[i] != rule)
		i++;
	return i;
}

size_t berth_deviations_apply(const berth_deviations *deviations, const berth_op *op,
			      const berth_rule *broken[], size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		const berth_rule *rule = broken[i];
		size_t at = kept;

		if (is_accepted(deviations, rule, op))
			continue;
		/* Those behind it move up: few rules are broken at once. */
		while (at > 0 &&
		       position(deviations, broken[at - 1]) > position(deviations, rule)) {
			broken[at] = broken[at - 1];
			at--;
		}
		broken[at] = rule;
		kept++;
	}
	return kept;
}

berth_status berth_deviations_answer(const berth_deviations *deviations, const berth_op *op,
				     const berth_rule *const broken[], size_t count,
				     berth_result *result)
{
	const berth_deviation *first = berth_deviations_find(deviations, broken[0], op);
	char what[160];

	if (first && first->answer == BERTH_DEVIATION_CRASH) {
		berth_op_describe(op, what, sizeof(what));
		return berth_error_set(BERTH_E_LOST, 0, "%s: the device crashes here (%s: %s)",
				       what, broken[0]->id, broken[0]->summary);
	}
	berth_rules_answer(broken, count, result);
	if (!first)
		return BERTH_OK;
	/* The device has one code for it; of the others any may come first. */
	result->cl_status = first->code;
	result->code_count = 0;
	for (size_t i = 1; i < count; i++) {
		const berth_deviation *other = berth_deviations_find(deviations, broken[i], op);

		if (!other)
			berth__rule_add_codes(result, broken[i]);
		else if (other->answer == BERTH_DEVIATION_CODE)
			berth__rule_add_code(result, other->code);
	}
	return BERTH_OK;
}
