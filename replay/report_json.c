/* SPDX-License-Identifier: Apache-2.0 */
#include "report_json.h"

#include <inttypes.h>
#include <string.h>

#define REPLACEMENT 0xfffdu
#define ELLIPSIS "\xe2\x80\xa6"
#define NUMBER_MAX (UINT64_C(1) << 53)

/*
 * The character that text begins with, and how many bytes it has: by Unicode's table 3-7, so
 * neither overlong forms nor surrogates. Of what is none, one byte.
 */
static uint32_t next_character(const unsigned char *text, size_t *bytes)
{
	static const struct {
		unsigned char first, last, low, high, bytes;
	} forms[] = {
		{ 0x00, 0x7f, 0, 0, 1 },	 { 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
		{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};
	uint32_t character;
	size_t i = 0;

	*bytes = 1;
	while (i < sizeof(forms) / sizeof(forms[0]) &&
	       (text[0] < forms[i].first || text[0] > forms[i].last))
		i++;
	if (i == sizeof(forms) / sizeof(forms[0]))
		return REPLACEMENT;
	if (forms[i].bytes == 1)
		return text[0];
	if (text[1] < forms[i].low || text[1] > forms[i].high)
		return REPLACEMENT;
	character = text[0] & (0x7fu >> forms[i].bytes);
	for (size_t at = 1; at < forms[i].bytes; at++) {
		/* The text's end is none either, so this does not read beyond it. */
		if ((text[at] & 0xc0) != 0x80)
			return REPLACEMENT;
		character = character << 6 | (text[at] & 0x3fu);
	}
	*bytes = forms[i].bytes;
	return character;
}

/* Controls, also those that turn the direction of text or end a line of a script. */
static int is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

void berth__report_json_text(FILE *file, const char *text, size_t max_bytes)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t bytes;

	if (!text) {
		fputs("null", file);
		return;
	}
	fputc('"', file);
	for (; *at; at += bytes) {
		uint32_t c = next_character(at, &bytes);

		if ((size_t)(at - (const unsigned char *)text) + bytes > max_bytes) {
			fputs(ELLIPSIS, file);
			break;
		}
		if (is_control(c) || c == '<' || c == '>' || c == '&' || c == '"' || c == '\\' ||
		    c == REPLACEMENT)
			fprintf(file, "\\u%04" PRIx32, c);
		else
			fwrite(at, 1, bytes, file);
	}
	fputc('"', file);
}

void berth__report_html_text(FILE *file, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t bytes;

	for (; *at; at += bytes) {
		uint32_t c = next_character(at, &bytes);

		if (is_control(c) || c == REPLACEMENT)
			fputs("&#xfffd;", file);
		else if (c == '<' || c == '>' || c == '&' || c == '"' || c == '\'')
			fprintf(file, "&#%" PRIu32 ";", c);
		else
			fwrite(at, 1, bytes, file);
	}
}

void berth__report_json_number(FILE *file, uint64_t number)
{
	const char *quote = number > NUMBER_MAX ? "\"" : "";

	fprintf(file, "%s%" PRIu64 "%s", quote, number, quote);
}

void berth__report_json_key(FILE *file, const char *key, int first)
{
	fprintf(file, "%s\"%s\":", first ? "" : ",\n", key);
}
