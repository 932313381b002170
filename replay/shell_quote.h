/* SPDX-License-Identifier: Apache-2.0 */
/* A command as one would type it into a shell. */
#ifndef BERTH_REPLAY_SHELL_QUOTE_H
#define BERTH_REPLAY_SHELL_QUOTE_H

#include <stdbool.h>
#include <stddef.h>

/* Start zeroed; free(text) in the end. */
struct berth__shell_line {
	char *text; /* ends with a NUL once a word was added */
	size_t bytes;
	size_t capacity;
};

/* Add a word, quoted where a shell would not take it as it is. False: out of memory. */
bool berth__shell_line_add(struct berth__shell_line *line, const char *word);

#endif
