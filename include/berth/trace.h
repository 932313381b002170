/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Traces: one SQLite file a recorded process (doc/trace-format.md).
 *
 * A trace is untrusted input: opened read-only, checked for application id,
 * version and shape, every value checked before it is used. Readers stream it in
 * order in bounded memory.
 *
 * Threads: calls on one handle are serialised by the caller.
 */
#ifndef BERTH_TRACE_H
#define BERTH_TRACE_H

#include <berth/caps.h>
#include <berth/op.h>

BERTH_BEGIN_DECLS

/** PRAGMA application_id of a trace: "BRTH". */
#define BERTH_TRACE_APPLICATION_ID 0x42525448
/** PRAGMA user_version that this library writes, and the newest it reads. */
#define BERTH_TRACE_VERSION 1

typedef struct berth_trace berth_trace;

/** What a trace says about itself. Strings are borrowed from the trace. */
typedef struct berth_trace_info {
	const char *program;	   /**< path of the recorded program */
	const char *command;	   /**< its arguments, as typed in a shell */
	const char *berth_version; /**< that recorded it */
	/** "exit" or "killed": whether the process ended in order; "cut": the recording before it */
	const char *end;
	uint64_t started_ns;	   /**< CLOCK_REALTIME */
	uint64_t op_count;
	uint64_t object_count;
	/**
	 * Of a trace that begins later than its recording: the first so many ops make what was
	 * alive there; their times are those of the calls, or 0.
	 */
	uint64_t before_ops;
	bool never_began; /**< the point that it was to begin at did not come: it holds no more */
	uint64_t lost_records; /**< not in the trace, for want of room; 0 is normal */
	uint64_t untracked_calls; /**< seen, and counted by name only (berth_summary.untracked) */
	uint32_t device_count;
} berth_trace_info;

/** How an op and an event belong together. */
typedef enum berth_event_role {
	BERTH_EVENT_GIVEN = 1,	  /**< the event of the command itself */
	BERTH_EVENT_AWAITED = 2,  /**< the command, or the call, waits for it */
	BERTH_EVENT_COMPLETE = 3, /**< the call found it complete */
} berth_event_role;

/** An event of an op. */
typedef struct berth_op_event {
	uint64_t event; /**< never used twice; BERTH_ID_UNKNOWN: one that the recording lacks */
	berth_event_role role;
} berth_op_event;

/** One row: the op as called, and the answer it got. */
typedef struct berth_trace_op {
	uint64_t seq; /**< from 1, in the order of completion */
	uint64_t t_ns; /**< since the recording began */
	uint32_t thread;  /**< as the system numbers it */
	uint32_t context; /**< from 1; 0: not known */
	bool answered; /**< false: the process ended in this call; result is empty */
	bool has_digest;
	uint8_t digest[16]; /**< XXH3-128 of the host bytes moved, canonical form */
	uint64_t stack;	    /**< where it was called (berth_trace_stack()); 0: not recorded */
	uint32_t event_count;
	const berth_op_event *events; /**< borrowed until the next row */
	berth_op op;	      /**< host is NULL; uses and name borrowed until the next row */
	berth_result result;  /**< cl_status, duration_ns, bytes and pitches */
} berth_trace_op;

/**
 * Open a trace for reading.
 * @retval BERTH_OK
 * @retval BERTH_E_IO       cannot be opened or read
 * @retval BERTH_E_FORMAT   not a trace, or damaged; the detail says where
 * @retval BERTH_E_VERSION  of a version newer than BERTH_TRACE_VERSION
 * @retval BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_trace_open(berth_trace **out, const char *path);

/** Close a trace; NULL is fine. */
BERTH_API void berth_trace_close(berth_trace *trace);

/** @return what the trace says about itself; borrowed. */
BERTH_API const berth_trace_info *berth_trace_get_info(const berth_trace *trace);

/**
 * Capabilities of a recorded device.
 * @param index  below info.device_count
 * @retval BERTH_OK, BERTH_E_NOT_FOUND, BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_trace_device(berth_caps *out, berth_trace *trace,
							   uint32_t index);

/** What berth_trace_next() fills in. */
enum {
	/** `op`, `answered` and `result` but for its duration: all that replay needs, fastest. */
	BERTH_TRACE_FIELDS_OP = 0,
	/** All fields: also t_ns, thread, context, the digest, stack, events and result.duration_ns. */
	BERTH_TRACE_FIELDS_ALL = 1u << 0,
};

/**
 * Choose what berth_trace_next() fills in, and start again at the first op. A
 * fresh trace gives BERTH_TRACE_FIELDS_ALL; fields not chosen are zero.
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL  no such fields
 * @retval BERTH_E_NOMEM, BERTH_E_FORMAT, BERTH_E_IO  what was chosen before stays
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_trace_select(berth_trace *trace, unsigned fields);

/**
 * Start again at the first op.
 * @retval BERTH_OK  always
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_trace_rewind(berth_trace *trace);

/**
 * The next op, in order of seq.
 * @param[out] out  borrowed until the next call; NULL after the last op
 * @retval BERTH_OK
 * @retval BERTH_E_FORMAT  a row is damaged; the detail names table, row and column
 * @retval BERTH_E_IO, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_trace_next(const berth_trace_op **out,
							 berth_trace *trace);

/** A place in a program that a call stack goes through. */
typedef struct berth_trace_frame {
	const char *function; /**< as in the source; NULL: not known */
	const char *file;     /**< of the source; NULL: not known */
	uint32_t line;	      /**< 0: not known */
	const char *module;   /**< path of the program or library; NULL: in none */
	uint64_t address;     /**< in the module's file; without one, in the process */
} berth_trace_frame;

