/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks as one number. */
#ifndef BERTH_LIB_CLOCK_H
#define BERTH_LIB_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds of a clock, as CLOCK_MONOTONIC. */
static inline uint64_t berth__clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

#endif
