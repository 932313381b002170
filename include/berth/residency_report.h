/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The residency report: which transfers of a recorded program moved content that
 * was on the other side already, and what keeping it there would have saved.
 *
 * A write is *needless* when the object held the very bytes (by their digest, in
 * the same range) and nothing on the device wrote there since. A read is needless
 * when the host had the bytes: it wrote them or read them before, and nothing on
 * the device wrote there since. What writes on the device: writes, fills, copies,
 * maps for writing and their unmaps, migrates that leave the content undefined,
 * and kernels.
 *
 * Of a kernel's argument it is often not known whether it is written. An object
 * made with CL_MEM_READ_ONLY is not; any other counts as written, so that nothing
 * behind it is needless. When the content turns out to be the same all the same
 * (by digest), the transfer is *perhaps* needless: counted apart, in no sum.
 *
 * An object *ping-pongs* when the same content turns round on it twice or more:
 * up then down, or down then up.
 *
 * What it does not do: it compares no object with another, takes maps for no
 * transfers, judges a write of a part of a known range, or over several of them,
 * as new content, and takes the order of the calls for the order of their
 * effects. doc/residency-report.md has the method.
 *
 * Threads: calls on one trace are serialised by the caller.
 */
#ifndef BERTH_RESIDENCY_REPORT_H
#define BERTH_RESIDENCY_REPORT_H

#include <berth/trace.h>

BERTH_BEGIN_DECLS

/** Transfers, added up. Sums stop at 2^63 - 1. */
typedef struct berth_residency_sum {
	uint64_t count;
	uint64_t bytes;
	/** As recorded for these very calls; of one that does not block, its enqueueing only. */
	uint64_t duration_ns;
} berth_residency_sum;

/** Classes of transfers. Values index berth_residency_object.sums. */
typedef enum berth_residency_class {
	BERTH_RESIDENCY_WRITES = 0,	    /**< needless writes */
	BERTH_RESIDENCY_READS = 1,	    /**< needless reads */
	BERTH_RESIDENCY_PERHAPS_WRITES = 2, /**< needless if kernels only read */
	BERTH_RESIDENCY_PERHAPS_READS = 3,  /**< likewise */
	BERTH_RESIDENCY_CLASS_COUNT = 4,
} berth_residency_class;

/** Turns from which on an object ping-pongs. */
#define BERTH_RESIDENCY_PING_PONG_TURNS 2

/** At most so many objects are listed. */
#define BERTH_RESIDENCY_OBJECTS_MAX 64

/** An object with needless transfers, or perhaps needless ones. */
typedef struct berth_residency_object {
	berth_summary_object object;
	berth_residency_sum sums[BERTH_RESIDENCY_CLASS_COUNT];
	uint64_t turns;	   /**< how often the same content turned round */
	uint64_t first_op; /**< seq of the first of these transfers */
} berth_residency_object;

/** The report. Owned by the caller of berth_residency_report(). */
typedef struct berth_residency {
	berth_residency_sum writes, reads; /**< all that succeeded */
	berth_residency_sum sums[BERTH_RESIDENCY_CLASS_COUNT];
	berth_residency_sum saved; /**< needless writes and reads together */
	/** Writes without a digest: recorded without, or of an unknown object; not judged. */
	uint64_t writes_without_digest;
	uint64_t ping_pong_count; /**< objects that ping-pong */
	uint64_t object_count;	  /**< objects with any of these transfers */
	uint32_t listed_count;	  /**< the first of them, most bytes saved first */
	const berth_residency_object *listed;
} berth_residency;

/**
 * Report on a trace. Does not move the reader of berth_trace_next(). Memory does
 * not grow with the trace: what is more than a few MiB goes to a temporary file.
 * @param[out] out  owned by the caller (berth_residency_free())
 * @retval BERTH_OK, BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_residency_report(berth_residency **out,
							       berth_trace *trace);

/** Free a report; NULL is fine. */
BERTH_API void berth_residency_free(berth_residency *report);

BERTH_END_DECLS

#endif
