/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Replay: execute the ops of a trace, in order, on a device.
 *
 * Each answer is compared with the recorded one. A difference is a *divergence*
 * when one side accepted what the other refused, or when both refused and the
 * device, knowing the specification (berth_result.rule), does not allow the
 * recorded code; on a device that does not know it, two different refusals
 * are counted apart (code_differences) and are no divergence. On a checker, each
 * difference it finds is a divergence as well.
 *
 * A device that crashes at an op (BERTH_E_LOST) diverges there, unless the program ended
 * there as well; all ops after it are consequences.
 *
 * After another divergence the replay goes on: ops on objects that the device did not
 * get are left out and counted (consequences). Content: unless it was
 * recorded with --payload, the trace holds digests, not bytes, so what the program wrote is
 * stood in for by bytes made from the op's number; what a kernel wrote is unknown. Transfers and maps that did not
 * block in the program block in a replay with bytes, so that their host memory
 * is the replayer's again when they return.
 *
 * Threads: one run has its trace and its device to itself; runs are independent.
 */
#ifndef BERTH_REPLAY_H
#define BERTH_REPLAY_H

#include <berth/checker.h>
#include <berth/trace.h>

BERTH_BEGIN_DECLS

typedef struct berth_replay_progress {
	uint64_t ops_done;
	uint64_t ops_total;
} berth_replay_progress;

/** Called now and then. Return false to stop: berth_replay_run() gives BERTH_E_STATE. */
typedef bool berth_replay_progress_fn(const berth_replay_progress *progress, void *userdata);

/** Options of berth_replay_run(). Start from BERTH_REPLAY_OPTIONS_INIT. */
typedef struct berth_replay_options {
	uint32_t size; /**< sizeof(berth_replay_options) */
	bool ghost;    /**< give no bytes to the device: it keeps none */
	berth_replay_progress_fn *progress; /**< may be NULL */
	void *userdata;
} berth_replay_options;

#define BERTH_REPLAY_OPTIONS_INIT { sizeof(berth_replay_options), false, NULL, NULL }

/** The first op whose answer differs. */
typedef struct berth_divergence {
	uint64_t seq;		/**< of the op in the trace */
	char op[160];		/**< berth_op_describe() */
	int32_t recorded;	/**< OpenCL code in the trace */
	int32_t replayed;	/**< code of the device; CL_SUCCESS where it crashes */
	const char *rule;	/**< static, or NULL */
	char text[BERTH_ERROR_MESSAGE_BYTES]; /**< why: object, limit and both numbers */
} berth_divergence;

/**
 * The time that the ops would take on a device whose profile has a transfer model, by
 * direction. A trace does not say whether the host's memory was pinned: it counts as
 * pageable.
 */
typedef struct berth_replay_estimate {
	uint64_t to_device_ns; /**< writes, unmaps, and creations with CL_MEM_COPY_HOST_PTR */
	uint64_t to_host_ns;   /**< reads and maps */
	uint64_t on_device_ns; /**< copies and fills */
	uint64_t launch_ns;    /**< starts of kernels */
	uint64_t ops;	       /**< that have an estimate, and take time */
	uint64_t ops_unknown;  /**< that take time, but have none */
} berth_replay_estimate;

typedef struct berth_replay_report {
	uint64_t ops;		   /**< read from the trace */
	uint64_t executed;
	uint64_t divergences;
	uint64_t code_differences; /**< both refused, with different codes */
	uint64_t consequences;	   /**< left out: an object they need was refused before */
	/**
	 * left out: unanswered, of an unknown handle, not supported, or refused for what
	 * an op does not hold (context, queue, events, kernel and work sizes)
	 */
	uint64_t not_replayable;
	uint64_t bytes_moved;	   /**< writes, reads, copies, fills, maps that succeeded */
	uint64_t content_compared; /**< from a checker */
	uint64_t content_unknown;
	/**
	 * Reads on a checker that were compared with what the program got: of a trace that
	 * holds content, up to the first content that it lacks.
	 */
	uint64_t recorded_compared;
	uint64_t memory_failures;
	uint64_t elapsed_ns;
	berth_memory memory;	   /**< of the device at the end: peak, capacity */
	berth_replay_estimate estimate;
	uint64_t lost_seq;	   /**< the op at which a simulated device crashed; 0: it did not */
	bool diverged;
	berth_divergence first;	   /**< valid when diverged */
} berth_replay_report;

/**
 * Replay a trace.
 *
 * @param trace    read from its first op to its last, with BERTH_TRACE_FIELDS_OP (with
 *                 content: _ALL), which stay selected
 * @param device   fresh; what the program never released is alive on it afterwards,
 *                 but for objects on the replayer's memory (CL_MEM_USE_HOST_PTR),
 *                 which end when the report is complete
 * @param options  NULL: the defaults
 * @param[out] report  written on BERTH_OK
 * @retval BERTH_OK  the trace was executed to its end; report->diverged says how
 * @retval BERTH_E_INVAL  options->size is another
 * @retval BERTH_E_FORMAT, BERTH_E_IO  from the trace
 * @retval BERTH_E_NOMEM  host memory ran out: replay it as a ghost
 * @retval BERTH_E_STATE  stopped by the progress callback
 * Other statuses are the device's, when it can give no answer any more.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_replay_run(berth_trace *trace, berth_device *device,
							 const berth_replay_options *options,
							 berth_replay_report *report);

BERTH_END_DECLS

#endif
