/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What only few kinds of op have stands, in spools and traces, in a field that these
 * kinds do not need otherwise: the millions of other records are not longer for it.
 */
#ifndef BERTH_LIB_OP_FOLD_H
#define BERTH_LIB_OP_FOLD_H

#include <berth/op.h>

struct berth__op_folded {
	uint64_t flags;		     /* of an arg: the type that the kernel declares */
	uint64_t other_offset_bytes; /* of a pipe: packet_count */
	uint64_t pattern_bytes;	     /* of a pipe: packet_bytes; of an svm_alloc: alignment_bytes */
};

static inline struct berth__op_folded berth__op_fold(const berth_op *op)
{
	struct berth__op_folded folded = { op->flags, op->other_offset_bytes, op->pattern_bytes };

	if (op->kind == BERTH_OP_ARG)
		folded.flags = op->image.type;
	if (op->kind == BERTH_OP_SVM_ALLOC)
		folded.pattern_bytes = op->alignment_bytes;
	if (op->kind == BERTH_OP_PIPE_CREATE) {
		folded.pattern_bytes = op->packet_bytes;
		folded.other_offset_bytes = op->packet_count;
	}
	return folded;
}

#endif
