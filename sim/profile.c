/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles: ini text, read with libinih, into a berth_profile. */
#include "profile_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>
#include <ini.h>

/* What stood behind one key. */
struct found {
	int line; /* 0: the key is not in the file */
	char text[BERTH__PROFILE_LINE_BYTES];
};

struct parser {
	const char *file;
	const char *rest; /* of the text, from the next line on */
	int line;	  /* the line that libinih works on, from 1 */
	berth_status status;
	berth_caps formats; /* format_count and formats, as the file gives them */
	int formats_line;   /* of the first format; 0: none */
	int unknown_line;   /* of "unknown = accept"; 0: none */
	berth_deviations deviations;
	struct found found[BERTH__PROFILE_KEYS_MAX];
};

static bool section_is_known(const char *section, size_t length)
{
	static const char *const sections[] = { "profile",	 "caps",  "formats",
						"memory",	 "deviations", "order",
						"behaviour", "transfer" };

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		if (strlen(sections[i]) == length && memcmp(sections[i], section, length) == 0)
			return true;
	return false;
}

static bool line_is_acceptable(struct parser *parser, const char *line, size_t length)
{
	size_t section_length;

	/* libinih wants room for \r, \n and NUL, and would cut what is longer. */
	if (length > BERTH__PROFILE_LINE_BYTES - 3) {
		parser->status = berth_error_set(
			BERTH_E_FORMAT, 0, "%s:%d: the line has %zu bytes: allowed are up to %d",
			parser->file, parser->line, length, BERTH__PROFILE_LINE_BYTES - 3);
		return false;
	}
	if (*line != '[')
		return true;
	/* libinih reports keys only, so an unknown section without any would pass. */
	section_length = strcspn(line + 1, "]\n");
	if (section_is_known(line + 1, section_length))
		return true;
	parser->status = berth_error_set(BERTH_E_FORMAT, 0,
					 "%s:%d: section [%.*s] is not known: allowed are profile, "
					 "caps, formats, memory, deviations, order, behaviour and "
					 "transfer",
					 parser->file, parser->line, (int)section_length, line + 1);
	return false;
}

/*
 * libinih's reader, as fgets(). One call is one line, which is how the handler
 * knows the line it is on: INI_HANDLER_LINENO is an option of libinih's build
 * that distributions leave off. White space before a line is dropped, because
 * libinih would take an indented line for the continuation of the one before.
 */
static char *read_line(char *line, int room, void *stream)
{
	struct parser *parser = stream;
	const char *text = parser->rest + strspn(parser->rest, " \t");
	size_t length = strcspn(text, "\n");

	(void)room;
	if (parser->status != BERTH_OK || !*parser->rest)
		return NULL;
	parser->line++;
	if (!line_is_acceptable(parser, text, length))
		return NULL;
	memcpy(line, text, length);
	line[length] = '\0';
	parser->rest = text + length + (text[length] == '\n');
	return line;
}

/* "unknown = accept": nobody knows the formats, which is no reason to refuse one. */
static berth_status add_unknown_formats(struct parser *parser, const char *text)
{
	if (strcmp(text, "accept") != 0)
		return berth_error_set(BERTH_E_FORMAT, 0, "%s:%d: unknown = '%s': allowed is accept",
				       parser->file, parser->line, text);
	if (parser->unknown_line == 0)
		parser->unknown_line = parser->line;
	return BERTH_OK;
}

static berth_status add_format(struct parser *parser, const char *name, const char *text)
{
	struct berth__profile_place place = { parser->file, parser->line, name };
	berth_status st;

	if (strcmp(name, "unknown") == 0) {
		st = add_unknown_formats(parser, text);
	} else {
		if (parser->formats_line == 0)
			parser->formats_line = parser->line;
		st = berth__profile_add_format(&parser->formats, text, &place);
	}
	if (st == BERTH_OK && parser->formats_line != 0 && parser->unknown_line != 0)
		st = berth_error_set(BERTH_E_FORMAT, 0,
				     "%s:%d: formats that are unknown (line %d) cannot be listed "
				     "(line %d)",
				     parser->file, parser->line, parser->unknown_line,
				     parser->formats_line);
	return st;
}

static berth_status note_value(struct parser *parser, const char *section, const char *name,
			       const char *text)
{
	const struct berth__profile_key *key;
	struct found *found;

	for (size_t i = 0; (key = berth__profile_key_at(i)); i++) {
		if (strcmp(key->section, section) != 0 || strcmp(key->key, name) != 0)
			continue;
		found = &parser->found[i];
		if (found->line != 0)
			return berth_error_set(BERTH_E_FORMAT, 0,
					       "%s:%d: '%s' stands twice, first in line %d",
					       parser->file, parser->line, name, found->line);
		found->line = parser->line;
		snprintf(found->text, sizeof(found->text), "%s", text);
		return BERTH_OK;
	}
	return berth_error_set(BERTH_E_FORMAT, 0, "%s:%d: key '%s' is not known in section [%s]",
			       parser->file, parser->line, name, section);
}

static berth_status add_deviation(struct parser *parser, const char *name, const char *text)
{
	struct berth__profile_place place = { parser->file, parser->line, name };

	return berth__profile_add_deviation(&parser->deviations, text, &place);
}

static berth_status add_order(struct parser *parser, const char *name, const char *text)
{
	struct berth__profile_place place = { parser->file, parser->line, name };

	return berth__profile_add_order(&parser->deviations, text, &place);
}