/**
 * A call stack, innermost frame first.
 * @param[out] out    owned by the caller (berth_trace_stack_free())
 * @param[out] count  at least 1
 * @param stack       berth_trace_op.stack or berth_summary_object.stack
 * @retval BERTH_OK
 * @retval BERTH_E_NOT_FOUND  the trace has no such stack; 0 is never one
 * @retval BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_trace_stack(berth_trace_frame **out, uint32_t *count,
							  berth_trace *trace, uint64_t stack);

/** Free a call stack; NULL is fine. */
BERTH_API void berth_trace_stack_free(berth_trace_frame *frames, uint32_t count);

/** @return whether the recording kept content (berth record --payload). */
BERTH_API bool berth_trace_has_payload(berth_trace *trace);

/**
 * The content that has a digest, without pitch gaps, where the recording kept it.
 * @param[out] bytes  @p size of them; on failure it may hold a part
 * @param size        of the content: what the op moved
 * @retval BERTH_OK
 * @retval BERTH_E_NOT_FOUND  the trace does not hold it, or not as many bytes
 * @retval BERTH_E_IO, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_trace_payload(void *bytes, berth_trace *trace,
							    const uint8_t digest[16],
							    uint64_t size);

/**
 * The views for queries by hand (doc/trace-format.md), as SQL that makes them for one connection:
 * traces of an older Berth have fewer.
 * @param[out] out  owned by the caller; free()
 * @retval BERTH_OK, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_trace_views_sql(char **out);

/** Why an object was never released. */
typedef enum berth_unreleased {
	BERTH_UNRELEASED_LEAKED = 0, /**< forgotten, as far as can be told */
	/** A command that uses it was never waited for. */
	BERTH_UNRELEASED_IN_FLIGHT = 1,
	/**
	 * Cached or kept by the program, which left its context to the system as well: it was
	 * given content again and again, or used until near the end, or is the last of many
	 * like it that were released.
	 */
	BERTH_UNRELEASED_KEPT = 2,
	/** The process did not end in order: it might have released it. */
	BERTH_UNRELEASED_ALIVE = 3,
} berth_unreleased;

/** @return "leaked", "in_flight", "kept" or "alive_at_end"; a static string. */
BERTH_API const char *berth_unreleased_string(berth_unreleased why);

/** An object in a summary. */
typedef struct berth_summary_object {
	uint64_t id;
	const char *kind;   /**< "buffer", "subbuffer", "image", "svm" or "pipe" */
	uint64_t bytes;
	uint64_t created_op; /**< seq */
	uint64_t stack;	     /**< where it was made (berth_trace_stack()); 0: not recorded */
	uint32_t context;    /**< from 1; 0: not known */
	berth_unreleased why; /**< of those in berth_summary.leaked */
	const char *label;   /**< or NULL */
	char geometry[96];   /**< of an image, as "640x360 CL_R CL_UNORM_INT8"; else empty */
} berth_summary_object;

/** A failed call in a summary: how often one kind failed with one code. */
typedef struct berth_summary_failure {
	berth_op_kind kind;
	int32_t cl_status;
	uint64_t count;
	uint64_t first_op; /**< seq */
} berth_summary_failure;

/** A call that was seen but is not modelled. */
typedef struct berth_summary_untracked {
	const char *name;
	uint64_t count;
} berth_summary_untracked;

/** What happened in a trace. Owned by the caller of berth_trace_summarise(). */
typedef struct berth_summary {
	uint64_t ops[BERTH_OP_KIND_END];   /**< by kind */
	uint64_t buffers, subbuffers, images, svm, pipes; /**< objects created */
	uint64_t peak_bytes; /**< largest sum of live objects that own memory */
	uint64_t peak_op;    /**< seq at which it was reached */
	uint64_t bytes_written, bytes_read, bytes_copied, bytes_filled, bytes_mapped;
	uint64_t unanswered; /**< calls the process ended in */
	uint32_t at_peak_count; /**< the largest alive at the peak, at most 16, largest first */
	const berth_summary_object *at_peak;
	uint32_t leaked_count; /**< never released, in order of creation */
	const berth_summary_object *leaked;
	uint64_t leaked_bytes; /**< never given back: theirs, and of the parents they hold */
	uint32_t failure_count;
	const berth_summary_failure *failures;
	uint32_t untracked_count;
	const berth_summary_untracked *untracked;
} berth_summary;

/**
 * Sum up a trace. Does not move the reader of berth_trace_next().
 * @param[out] out  owned by the caller (berth_summary_free())
 * @retval BERTH_OK, BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_trace_summarise(berth_summary **out,
							      berth_trace *trace);

/** Free a summary; NULL is fine. */
BERTH_API void berth_summary_free(berth_summary *summary);

/**
 * The summary as one JSON object with the keys device, program, ops (by kind),
 * objects (by kind), peak_bytes, peak, leaked, failed, bytes_moved, untracked,
 * unanswered, lost (doc/trace-format.md).
 * @param[out] out  owned by the caller; free()
 * @retval BERTH_OK, BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_trace_summary_json(char **out, berth_trace *trace);

BERTH_END_DECLS

#endif
