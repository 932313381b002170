/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line for a person. Traces, profiles and drivers are not trusted: what would
 * command the terminal or feign other lines (control characters, but for an end
 * of line before and after the text) comes out as '?'.
 */
#ifndef BERTH_TOOL_PRINT_H
#define BERTH_TOOL_PRINT_H

#include <stdarg.h>
#include <stdio.h>

#include <berth/api.h>

void print_text(FILE *file, const char *format, ...) BERTH_PRINTF(2, 3);
/* A word as a shell takes it: in quotes when it has blanks or what a shell reads. */
void print_shell_word(FILE *file, const char *word);
void print_text_v(FILE *file, const char *format, va_list args);

#endif
