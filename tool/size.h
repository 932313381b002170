/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes as users type and read them. */
#ifndef BERTH_TOOL_SIZE_H
#define BERTH_TOOL_SIZE_H

#include <berth/status.h>

/*
 * Parse "4096", "64K", "512M", "2G" (powers of 1024); > 0.
 * BERTH_OK or BERTH_E_INVAL; the detail says what is allowed.
 */
berth_status size_parse(uint64_t *out, const char *text);

/* A whole number in decimal, from @least to @most. BERTH_E_INVAL: another text. */
berth_status number_parse(uint64_t *out, const char *text, uint64_t least, uint64_t most);

/* Room for size_text(). */
#define SIZE_TEXT_BYTES 48

/* Write "1536 bytes (1.5 KiB)" into @text and return it. */
const char *size_text(char text[SIZE_TEXT_BYTES], uint64_t bytes);

/* Write "1.5 KiB" into @text and return it. */
const char *size_short_text(char text[SIZE_TEXT_BYTES], uint64_t bytes);

#endif
