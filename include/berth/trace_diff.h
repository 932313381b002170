/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The difference of two traces: of two runs of a program, or of one program on two devices.
 *
 * Ops are compared in order, one with one, up to the first difference; times, threads,
 * addresses, numbers of objects and ops of the kind `order` are not. Objects count by their
 * order of creation. What lies behind the first difference is not aligned again: for that there
 * are the sums, of each kind of op, each *group* of objects, each failure, and of what was alive
 * at the peak. A group is what has the same kind, size, flags, and format.
 *
 * Threads: calls on one trace are serialised by the caller.
 */
#ifndef BERTH_TRACE_DIFF_H
#define BERTH_TRACE_DIFF_H

#include <berth/trace.h>

BERTH_BEGIN_DECLS

/** Two ops that should be the same. */
typedef struct berth_trace_difference {
	uint64_t seq[2];   /**< in each trace; 0: it has no more ops */
	char op[2][160];   /**< berth_op_describe() */
	int32_t status[2]; /**< OpenCL codes */
	char what[160];	   /**< which part differs, and both values */
} berth_trace_difference;

/** Objects that are alike, in both traces. */
typedef struct berth_trace_group {
	char what[128];	     /**< as "image 640x360 CL_R CL_UNORM_INT8" */
	uint64_t bytes;	     /**< of one; 0: they lie on others */
	uint64_t count[2];   /**< made */
	uint64_t at_peak[2]; /**< alive at the trace's peak */
	uint64_t first[2];   /**< id of the first; 0: none */
} berth_trace_group;

/** The difference. Owned by the caller of berth_trace_diff_find(). */
typedef struct berth_trace_diff {
	bool differs;	  /**< in anything of what follows */
	bool has_first;	  /**< `first` is valid */
	bool has_content; /**< `content` is valid */
	berth_trace_difference first;
	/** The first transfer with other bytes (by digest), before `first`: of a read, what kernels made. */
	berth_trace_difference content;
	uint64_t ops_compared;	   /**< one with one */
	uint64_t content_compared; /**< transfers whose digests both have */
	const berth_summary *summary[2];
	uint32_t group_count;
	const berth_trace_group *groups; /**< that differ in count or at the peak; most bytes first */
	uint64_t groups_not_followed;	 /**< objects of groups beyond those that are counted */
} berth_trace_diff;

/**
 * Compare two traces. Memory grows with the objects that are alive at once.
 * @param[out] out     owned by the caller (berth_trace_diff_free())
 * @param a, b         two handles; both start again at their first op
 * @param with_content compare digests
 * @retval BERTH_OK
 * @retval BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_trace_diff_find(berth_trace_diff **out,
							      berth_trace *a, berth_trace *b,
							      bool with_content);

/** Free a difference; NULL is fine. */
BERTH_API void berth_trace_diff_free(berth_trace_diff *diff);

BERTH_END_DECLS

#endif
