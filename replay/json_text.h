/* SPDX-License-Identifier: Apache-2.0 */
/* Strings of JSON, written as they come. */
#ifndef BERTH_REPLAY_JSON_TEXT_H
#define BERTH_REPLAY_JSON_TEXT_H

#include <stdio.h>

/*
 * Write a text with its quotes. Texts of a trace are not trusted: what is not UTF-8 becomes
 * U+FFFD, since a reader would refuse the whole file for it. NULL is written as null.
 */
void berth__json_text(FILE *file, const char *text);

#endif
