/* SPDX-License-Identifier: Apache-2.0 */
#include "shell_quote.h"

#include <stdlib.h>
#include <string.h>

static bool append(struct berth__shell_line *line, const char *text, size_t bytes)
{
	if (line->capacity - line->bytes <= bytes) {
		size_t capacity = (line->bytes + bytes + 1) * 2;
		char *grown = realloc(line->text, capacity);

		if (!grown)
			return false;
		line->text = grown;
		line->capacity = capacity;
	}
	memcpy(line->text + line->bytes, text, bytes);
	line->bytes += bytes;
	line->text[line->bytes] = '\0';
	return true;
}

static bool is_plain(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "%+,-./:=@_";

	return *word && word[strspn(word, plain)] == '\0';
}

/* In single quotes only a single quote needs care: '\'' */
static bool append_quoted(struct berth__shell_line *line, const char *word)
{
	bool done = append(line, "'", 1);

	while (done && *word) {
		size_t bytes = strcspn(word, "'");

		done = append(line, word, bytes);
		word += bytes;
		if (done && *word) {
			done = append(line, "'\\''", 4);
			word++;
		}
	}
	return done && append(line, "'", 1);
}

bool berth__shell_line_add(struct berth__shell_line *line, const char *word)
{
	if (line->bytes && !append(line, " ", 1))
		return false;
	return is_plain(word) ? append(line, word, strlen(word)) : append_quoted(line, word);
}
