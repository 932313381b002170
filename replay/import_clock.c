/* SPDX-License-Identifier: Apache-2.0 */
#include "import_clock.h"

#include <ctype.h>

#define NS_PER_S UINT64_C(1000000000)
#define DAY_NS (86400 * NS_PER_S)
/* Seconds whose nanoseconds fit, with room for days. */
#define SECONDS_MAX (UINT64_MAX / NS_PER_S / 2)

/* Digits, at least one; false: none, or too many. */
static bool take_number(uint64_t *out, const char **text, uint64_t max)
{
	uint64_t number = 0;

	if (!isdigit((unsigned char)**text))
		return false;
	for (; isdigit((unsigned char)**text); (*text)++) {
		number = number * 10 + (uint64_t)(**text - '0');
		if (number > max)
			return false;
	}
	*out = number;
	return true;
}

/* What is behind the seconds; digits past nanoseconds are dropped. */
static bool take_fraction(uint64_t *ns, const char *text)
{
	uint64_t digit_ns = NS_PER_S / 10;

	*ns = 0;
	if (!*text)
		return true;
	if (*text != '.' && *text != ':')
		return false;
	if (!*++text)
		return false;
	for (; isdigit((unsigned char)*text); text++, digit_ns /= 10)
		*ns += (uint64_t)(*text - '0') * digit_ns;
	return !*text;
}

static bool parse(uint64_t *out, bool *dated, const char *text)
{
	uint64_t first, minutes, seconds, fraction;

	if (!take_number(&first, &text, SECONDS_MAX))
		return false;
	*dated = *text != ':';
	if (*dated) {
		if (!take_fraction(&fraction, text))
			return false;
		*out = first * NS_PER_S + fraction;
		return true;
	}
	text++;
	if (first > 23 || !take_number(&minutes, &text, 59) || *text != ':')
		return false;
	text++;
	/* 60: a leap second. */
	if (!take_number(&seconds, &text, 60) || !take_fraction(&fraction, text))
		return false;
	*out = (first * 3600 + minutes * 60 + seconds) * NS_PER_S + fraction;
	return true;
}

bool berth__import_clock_take(uint64_t *t_ns, struct berth__import_clock *clock, const char *text)
{
	uint64_t now_ns, since_ns;
	bool dated;

	if (!parse(&now_ns, &dated, text) || (clock->begun && dated != clock->dated))
		return false;
	if (!clock->begun) {
		*clock = (struct berth__import_clock){ true, dated, now_ns, 0, 0, now_ns };
	} else if (!dated && now_ns + DAY_NS / 2 < clock->last_day_ns) {
		clock->days_ns += DAY_NS;
		clock->last_day_ns = now_ns;
	} else if (!dated && now_ns > clock->last_day_ns + DAY_NS / 2 && clock->days_ns > 0) {
		/* Of before midnight, and late. */
		now_ns = 0;
	} else if (now_ns > clock->last_day_ns) {
		clock->last_day_ns = now_ns;
	}
	now_ns += clock->days_ns;
	since_ns = now_ns > clock->first_ns ? now_ns - clock->first_ns : 0;
	if (since_ns > clock->last_ns)
		clock->last_ns = since_ns;
	*t_ns = clock->last_ns;
	return true;
}
