/* SPDX-License-Identifier: Apache-2.0 */
/* A profile as text: the keys of the table, each with the value that the profile has. */
#include "profile_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t number_at(const void *field, const struct berth__profile_key *key)
{
	uint64_t number64;
	uint32_t number32;

	if (key->type == BERTH__PROFILE_NUMBER64 || key->type == BERTH__PROFILE_FLAGS) {
		memcpy(&number64, field, sizeof(number64));
		return number64;
	}
	memcpy(&number32, field, sizeof(number32));
	return number32;
}

/* A choice is a word even where the value is negative, as the codes of OpenCL are. */
static void print_choice(FILE *to, const void *field, const struct berth__profile_key *key)
{
	const struct berth__profile_word *word = key->words;
	uint32_t value = (uint32_t)number_at(field, key);

	while (word->word && (uint32_t)word->value != value)
		word++;
	if (word->word)
		fputs(word->word, to);
	else
		fprintf(to, "%" PRIu32, value);
}

/* Words stand for one or more bits, and those for more before the ones that they include. */
static void print_words(FILE *to, uint64_t bits, const struct berth__profile_word *words)
{
	uint64_t said = 0;
	bool any = false;

	for (const struct berth__profile_word *word = words; word->word; word++) {
		const uint64_t value = (uint64_t)word->value;

		if (bits == 0 ? value != 0 : (bits & value) != value || !(value & ~said))
			continue;
		fprintf(to, "%s%s", any ? " " : "", word->word);
		said |= value;
		any = true;
	}
}

static void print_value(FILE *to, const void *field, const struct berth__profile_key *key)
{
	switch (key->type) {
	case BERTH__PROFILE_NUMBER32:
	case BERTH__PROFILE_NUMBER64:
		fprintf(to, "%" PRIu64, number_at(field, key));
		break;
	case BERTH__PROFILE_TEXT:
		fputs(field, to);
		break;
	case BERTH__PROFILE_CHOICE:
		print_choice(to, field, key);
		break;
	case BERTH__PROFILE_FLAGS:
		print_words(to, number_at(field, key), key->words);
		break;
	case BERTH__PROFILE_BOOL:
		fputs(*(const bool *)field ? "yes" : "no", to);
		break;
	}
}

/* Sections in which a key that is not there is 0, whatever else the profile says. */
static bool is_zero_by_default(const char *section)
{
	return strcmp(section, "behaviour") == 0 || strcmp(section, "transfer") == 0;
}

/* What need not be said: an empty text, 0 where that is the default. */
static bool is_left_out(const void *field, const struct berth__profile_key *key)
{
	if (key->type == BERTH__PROFILE_TEXT)
		return *(const char *)field == '\0';
	if (key->type == BERTH__PROFILE_BOOL)
		return false;
	return number_at(field, key) == 0 &&
	       (is_zero_by_default(key->section) || key->need != BERTH__PROFILE_NEEDS_NOTHING);
}

/* False: a text that would end its line, or begin a comment, or lose its blanks. */
static bool is_one_line(const char *text)
{
	size_t length = strlen(text);

	for (size_t i = 0; i < length; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			return false;
	return length == 0 || (text[0] != ' ' && text[length - 1] != ' ' && !strstr(text, " ;"));
}

static berth_status print_keys(FILE *to, const berth_profile *profile, const char *section)
{
	const struct berth__profile_key *key;
	bool has_head = false;

	for (size_t i = 0; (key = berth__profile_key_at(i)); i++) {
		const void *field = (const char *)profile + key->offset;

		if (strcmp(key->section, section) != 0 || is_left_out(field, key))
			continue;
		if (key->type == BERTH__PROFILE_TEXT && !is_one_line(field))
			return berth_error_set(
				BERTH_E_INVAL, 0,
				"profile: the %s of [%s] is no line of text: '%.128s'", key->key,
				section, (const char *)field);
		if (!has_head)
			fprintf(to, "\n[%s]\n", section);
		has_head = true;
		fprintf(to, "%s = ", key->key);
		print_value(to, field, key);
		putc('\n', to);
	}
	return BERTH_OK;
}

static void print_formats(FILE *to, const berth_caps *caps)
{
	if (caps->images)
		fputs(caps->format_count > 0 ? "\n[formats]\n" : "\n[formats]\nunknown = accept\n", to);
	for (uint32_t i = 0; i < caps->format_count; i++) {
		const berth_format *format = &caps->formats[i];

		fprintf(to, "%s %s = ", berth_channel_order_string(format->order) + strlen("CL_"),
			berth_channel_type_string(format->type) + strlen("CL_"));
		print_words(to, format->access, berth__profile_accesses);
		putc('\n', to);
	}
}

static void print_deviation(FILE *to, const berth_deviation *deviation)
{
	fputs(deviation->rule->id, to);
	for (unsigned kind = 0; kind < BERTH_OP_KIND_END; kind++)
		if (deviation->kinds >> kind & 1)
			fprintf(to, " %s", berth_op_kind_string((berth_op_kind)kind));
	for (unsigned form = BERTH_FORM_LINEAR; form < BERTH_FORM_END; form++)
		if (deviation->forms >> form & 1)
			fprintf(to, " %s", berth_op_form_string((berth_op_form)form));
	if (deviation->answer == BERTH_DEVIATION_CODE)
		fprintf(to, " = %s\n", berth_cl_status_string(deviation->code));
	else
		fprintf(to, " = %s\n",
			deviation->answer == BERTH_DEVIATION_CRASH ? "crash" : "accept");
}

static void print_deviations(FILE *to, const berth_deviations *deviations)
{
	if (deviations->count > 0)
		fputs("\n[deviations]\n", to);
	for (uint32_t i = 0; i < deviations->count; i++)
		print_deviation(to, &deviations->items[i]);
	if (deviations->first_count > 0)
		fputs("\n[order]\n", to);
	/* One a line: a line has no room for all. */
	for (uint32_t i = 0; i < deviations->first_count; i++)
		fprintf(to, "first = %s\n", deviations->first[i]->id);
}

static berth_status print_profile(FILE *to, const berth_profile *profile)
{
	static const char *const sections[] = { "profile", "caps", "memory", "behaviour",
						"transfer" };

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		berth_status st = print_keys(to, profile, sections[i]);

		if (st != BERTH_OK)
			return st;
	}
	print_formats(to, &profile->caps);
	print_deviations(to, &profile->deviations);
	return BERTH_OK;
}

/* What is written must be readable: the reader knows what is allowed. */
static berth_status check(const char *text)
{
	berth_profile *profile = malloc(sizeof(*profile));
	berth_status st;

	if (!profile)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to check a profile");
	st = berth__profile_parse(profile, "profile", text);
	free(profile);
	if (st == BERTH_E_FORMAT)
		return berth_error_set(BERTH_E_INVAL, 0, "%s", berth_error_get()->message);
	return st;
}

berth_status berth_profile_to_text(char **out, const berth_profile *profile)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *to = open_memstream(&text, &bytes);
	berth_status st;

	if (!to)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to write a profile");
	st = print_profile(to, profile);
	if (fclose(to) != 0)
		st = berth_error_set(BERTH_E_NOMEM, 0, "no memory to write a profile");
	if (st == BERTH_OK)
		st = check(text);
	if (st != BERTH_OK) {
		free(text);
		return st;
	}
	*out = text;
	return BERTH_OK;
}
