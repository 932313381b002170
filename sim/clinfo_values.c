/* SPDX-License-Identifier: Apache-2.0 */
/* What stands behind the labels: numbers, sizes, flags, lists. */
#include "clinfo_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <CL/cl.h>

#define SIZES_MAX 3

static const struct {
	const char *text;
	unsigned shift;
} units[] = {
	{ "KiB", 10 },	  { "MiB", 20 },   { "GiB", 30 },   { "KByte", 10 }, { "MByte", 20 },
	{ "GByte", 30 },  { "KB", 10 },	   { "MB", 20 },    { "GB", 30 },
};

/* Digits at *text, which moves behind them; decimal, or hexadecimal behind 0x. */
static bool read_digits(uint64_t *out, const char **text)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	*out = strtoull(*text, &end, strncasecmp(*text, "0x", 2) == 0 ? 16 : 10);
	*text = end;
	return errno == 0;
}

static bool apply_unit(uint64_t *number, const char *text)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strncasecmp(text, units[i].text, strlen(units[i].text)) != 0)
			continue;
		return !__builtin_mul_overflow(*number, UINT64_C(1) << units[i].shift, number);
	}
	return true;
}

/* "65536 (64KiB)", "4095 MByte", "1024 bits (128 bytes)", "0x10000" */
static enum berth__clinfo_reading read_number(uint64_t *numbers, uint32_t *count, const char *text)
{
	(void)count;
	if (!read_digits(numbers, &text))
		return CLINFO_NONSENSE;
	/* A fraction, or a number that only begins like one. */
	if (*text == '.' || *text == ',' || *text == '-')
		return CLINFO_NONSENSE;
	text += *text == ' ';
	return apply_unit(numbers, text) ? CLINFO_READ : CLINFO_NONSENSE;
}

/* "16384x16384 pixels", with or without blanks around the x */
static enum berth__clinfo_reading read_sizes(uint64_t *numbers, uint32_t *count, const char *text)
{
	uint32_t found = 0;

	while (found < SIZES_MAX && read_digits(&numbers[found], &text)) {
		found++;
		text += *text == ' ';
		if (*text != 'x' && *text != 'X')
			break;
		text++;
		text += *text == ' ';
	}
	*count = found;
	return found >= 2 ? CLINFO_READ : CLINFO_NONSENSE;
}

static bool is_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	return strncasecmp(text, word, length) == 0 &&
	       (text[length] == '\0' || text[length] == ' ' || text[length] == ',');
}

static enum berth__clinfo_reading read_flag(uint64_t *numbers, uint32_t *count, const char *text)
{
	static const struct {
		const char *word;
		bool value;
	} words[] = {
		{ "Yes", true }, { "No", false },	{ "CL_TRUE", true }, { "CL_FALSE", false },
		{ "1", true },	 { "0", false },	{ "True", true },    { "False", false },
		{ "0x1", true }, { "0x0", false },
	};

	(void)count;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!is_word(text, words[i].word))
			continue;
		*numbers = words[i].value;
		return CLINFO_READ;
	}
	return CLINFO_NONSENSE;
}

/* The bits as a number, or as names with '|' or blanks between them. */
static enum berth__clinfo_reading read_svm(uint64_t *numbers, uint32_t *count, const char *text)
{
	static const struct {
		const char *word;
		uint64_t bit;
	} words[] = {
		{ "COARSE_GRAIN_BUFFER", CL_DEVICE_SVM_COARSE_GRAIN_BUFFER },
		{ "FINE_GRAIN_BUFFER", CL_DEVICE_SVM_FINE_GRAIN_BUFFER },
		{ "FINE_GRAIN_SYSTEM", CL_DEVICE_SVM_FINE_GRAIN_SYSTEM },
		{ "SVM_ATOMICS", CL_DEVICE_SVM_ATOMICS },
	};
	uint64_t bits = 0;

	if (read_number(&bits, count, text) != CLINFO_READ)
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			bits |= strstr(text, words[i].word) ? words[i].bit : 0;
	*numbers = bits;
	/* clinfo --raw prints nothing where no bit is set. */
	return bits != 0 || *text == '0' || !*text ? CLINFO_READ : CLINFO_NONSENSE;
}

static enum berth__clinfo_reading read_list(uint64_t *numbers, uint32_t *count, const char *text)
{
	(void)count;
	*numbers = strstr(text, "cl_khr_image2d_from_buffer") != NULL;
	return CLINFO_READ;
}

static enum berth__clinfo_reading read_text(uint64_t *numbers, uint32_t *count, const char *text)
{
	(void)numbers;
	(void)count;
	return *text ? CLINFO_READ : CLINFO_ABSENT;
}

enum berth__clinfo_reading berth__clinfo_read_value(uint64_t *numbers, uint32_t *count,
						    enum berth__clinfo_kind kind, const char *text)
{
	static enum berth__clinfo_reading (*const readers[])(uint64_t *, uint32_t *,
							     const char *) = {
		[CLINFO_TEXT] = read_text,     [CLINFO_NUMBER] = read_number,
		[CLINFO_FLAG] = read_flag,     [CLINFO_SVM_BITS] = read_svm,
		[CLINFO_SIZES] = read_sizes,   [CLINFO_LIST] = read_list,
	};
	static const char *const none[] = { "(n/a)", "n/a", "None", "(none)" };

	*count = 1;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (strcasecmp(text, none[i]) == 0)
			return CLINFO_ABSENT;
	return readers[kind](numbers, count, text);
}
