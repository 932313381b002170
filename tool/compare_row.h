/* SPDX-License-Identifier: Apache-2.0 */
/* One row of a comparison: a trace on a device with a way to allocate, and what came of it. */
#ifndef BERTH_TOOL_COMPARE_ROW_H
#define BERTH_TOOL_COMPARE_ROW_H

#include <berth/status.h>

/* X(name): numbers of a row, by their keys in JSON and CSV. */
#define COMPARE_NUMBERS(X)                                                     \
	X(ops)                                                                 \
	X(executed)                                                            \
	X(divergences)                                                         \
	X(peak_bytes)                                                          \
	X(capacity_bytes)                                                      \
	X(device_allocations)                                                  \
	X(unused_percent)                                                      \
	X(bytes_moved)                                                         \
	X(estimated_ns)                                                        \
	X(elapsed_ns)

/* X(name): texts of a row. */
#define COMPARE_TEXTS(X)                                                       \
	X(trace)                                                               \
	X(device)                                                              \
	X(policy)                                                              \
	X(outcome)                                                             \
	X(verdict)                                                             \
	X(rule)                                                                \
	X(why)

/* The outcomes. */
#define COMPARE_FITS "fits"
#define COMPARE_DOES_NOT_FIT "does not fit"
#define COMPARE_DIVERGES "diverges"
#define COMPARE_FAILED "failed"

struct compare_row {
#define X(name) char *name; /* owned; never NULL once it is filled in */
	COMPARE_TEXTS(X)
#undef X
#define X(name) uint64_t name;
	COMPARE_NUMBERS(X)
#undef X
	bool has_estimate;
};

/* Set a text of a row, freeing the old one. False: no memory. */
bool compare_row_set(char **text, const char *value);

/* As one line of JSON: free(). NULL: no memory. */
char *compare_row_to_json(const struct compare_row *row);

/* BERTH_OK, BERTH_E_FORMAT: no such row; BERTH_E_NOMEM. Free it in any case. */
berth_status compare_row_from_json(struct compare_row *row, const char *text);

void compare_row_free(struct compare_row *row);

#endif
