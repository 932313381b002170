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

/** An op whose answer differs. */
typedef struct berth_divergence {
	uint64_t seq;		/**< of the op in the trace */
	char op[160];		/**< berth_op_describe() */
	int32_t recorded;	/**< OpenCL code in the trace */
	int32_t replayed;	/**< code of the device; CL_SUCCESS where it crashes */
	const char *rule;	/**< static, or NULL */
	char text[BERTH_ERROR_MESSAGE_BYTES]; /**< why: object, limit and both numbers */
} berth_divergence;

/** Called for each divergence, in order, on the thread that executed the op. */
typedef void berth_replay_divergence_fn(const berth_divergence *divergence, void *userdata);

/** The most ops before the first divergence that a report has. */
#define BERTH_REPLAY_STEPS_MAX 32

/** Options of berth_replay_run(). Start from BERTH_REPLAY_OPTIONS_INIT. */
typedef struct berth_replay_options {
	uint32_t size; /**< sizeof(berth_replay_options) */
	bool ghost;    /**< give no bytes to the device: it keeps none */
	/**
	 * Execute each op on a thread of its own for each recorded thread. The order of the
	 * ops stays the recorded one: one thread at a time.
	 */
	bool threads;
	/**
	 * Op seqs, inclusive; 0: from the first, to the last. Ops before @p first_op are
	 * executed, so that their objects are there, but neither counted nor compared.
	 */
	uint64_t first_op;
	uint64_t last_op;
	/**
	 * 0: as fast as possible. Else no op begins before its recorded time, counted from the
	 * first one that is, divided by this: 1.0 the recorded timing, 2.0 twice as fast.
	 */
	double pace;
	uint32_t steps; /**< how many ops before the first divergence the report keeps */
	berth_replay_progress_fn *progress;	/**< may be NULL */
	berth_replay_divergence_fn *divergence; /**< may be NULL */
	void *userdata;				/**< of both */
} berth_replay_options;

#define BERTH_REPLAY_OPTIONS_INIT                                                                  \
	{                                                                                          \
		sizeof(berth_replay_options), false, false, 0, 0, 0.0, 0, NULL, NULL, NULL         \
	}

/** X(name, value, string). Values are pinned. */
#define BERTH_VERDICT_MAP(X)                                                   \
	X(BERTH_VERDICT_NONE, 0, "none")                                       \
	X(BERTH_VERDICT_MAX_ALLOC, 1, "max-alloc")                             \
	X(BERTH_VERDICT_TOTAL, 2, "total")                                     \
	X(BERTH_VERDICT_FRAGMENTED, 3, "fragmented")                           \
	X(BERTH_VERDICT_RECLAIMABLE, 4, "reclaimable")                         \
	X(BERTH_VERDICT_IMAGE_AXIS, 5, "image-axis")                           \
	X(BERTH_VERDICT_NOT_MEMORY, 6, "not-memory")

/**
 * Why an allocation failed.
 * - max-alloc: larger than the largest single allocation
 * - total: all that is alive and this do not fit the capacity
 * - fragmented: enough lies free in a pool, but not together
 * - reclaimable: what is held for nobody would make room: a pool's cache, or memory of
 *   released objects that comes free at the next sync
 * - image-axis: an image is too wide, high or deep, whatever its bytes
 * - not-memory: the arguments, as a misaligned origin; the rule says which
 */
typedef enum berth_verdict_kind {
#define X(name, value, string) name = value,
	BERTH_VERDICT_MAP(X)
#undef X
} berth_verdict_kind;

/** @return "max-alloc" and the like; a static string, "unknown" otherwise. */
BERTH_API const char *berth_verdict_kind_string(berth_verdict_kind kind);

/** The first allocation that failed: a create, or a first use that found no memory. */
typedef struct berth_verdict {
	berth_verdict_kind kind;
	uint64_t seq;		  /**< of the op */
	bool refused_before;	  /**< the program was refused it as well */
	uint64_t requested_bytes; /**< by the object; where memory is taken late, by all that take it */
	uint64_t limit_bytes;	  /**< max-alloc: the limit */
	uint64_t in_use_bytes, capacity_bytes; /**< of the device then; capacity 0: not known */
	uint64_t free_bytes, largest_hole_bytes, cached_bytes; /**< of the pool, if there is one */
	uint64_t unreturned_bytes; /**< released, and not free before the next sync */
	const char *axis;	   /**< image-axis: "width", "height", ...; static */
	uint64_t axis_needs, axis_limit;
	/**
	 * Where memory is taken late: the create that brought what is alive over the
	 * capacity, although it was accepted; 0: none did.
	 */
	uint64_t crossed_seq;
	const char *rule; /**< static, or NULL */
	char text[BERTH_ERROR_MESSAGE_BYTES]; /**< for people, with the numbers, and what would work */
} berth_verdict;

/** An op that was executed before the first divergence. */
typedef struct berth_replay_step {
	uint64_t seq;
	char op[160];	  /**< berth_op_describe() */
	int32_t recorded; /**< OpenCL codes */
	int32_t replayed;
} berth_replay_step;

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
	/** Parts of it: the program ended in the call; a handle that the trace does not know ... */
	uint64_t unanswered, unknown_handles;
	uint64_t unsupported; /**< ... or the device has no such call; the rest was refused so */
	uint64_t before_ops;  /**< before options.first_op: executed, and in no other count */
	uint64_t before_refused; /**< of those: refused here, and not in the program */
	uint64_t allocations;	   /**< objects with memory of their own that the device made */
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
	uint32_t step_count;	   /**< at most options.steps, oldest first */
	berth_replay_step steps[BERTH_REPLAY_STEPS_MAX]; /**< the last before the first divergence */
	berth_verdict verdict;	   /**< of kind none when no allocation failed */
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
 * @retval BERTH_E_INVAL  options->size is another, pace is negative, steps too many, or
 *                        last_op is before first_op
 * @retval BERTH_E_NOT_FOUND  the trace has no op first_op
 * @retval BERTH_E_FORMAT, BERTH_E_IO  from the trace
 * @retval BERTH_E_NOMEM  host memory ran out: replay it as a ghost
 * @retval BERTH_E_STATE  stopped by the progress callback
 * Other statuses are the device's, when it can give no answer any more.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_replay_run(berth_trace *trace, berth_device *device,
							 const berth_replay_options *options,
							 berth_replay_report *report);

/**
 * Find a mark (mark.h): the op at which it stands.
 * @param[out] out  seq of the first mark that bears @p name and is not the end of a phase
 * @param[out] end  seq of the end of the phase that begins there; 0 when the mark is a moment
 *                  or the phase never ends. May be NULL
 * @param trace     starts again at its first op
 * @retval BERTH_OK
 * @retval BERTH_E_NOT_FOUND  the detail names marks that there are
 * @retval BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_trace_find_mark(uint64_t *out, uint64_t *end,
							      berth_trace *trace,
							      const char *name);

BERTH_END_DECLS

#endif
