/* SPDX-License-Identifier: Apache-2.0 */
#include "size.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char units[] = "KMG";

/* Bits to shift by for what stands behind the number; -1: not a unit. */
static int unit_shift(const char *unit)
{
	const char *found;

	if (!*unit)
		return 0;
	found = strchr(units, toupper((unsigned char)*unit));
	return found && !unit[1] ? 10 * (int)(found - units + 1) : -1;
}

berth_status size_parse(uint64_t *out, const char *text)
{
	char *end;
	uint64_t number, bytes;
	int shift;

	errno = 0;
	number = strtoull(text, &end, 10);
	shift = isdigit((unsigned char)*text) ? unit_shift(end) : -1;
	if (shift < 0)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "'%s' is not a size; a size is as 4096, 64K, 512M or 2G",
				       text);
	if (errno == ERANGE || __builtin_mul_overflow(number, UINT64_C(1) << shift, &bytes))
		return berth_error_set(BERTH_E_INVAL, 0, "the size '%s' does not fit 64 bits",
				       text);
	if (bytes == 0)
		return berth_error_set(BERTH_E_INVAL, 0, "the size '%s' is zero", text);
	*out = bytes;
	return BERTH_OK;
}

berth_status number_parse(uint64_t *out, const char *text, uint64_t least, uint64_t most)
{
	char *end;
	uint64_t number;

	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno || *end || !isdigit((unsigned char)*text) || number < least || number > most)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "'%s' is not a whole number from %" PRIu64 " to %" PRIu64,
				       text, least, most);
	*out = number;
	return BERTH_OK;
}

/* @bytes in the largest unit of which there is one; NULL: in bytes. */
static const char *scale(double *scaled, uint64_t bytes)
{
	static const char *const names[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	const char *name = NULL;

	*scaled = (double)bytes;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && *scaled >= 1024; i++) {
		*scaled /= 1024;
		name = names[i];
	}
	return name;
}

const char *size_text(char text[SIZE_TEXT_BYTES], uint64_t bytes)
{
	double scaled;
	const char *unit = scale(&scaled, bytes);

	if (unit)
		snprintf(text, SIZE_TEXT_BYTES, "%" PRIu64 " bytes (%.1f %s)", bytes, scaled, unit);
	else
		snprintf(text, SIZE_TEXT_BYTES, "%" PRIu64 " bytes", bytes);
	return text;
}

const char *size_short_text(char text[SIZE_TEXT_BYTES], uint64_t bytes)
{
	double scaled;
	const char *unit = scale(&scaled, bytes);

	if (unit)
		snprintf(text, SIZE_TEXT_BYTES, "%.1f %s", scaled, unit);
	else
		snprintf(text, SIZE_TEXT_BYTES, "%" PRIu64 " bytes", bytes);
	return text;
}
