/* SPDX-License-Identifier: Apache-2.0 */
#include "print.h"

#include <stdlib.h>
#include <string.h>

/* C0 but for '\n' at either end, DEL, and C1, which is 0xC2 0x80..0x9F in UTF-8. */
static void disarm(char *text)
{
	for (unsigned char *at = (unsigned char *)text; *at; at++) {
		bool end = at == (unsigned char *)text || !at[1];

		if ((*at < 0x20 && !(*at == '\n' && end)) || *at == 0x7f)
			*at = '?';
		else if (*at == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0)
			at[0] = at[1] = '?';
	}
}

void print_text_v(FILE *file, const char *format, va_list args)
{
	char *text = NULL;

	if (vasprintf(&text, format, args) < 0) {
		fputs("(no memory for this line)\n", file);
		return;
	}
	disarm(text);
	fputs(text, file);
	free(text);
}

void print_text(FILE *file, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_text_v(file, format, args);
	va_end(args);
}

/* In single quotes only a single quote needs care: '\'' */
static void quote(char *out, const char *word)
{
	*out++ = '\'';
	for (; *word; word++) {
		if (*word == '\'')
			out = stpcpy(out, "'\\''");
		else
			*out++ = *word;
	}
	strcpy(out, "'");
}

void print_shell_word(FILE *file, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "%+,-./:=@_";
	char *quoted;

	if (*word && word[strspn(word, plain)] == '\0') {
		fputs(word, file);
		return;
	}
	/* A quote becomes four bytes. */
	quoted = malloc(strlen(word) * 4 + sizeof("''"));
	if (quoted)
		quote(quoted, word);
	print_text(file, "%s", quoted ? quoted : "(no memory for this name)");
	free(quoted);
}
