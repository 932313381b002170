/* SPDX-License-Identifier: Apache-2.0 */
/* The alternatives of an answer: codes that conform as well. */
#ifndef BERTH_LIB_RULE_ANSWER_H
#define BERTH_LIB_RULE_ANSWER_H

#include <berth/rules.h>

/* No code stands twice, nor the answer's own. */
static inline void berth__rule_add_code(berth_result *result, int32_t code)
{
	if (code == 0 || code == result->cl_status)
		return;
	for (uint32_t i = 0; i < result->code_count; i++)
		if (result->codes[i] == code)
			return;
	if (result->code_count < BERTH_RESULT_CODES_MAX)
		result->codes[result->code_count++] = code;
}

static inline void berth__rule_add_codes(berth_result *result, const berth_rule *rule)
{
	for (size_t i = 0; i < BERTH_RULE_CODES_MAX; i++)
		berth__rule_add_code(result, rule->codes[i]);
}

#endif
