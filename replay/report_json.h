/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of JSON that may stand inside an HTML script element, from untrusted text. */
#ifndef BERTH_REPLAY_REPORT_JSON_H
#define BERTH_REPLAY_REPORT_JSON_H

#include <stdint.h>
#include <stdio.h>

/*
 * A string, or null for NULL. What could end a script element or begin a comment in it is
 * escaped, controls are, and each byte that is not part of UTF-8 becomes U+FFFD. Longer texts
 * are cut behind @max_bytes, at a character, with an ellipsis.
 */
void berth__report_json_text(FILE *file, const char *text, size_t max_bytes);

/* As berth__report_json_text(), as content of an HTML element. */
void berth__report_html_text(FILE *file, const char *text);

/* A number; a string of its digits where JavaScript's numbers would round it. */
void berth__report_json_number(FILE *file, uint64_t number);

/* "KEY": for what follows, with a comma before it but for the first of an object. */
void berth__report_json_key(FILE *file, const char *key, int first);

#endif
