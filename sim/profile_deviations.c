/* SPDX-License-Identifier: Apache-2.0 */
/* The sections [deviations] and [order]: rules by their ids. */
#include "profile_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Longer than any word of these sections; a line has no more than its own bytes. */
#define WORD_BYTES BERTH__PROFILE_LINE_BYTES

/* The next word, and what stands behind it; NULL past the last. */
static const char *next_word(char word[WORD_BYTES], const char *text)
{
	size_t length;

	text += strspn(text, " \t");
	length = strcspn(text, " \t");
	if (length == 0)
		return NULL;
	snprintf(word, WORD_BYTES, "%.*s", (int)length, text);
	return text + length;
}

static berth_status wrong(const struct berth__profile_place *place, const char *word,
			  const char *allowed)
{
	return berth_error_set(BERTH_E_FORMAT, 0, "%s:%d: '%s': '%s': allowed is %s", place->file,
			       place->line, place->key, word, allowed);
}

static berth_status find_rule(const berth_rule **out, const char *word,
			      const struct berth__profile_place *place)
{
	*out = berth_rules_find(word);
	return *out ? BERTH_OK : wrong(place, word, "the id of a rule, as R38 or R100.bounds");
}

static berth_status add_word(berth_deviation *to, const char *word,
			     const struct berth__profile_place *place)
{
	berth_op_kind kind;

	for (unsigned form = BERTH_FORM_LINEAR; form < BERTH_FORM_END; form++) {
		if (strcmp(berth_op_form_string((berth_op_form)form), word) == 0) {
			to->forms |= 1u << form;
			return BERTH_OK;
		}
	}
	if (berth_op_kind_parse(&kind, word) != BERTH_OK)
		return wrong(place, word,
			     "a kind of op, as read, or a form: linear, rect, image, "
			     "image_to_buffer, buffer_to_image, svm");
	if (!(to->rule->kinds >> kind & 1))
		return wrong(place, word, "a kind of op that the rule is about");
	to->kinds |= 1u << kind;
	return BERTH_OK;
}

static berth_status set_answer(berth_deviation *to, const char *text,
			       const struct berth__profile_place *place)
{
	if (strcmp(text, "accept") == 0) {
		to->answer = BERTH_DEVIATION_ACCEPT;
		return BERTH_OK;
	}
	if (strcmp(text, "crash") == 0) {
		to->answer = BERTH_DEVIATION_CRASH;
		return BERTH_OK;
	}
	to->answer = BERTH_DEVIATION_CODE;
	if (berth_cl_status_parse(&to->code, text) == BERTH_OK && to->code != 0)
		return BERTH_OK;
	return wrong(place, text, "accept, crash, or an OpenCL code, as CL_OUT_OF_RESOURCES");
}

berth_status berth__profile_add_deviation(berth_deviations *deviations, const char *text,
					  const struct berth__profile_place *place)
{
	berth_deviation deviation = { 0 };
	char word[WORD_BYTES] = "";
	const char *rest = next_word(word, place->key);
	berth_status st = find_rule(&deviation.rule, word, place);

	while (st == BERTH_OK && (rest = next_word(word, rest)))
		st = add_word(&deviation, word, place);
	if (st == BERTH_OK)
		st = set_answer(&deviation, text, place);
	if (st != BERTH_OK)
		return st;
	if (berth_deviations_add(deviations, &deviation) != BERTH_OK)
		return berth_error_set(BERTH_E_FORMAT, 0, "%s:%d: '%s': %s", place->file,
				       place->line, place->key, berth_error_get()->message);
	return BERTH_OK;
}

static bool is_in_order(const berth_deviations *deviations, const berth_rule *rule)
{
	for (uint32_t i = 0; i < deviations->first_count; i++)
		if (deviations->first[i] == rule)
			return true;
	return false;
}

static berth_status add_first(berth_deviations *deviations, const char *word,
			      const struct berth__profile_place *place)
{
	const berth_rule *rule;
	berth_status st = find_rule(&rule, word, place);

	if (st != BERTH_OK)
		return st;
	if (is_in_order(deviations, rule))
		return berth_error_set(BERTH_E_FORMAT, 0, "%s:%d: %s: '%s' stands twice",
				       place->file, place->line, place->key, word);
	if (deviations->first_count == BERTH_ORDER_MAX)
		return berth_error_set(BERTH_E_FORMAT, 0, "%s:%d: %s: more than %d rules",
				       place->file, place->line, place->key, BERTH_ORDER_MAX);
	deviations->first[deviations->first_count++] = rule;
	return BERTH_OK;
}

berth_status berth__profile_add_order(berth_deviations *deviations, const char *text,
				      const struct berth__profile_place *place)
{
	char word[WORD_BYTES];
	berth_status st = BERTH_OK;

	if (strcmp(place->key, "first") != 0)
		return berth_error_set(BERTH_E_FORMAT, 0,
				       "%s:%d: key '%s' is not known in section [order]",
				       place->file, place->line, place->key);
	while (st == BERTH_OK && (text = next_word(word, text)))
		st = add_first(deviations, word, place);
	return st;
}
