/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * How long transfers take, as straight lines: a fixed time and a bandwidth.
 *
 * A device's model has one line for each way of moving bytes, as far as they are
 * known. What is not known is not guessed: there is no estimate then.
 */
#ifndef BERTH_TRANSFER_H
#define BERTH_TRANSFER_H

#include <berth/op.h>

BERTH_BEGIN_DECLS

/** How long a transfer takes: fixed_ns + bytes / bytes_per_second. */
typedef struct berth_transfer_model {
	uint64_t fixed_ns;
	uint64_t bytes_per_second; /**< 0: the bytes take no time */
} berth_transfer_model;

/**
 * X(name, value, string): the ways of moving bytes. The string is the name in
 * profiles. Pinned is memory of the host that the device reaches by itself: a
 * mapping of an object made with CL_MEM_ALLOC_HOST_PTR.
 */
#define BERTH_TRANSFER_KIND_MAP(X)                                             \
	X(BERTH_TRANSFER_WRITE_PAGEABLE, 0, "write_pageable")                  \
	X(BERTH_TRANSFER_WRITE_PINNED, 1, "write_pinned")                      \
	X(BERTH_TRANSFER_READ_PAGEABLE, 2, "read_pageable")                    \
	X(BERTH_TRANSFER_READ_PINNED, 3, "read_pinned")                        \
	X(BERTH_TRANSFER_MAP, 4, "map")                                        \
	X(BERTH_TRANSFER_UNMAP, 5, "unmap")                                    \
	X(BERTH_TRANSFER_COPY, 6, "copy")                                      \
	X(BERTH_TRANSFER_FILL, 7, "fill")                                      \
	X(BERTH_TRANSFER_LAUNCH, 8, "launch")

typedef enum berth_transfer_kind {
#define X(name, value, string) name = value,
	BERTH_TRANSFER_KIND_MAP(X)
#undef X
} berth_transfer_kind;

/** One more than the largest berth_transfer_kind. */
#define BERTH_TRANSFER_KIND_END 9

/** The transfer model of a device. Zeroed: nothing is known. */
typedef struct berth_transfer_times {
	/** Indexed by berth_transfer_kind; a line with both numbers 0 is not known. */
	berth_transfer_model lines[BERTH_TRANSFER_KIND_END];
} berth_transfer_times;

/** @return the name of a kind as in profiles; a static string, "unknown" otherwise. Thread safe. */
BERTH_API const char *berth_transfer_kind_string(berth_transfer_kind kind);

/** @return whether any line is known. Thread safe. */
BERTH_API bool berth_transfer_times_known(const berth_transfer_times *times);

/**
 * By which line an op moves bytes. A creation with CL_MEM_COPY_HOST_PTR is a write.
 * @param pinned  whether the host memory of a write or read is pinned
 * @return a berth_transfer_kind, or BERTH_TRANSFER_KIND_END for ops that move nothing
 * Thread safe.
 */
BERTH_API int berth_transfer_kind_of(const berth_op *op, bool pinned);

/**
 * The time that moving so many bytes takes; stops at UINT64_MAX.
 * @retval BERTH_OK
 * @retval BERTH_E_NOT_FOUND  the line is not known
 * Thread safe.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_transfer_estimate_ns(
	uint64_t *out, const berth_transfer_times *times, berth_transfer_kind kind, uint64_t bytes);

BERTH_END_DECLS

#endif
