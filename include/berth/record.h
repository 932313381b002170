/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The recorder's side of a spool: drains what recorded processes write into
 * SQLite traces, while they run or after they died.
 *
 * To record a program, run it with the layer (libberth-layer.so) as the first entry
 * of OPENCL_LAYERS and a spool directory in BERTH_ENV_SPOOL_DIR.
 *
 * A spool directory holds the spools of all processes of one recording (each
 * process that uses OpenCL has its own) and, while draining, one unfinished trace
 * for each. How far a spool was drained is stored in its trace, in the same
 * transaction as the rows, so that a recorder that was killed loses nothing and
 * doubles nothing: open the directory again and finish it.
 *
 * Threads: calls on one handle are serialised by the caller.
 */
#ifndef BERTH_RECORD_H
#define BERTH_RECORD_H

#include <berth/status.h>

BERTH_BEGIN_DECLS

/** Environment of a recorded process: the spool directory, absolute. Unset: no recording. */
#define BERTH_ENV_SPOOL_DIR "BERTH_SPOOL_DIR"
/**
 * For the recording libOpenCL (record --via library or preload): the library behind it, a path
 * or what the dynamic linker finds. Unset: the next one that is loaded, or libOpenCL.so.1.
 */
#define BERTH_ENV_OPENCL "BERTH_OPENCL"
/** "0": no digests of the content that is transferred. */
#define BERTH_ENV_DIGEST "BERTH_DIGEST"

/** Decimal: keep the bytes of transfers of at most so many. Unset or "0": only their digests. */
#define BERTH_ENV_PAYLOAD "BERTH_PAYLOAD"
/** "1": before a transfer that blocks, wait for its queue with a sync of its own. */
#define BERTH_ENV_SPLIT_WAITS "BERTH_SPLIT_WAITS"
/** Decimal: take call stacks of at most so many frames (up to 128). Unset or "0": none. */
#define BERTH_ENV_STACKS "BERTH_STACKS"
/**
 * For the simulate layer: profiles (berth_profile_to_text()) as paths of files, with ':' between
 * them. The first real device that the program looks at appears as the first of them, and so on;
 * all further ones as the last.
 */
#define BERTH_ENV_SIMULATE "BERTH_SIMULATE"
/** For the simulate layer: what fails (berth_fault_parse()), counted for each device. */
#define BERTH_ENV_SIMULATE_FAULT "BERTH_SIMULATE_FAULT"
/** For the simulate layer, decimal: the CL_DEVICE_TYPE that all devices have. "0": their own. */
#define BERTH_ENV_SIMULATE_TYPE "BERTH_SIMULATE_TYPE"
/** For the simulate layer, "1": say each refusal on stderr. */
#define BERTH_ENV_SIMULATE_EXPLAIN "BERTH_SIMULATE_EXPLAIN"

/** A spool directory stands beside the trace that comes of it, under its name and this. */
#define BERTH_SPOOL_FOLDER_SUFFIX ".spool"

typedef struct berth_drain berth_drain;

typedef struct berth_drain_progress {
	uint32_t processes; /**< that have recorded something */
	uint64_t ops;	    /**< in all traces */
	uint64_t lost_records;
} berth_drain_progress;

/** A recorder leaves this file in the directory it drains until it has finished. */
#define BERTH_DRAIN_LOCK_NAME "recorder.lock"

/** A finished trace, or why a process has none; strings valid during the call. */
typedef struct berth_drain_trace {
	const char *failure; /**< no spool could be made for @p pid: the reason; else NULL */
	const char *path;    /**< this and what follows but the pid: 0 with a failure */
	uint32_t pid;
	uint64_t ops;
	uint64_t lost_records;
	const char *program;
} berth_drain_trace;

typedef void berth_drain_visit_fn(const berth_drain_trace *trace, void *userdata);

/**
 * Attach to a spool directory, new or left behind.
 * @param directory  exists
 * @retval BERTH_OK
 * @retval BERTH_E_IO       not there or not readable
 * @retval BERTH_E_STATE    another recorder that is alive drains it
 * @retval BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_drain_create(berth_drain **out,
							   const char *directory);

/** What of the recordings goes into their traces. Start from BERTH_DRAIN_LIMITS_INIT. */
typedef struct berth_drain_limits {
	uint32_t size; /**< sizeof(berth_drain_limits) */
	/**
	 * A trace begins where a mark has this text (berth/mark.h, berth_drain_mark());
	 * NULL: with the recording. What is alive there is in it as ops that make it.
	 */
	const char *start_mark;
	uint64_t start_ns;  /**< or at the first op so long after the recording's start; 0: with it */
	uint64_t max_bytes; /**< a trace ends when its file is so large; 0: with the process */
} berth_drain_limits;

#define BERTH_DRAIN_LIMITS_INIT { sizeof(berth_drain_limits), NULL, 0, 0 }

/**
 * Set limits for the processes that are seen from now on: before the first step. A trace keeps
 * its own, for whoever completes it.
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL  limits->size is another
 * @retval BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_drain_limit(berth_drain *drain,
							  const berth_drain_limits *limits);

/**
 * Write a mark into the trace of each process, behind what was drained.
 * @retval as berth_drain_step()
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_drain_mark(berth_drain *drain, const char *text);

/**
 * Move what is complete into the traces, in one transaction each. Returns soon.
 * @param[out] moved  records moved; written on BERTH_OK; 0: nothing new
 * @retval BERTH_OK
 * @retval BERTH_E_IO       the disk is full or the like; nothing is lost, call again
 * @retval BERTH_E_FORMAT   a spool is damaged; the detail says where. It is drained
 *                          no further; the others are
 * @retval BERTH_E_VERSION  a spool of another build of Berth
 * @retval BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_drain_step(berth_drain *drain, uint64_t *moved);

/** Counts so far. */
BERTH_API void berth_drain_get_progress(const berth_drain *drain, berth_drain_progress *out);

/**
 * Finish: take what is left, and the calls that never returned; complete the
 * traces, put them in place, and remove the directory. The processes have ended.
 * The first process that recorded anything gets @p path; each other one gets its
 * pid before the extension ("t.db", "t.4711.db"). Existing files are replaced, at once
 * and whole. A process that made no memory operation leaves a trace as well (it has a
 * device or a program to show); with no process at all nothing is written.
 *
 * @param visit  called for each trace, and for each process that could not be recorded;
 *               may be NULL
 * @retval BERTH_OK
 * @retval BERTH_E_NOT_FOUND  no process has used OpenCL, or none could be recorded (then
 *                            @p visit was told why); the directory is removed
 * @retval BERTH_E_STATE      a recorded process is still alive; nothing is changed
 * @retval BERTH_E_IO         cannot write; the directory is kept
 * @retval BERTH_E_FORMAT     a spool is damaged: its trace holds what came before,
 *                            all traces are in place, the directory is kept with the
 *                            spool in it, named .damaged
 * @retval BERTH_E_VERSION    a spool is of another build of Berth: left as it is, the
 *                            traces of the others are in place
 * @retval BERTH_E_NOMEM      nothing is lost, call again
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_drain_finish(berth_drain *drain, const char *path,
							   berth_drain_visit_fn *visit,
							   void *userdata);

/** Detach; what is not finished stays in the directory. NULL is fine. */
BERTH_API void berth_drain_destroy(berth_drain *drain);

BERTH_END_DECLS

#endif
