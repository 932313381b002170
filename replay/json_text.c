/* SPDX-License-Identifier: Apache-2.0 */
#include "json_text.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the UTF-8 sequence that begins here; 0: none does. */
static size_t sequence_bytes(const unsigned char *text)
{
	/* Second bytes that are too low would be overlong, too high surrogates or past the end. */
	static const struct {
		unsigned char first, last, low, high;
		size_t bytes;
	} ranges[] = {
		{ 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
		{ 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 },
		{ 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
		{ 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		if (text[0] < ranges[i].first || text[0] > ranges[i].last)
			continue;
		if (text[1] < ranges[i].low || text[1] > ranges[i].high)
			return 0;
		for (size_t next = 2; next < ranges[i].bytes; next++)
			if ((text[next] & 0xc0) != 0x80)
				return 0;
		return ranges[i].bytes;
	}
	return 0;
}

void berth__json_text(FILE *file, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	if (!text) {
		fputs("null", file);
		return;
	}
	putc('"', file);
	while (*at) {
		size_t bytes = *at < 0x80 ? 1 : sequence_bytes(at);

		if (bytes == 0)
			fputs("\\ufffd", file);
		else if (*at == '"' || *at == '\\')
			fprintf(file, "\\%c", *at);
		else if (*at < 0x20 || *at == 0x7f)
			fprintf(file, "\\u%04x", *at);
		else
			fwrite(at, 1, bytes, file);
		at += bytes ? bytes : 1;
	}
	putc('"', file);
}
