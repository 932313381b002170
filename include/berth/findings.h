/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Findings: what in a recorded program costs memory or time, with numbers, and what to
 * change. Each comes from a rule with thresholds of its own, so that what costs little is not
 * said (doc/findings.md has them). A trace in which nothing is found is a good one.
 *
 * Threads: calls on one trace are serialised by the caller.
 */
#ifndef BERTH_FINDINGS_H
#define BERTH_FINDINGS_H

#include <berth/trace.h>

BERTH_BEGIN_DECLS

/** X(name, value, id, title). Values are pinned. In the order in which they are told. */
#define BERTH_FINDING_MAP(X)                                                                       \
	X(BERTH_FINDING_STALE_ARGUMENT, 0, "F-STALE-ARGUMENT",                                     \
	  "a kernel used an object that had been released")                                        \
	X(BERTH_FINDING_DOUBLE_RELEASE, 1, "F-DOUBLE-RELEASE",                                     \
	  "an object was released that was none any more")                                         \
	X(BERTH_FINDING_RELEASE_NULL, 2, "F-RELEASE-NULL", "NULL was released")                    \
	X(BERTH_FINDING_LEAK, 3, "F-LEAK", "objects were never released")                          \
	X(BERTH_FINDING_BACKLOG, 4, "F-BACKLOG",                                                   \
	  "released memory waits for commands that nobody waited for")                             \
	X(BERTH_FINDING_OVER_MEMORY, 5, "F-OVER-MEMORY",                                           \
	  "more was created than the device has, and the creation succeeded")                      \
	X(BERTH_FINDING_NEAR_LIMIT, 6, "F-NEAR-LIMIT", "a larger input will not fit")              \
	X(BERTH_FINDING_IDLE, 7, "F-IDLE", "objects are kept beyond their last use")               \
	X(BERTH_FINDING_SHARE, 8, "F-SHARE", "images and buffers could share storage")             \
	X(BERTH_FINDING_PADDING, 9, "F-PADDING", "padding takes a large part")                     \
	X(BERTH_FINDING_DUPLICATE, 10, "F-DUPLICATE", "the same bytes lie on the device twice")    \
	X(BERTH_FINDING_PARENT_FIRST, 11, "F-PARENT-FIRST",                                        \
	  "buffers were released before what lies on them")                                        \
	X(BERTH_FINDING_ALIGNMENT, 12, "F-ALIGNMENT", "an alignment was read in the wrong unit")   \
	X(BERTH_FINDING_REDUNDANT, 13, "F-REDUNDANT",                                              \
	  "content was moved to where it was already")                                             \
	X(BERTH_FINDING_PING_PONG, 14, "F-PING-PONG", "the same content goes up and down")         \
	X(BERTH_FINDING_ZERO_COPY, 15, "F-ZERO-COPY", "copies that shared memory does not need")   \
	X(BERTH_FINDING_WAIT, 16, "F-WAIT", "reads wait for other commands")                       \
	X(BERTH_FINDING_CHURN, 17, "F-CHURN", "the same objects are made again and again")

typedef enum berth_finding_kind {
#define X(name, value, id, title) name = value,
	BERTH_FINDING_MAP(X)
#undef X
	BERTH_FINDING_KIND_END,
} berth_finding_kind;

/** @return "F-CHURN" and the like; a static string, "unknown" otherwise. */
BERTH_API const char *berth_finding_id(berth_finding_kind kind);
/** @return what the rule is about, in one sentence; a static string. */
BERTH_API const char *berth_finding_title(berth_finding_kind kind);

/** The most objects that a finding names. */
#define BERTH_FINDING_OBJECTS_MAX 8

typedef struct berth_finding {
	berth_finding_kind kind;
	uint64_t count;	  /**< how often: calls or objects, as the text says */
	uint64_t bytes;	  /**< that it costs; 0: it costs no memory */
	uint64_t time_ns; /**< that it costs, as far as the trace knows; 0: none */
	uint64_t op;	  /**< seq of the first op that shows it; 0: none does */
	uint32_t object_count;
	uint64_t objects[BERTH_FINDING_OBJECTS_MAX]; /**< ids of the worst, or the first */
	char what[640];	  /**< what was found, with the numbers */
	char advice[320]; /**< what to change */
} berth_finding;

/** All findings on a trace. Owned by the caller of berth_findings_find(). */
typedef struct berth_findings {
	uint32_t count;
	const berth_finding *items; /**< in the order of their kinds; several of one kind, worst first */
	uint64_t created, released; /**< objects: made, and gone at the end */
	uint64_t objects_leaked;
	/** Writes without a digest: whether their content was there already is not known. */
	uint64_t writes_without_digest;
	uint64_t shapes_not_followed; /**< kinds of objects beyond those that F-CHURN counts */
} berth_findings;

/**
 * Look at a trace. Memory grows with the objects that are alive at once, not with the trace.
 *
 * @param[out] out  owned by the caller (berth_findings_free())
 * @param trace     starts again at its first op
 * @param caps      the device whose limits and alignments count; NULL: the trace's first
 * @retval BERTH_OK
 * @retval BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_findings_find(berth_findings **out,
							    berth_trace *trace,
							    const berth_caps *caps);

/** Free findings; NULL is fine. */
BERTH_API void berth_findings_free(berth_findings *findings);

BERTH_END_DECLS

#endif
