/* SPDX-License-Identifier: Apache-2.0 */
/* Times of day in a log, as one time that never goes back. */
#ifndef BERTH_REPLAY_IMPORT_CLOCK_H
#define BERTH_REPLAY_IMPORT_CLOCK_H

#include <berth/status.h>

/* Zeroed before the first time. */
struct berth__import_clock {
	bool begun;
	bool dated;	    /* the first had a date: seconds since 1970 */
	uint64_t first_ns;  /* of the first time */
	uint64_t days_ns;   /* midnights passed since */
	uint64_t last_ns;   /* since the first */
	uint64_t last_day_ns; /* the last time of day */
};

/*
 * The time since the first: of "HH:MM:SS" or of seconds since 1970, each with a fraction behind a
 * point (or a colon, as older logs have it) or without. A time of day that goes back by more than
 * half a day is one of the next day; what goes back by less is another thread's that came late,
 * and stands for the time before it. false: not a time.
 */
bool berth__import_clock_take(uint64_t *t_ns, struct berth__import_clock *clock, const char *text);

#endif
