/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A recording while it goes on: what is alive now, from the trace that the recorder is writing.
 *
 * Threads: calls on one handle are serialised by the caller.
 */
#ifndef BERTH_LIVE_H
#define BERTH_LIVE_H

#include <berth/status.h>

BERTH_BEGIN_DECLS

typedef struct berth_live berth_live;

/** Objects that are alike: of one kind, name and size. */
typedef struct berth_live_group {
	const char *kind;  /**< "buffer", "image", "svm" or "pipe" */
	const char *label; /**< or NULL */
	uint64_t each_bytes;
	uint64_t count;
	uint64_t bytes; /**< of all of them */
} berth_live_group;

/** Groups that are given, largest first. */
#define BERTH_LIVE_GROUPS_MAX 32

/** How it stands. Strings are borrowed from the handle, until the next read. */
typedef struct berth_live_state {
	const char *program;
	uint64_t ops;		/**< recorded so far */
	uint64_t failed;	/**< of them refused */
	uint64_t made;		/**< objects that own memory, made so far */
	uint64_t alive;		/**< of them alive */
	uint64_t alive_bytes;
	uint64_t last_ns;	/**< when the last op began, since the recording did */
	bool ended;		/**< the trace is finished */
	uint32_t group_count;	/**< at most BERTH_LIVE_GROUPS_MAX */
	uint64_t other_bytes;	/**< of alive objects in further groups */
	berth_live_group groups[BERTH_LIVE_GROUPS_MAX];
} berth_live_state;

/**
 * Open a recording.
 * @param path  the trace that is being recorded (FILE, of `berth record -o FILE`), its spool
 *              folder, or a finished trace; of several processes the one that began last
 * @retval BERTH_OK
 * @retval BERTH_E_NOT_FOUND  nothing is recorded there, or no process has used OpenCL yet
 * @retval BERTH_E_IO, BERTH_E_FORMAT, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_live_open(berth_live **out, const char *path);

/** NULL is fine. */
BERTH_API void berth_live_close(berth_live *live);

/**
 * How it stands now.
 * @param[out] out  written on BERTH_OK
 * @retval BERTH_OK
 * @retval BERTH_E_IO  the recorder has it locked, or it is gone: the recording has ended
 * @retval BERTH_E_FORMAT, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_live_read(berth_live_state *out, berth_live *live);

BERTH_END_DECLS

#endif