/* The sections whose keys are no fixed words. */
static const struct {
	const char *section;
	berth_status (*add)(struct parser *parser, const char *name, const char *text);
} lists[] = {
	{ "formats", add_format },
	{ "deviations", add_deviation },
	{ "order", add_order },
};

static berth_status take_value(struct parser *parser, const char *section, const char *name,
			       const char *text)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (strcmp(lists[i].section, section) == 0)
			return lists[i].add(parser, name, text);
	return note_value(parser, section, name, text);
}

static int on_value(void *userdata, const char *section, const char *name, const char *text)
{
	struct parser *parser = userdata;

	if (parser->status == BERTH_OK)
		parser->status = take_value(parser, section, name, text);
	return parser->status == BERTH_OK;
}

static berth_status run_parser(struct parser *parser)
{
	int line = ini_parse_stream(read_line, parser, on_value, parser);

	if (parser->status != BERTH_OK)
		return parser->status;
	if (line > 0)
		return berth_error_set(BERTH_E_FORMAT, 0,
				       "%s:%d: not a line of a profile: allowed are [section], "
				       "key = value, and comments that begin with #",
				       parser->file, line);
	if (line < 0)
		return berth_error_set(BERTH_E_NOMEM, 0, "%s: no memory to read it", parser->file);
	return BERTH_OK;
}

/* What a profile says when it says nothing: the specification's minimum. */
static void set_defaults(berth_profile *profile, const struct parser *parser)
{
	berth_caps_init_minimum(&profile->caps, profile->caps.cl_version);
	memset(profile->caps.name, 0, sizeof(profile->caps.name));
	profile->memory.granularity_bytes = 1;
	profile->memory.image_row_align_bytes = 1;
	profile->memory.out_of_memory_code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
	if (parser->formats_line == 0 && parser->unknown_line == 0)
		return;
	profile->caps.format_count = parser->formats.format_count;
	memcpy(profile->caps.formats, parser->formats.formats, sizeof(profile->caps.formats));
}

static berth_status set_values(berth_profile *profile, const struct parser *parser)
{
	const struct berth__profile_key *key;
	berth_status st;

	for (size_t i = 0; (key = berth__profile_key_at(i)); i++) {
		const struct found *found = &parser->found[i];
		struct berth__profile_place place = { parser->file, found->line, key->key };
		/* Where it would be added: behind the last line, or in an empty file's first. */
		int end = parser->line > 0 ? parser->line : 1;

		if (found->line == 0) {
			if (key->required)
				return berth_error_set(BERTH_E_FORMAT, 0,
						       "%s:%d: '%s' is missing in section [%s]",
						       parser->file, end, key->key, key->section);
			continue;
		}
		st = berth__profile_set(profile, key, found->text, &place);
		if (st != BERTH_OK)
			return st;
		/* The table begins with cl_version, from which the defaults follow. */
		if (i == 0)
			set_defaults(profile, parser);
	}
	return BERTH_OK;
}

static void clear_number(berth_profile *profile, const struct berth__profile_key *key)
{
	memset((char *)profile + key->offset, 0,
	       key->type == BERTH__PROFILE_NUMBER32 ? sizeof(uint32_t) : sizeof(uint64_t));
}

/* What else follows from the values that the file does give. */
static void complete(berth_profile *profile, const struct parser *parser)
{
	const struct berth__profile_key *key;
	berth_caps *caps = &profile->caps;

	profile->deviations = parser->deviations;
	if (!*caps->name)
		memcpy(caps->name, profile->name, sizeof(profile->name));
	if (!caps->images) {
		caps->image2d_from_buffer = false;
		caps->format_count = 0;
	}
	for (size_t i = 0; (key = berth__profile_key_at(i)); i++) {
		if (parser->found[i].line == 0 &&
		    ((key->need == BERTH__PROFILE_NEEDS_IMAGES && !caps->images) ||
		     (key->need == BERTH__PROFILE_NEEDS_FROM_BUFFER && !caps->image2d_from_buffer)))
			clear_number(profile, key);
	}
}

berth_status berth__profile_parse(berth_profile *out, const char *file, const char *text)
{
	struct parser *parser = calloc(1, sizeof(*parser));
	berth_profile *profile = calloc(1, sizeof(*profile));
	berth_status st;

	if (!parser || !profile) {
		st = berth_error_set(BERTH_E_NOMEM, 0, "%s: no memory to read it", file);
		goto out;
	}
	parser->file = file;
	parser->rest = text;
	st = run_parser(parser);
	if (st == BERTH_OK)
		st = set_values(profile, parser);
	if (st != BERTH_OK)
		goto out;
	complete(profile, parser);
	if (berth_caps_validate(&profile->caps) != BERTH_OK) {
		st = berth_error_set(BERTH_E_FORMAT, 0, "%s: %s", file, berth_error_get()->message);
		goto out;
	}
	*out = *profile;
out:
	free(profile);
	free(parser);
	return st;
}

void berth_profile_init_reference(berth_profile *out, const berth_caps *caps)
{
	memset(out, 0, sizeof(*out));
	memcpy(out->name, "reference", sizeof("reference"));
	snprintf(out->source, sizeof(out->source), "the specification at the limits of %s",
		 caps->name);
	out->caps = *caps;
	out->memory.capacity_bytes = UINT64_MAX;
	out->memory.granularity_bytes = 1;
	out->memory.image_row_align_bytes = 1;
	out->memory.out_of_memory_code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
}
