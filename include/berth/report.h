/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A trace as one HTML page for people: memory over time, what was alive at each moment, the
 * life of each object, the peak, leaks, refused calls, and devices to compare with.
 *
 * The page is one file that refers to nothing outside of it (its own policy forbids it), and
 * whose size does not grow with the trace: time is cut into at most 800 spans of ops. Of each
 * span it has the *exact* largest sum of live bytes and the op that reached it first, so no
 * peak is lost; of the objects it names the 24 largest at each of these moments, and counts
 * the rest. doc/report.md says how to read it and what is in its data.
 *
 * Labels, paths and names come from an untrusted trace: they are text on the page, never
 * markup, and what is not UTF-8 is replaced.
 *
 * Threads: calls on one trace are serialised by the caller.
 */
#ifndef BERTH_REPORT_H
#define BERTH_REPORT_H

#include <berth/trace.h>

BERTH_BEGIN_DECLS

/** Where a report is, for progress. */
typedef struct berth_report_progress {
	const char *stage;  /**< as "moments"; static */
	uint64_t ops_done;  /**< of this stage */
	uint64_t ops_total; /**< of this stage */
} berth_report_progress;

/** Options of a report. Start from BERTH_REPORT_OPTIONS_INIT. Everything is borrowed. */
typedef struct berth_report_options {
	uint32_t size;	   /**< sizeof(berth_report_options) */
	const char *title; /**< NULL: the program's name */
	/**
	 * Devices to compare with, by name (open.h); NULL: none. Each gives its capacity as a
	 * line. On a simulated one the creations and releases are executed as well, without
	 * content: what it holds is a curve, what it refuses is counted.
	 */
	const char *const *devices;
	size_t device_count;
	/** Policy of a pool that is put on the simulated devices (pool.h); NULL: none. */
	const char *pool;
	bool plan;		/**< plan the trace (plan.h), and show the picture of the plan */
	const char *comparison; /**< CSV of `berth compare --csv`, to be shown; NULL: none */
	void (*progress)(const berth_report_progress *progress, void *userdata); /**< or NULL */
	void *userdata;
} berth_report_options;

#define BERTH_REPORT_OPTIONS_INIT                                                                  \
	{                                                                                          \
		sizeof(berth_report_options), NULL, NULL, 0, NULL, false, NULL, NULL, NULL         \
	}

/**
 * Write the page. A file appears whole or not at all: until then it is PATH.tmpPID, which is left
 * when the process is killed. A device or a pipe is written to as it is.
 *
 * @param path     NULL: standard output
 * @param options  NULL: the defaults
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL      options->size is another, or a device's name makes no sense
 * @retval BERTH_E_NOT_FOUND  no such device or policy; the detail lists what there is
 * @retval BERTH_E_FORMAT, BERTH_E_IO  from the trace, the comparison or of the page
 * @retval BERTH_E_NOMEM
 * Others are a device's, when it cannot be opened, and the planner's.
 * Afterwards berth_trace_next() begins at the first op.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_report_write(const char *path, berth_trace *trace,
							   const berth_report_options *options);

/**
 * The data of the page alone, as JSON (doc/report.md).
 * @param[out] out  owned by the caller; free()
 * Otherwise as berth_report_write(); options->plan and title do not count.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_report_json(char **out, berth_trace *trace,
							  const berth_report_options *options);

BERTH_END_DECLS

#endif
