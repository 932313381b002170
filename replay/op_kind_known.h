/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a number from a file is a kind of op: not every one below the end is. */
#ifndef BERTH_REPLAY_OP_KIND_KNOWN_H
#define BERTH_REPLAY_OP_KIND_KNOWN_H

#include <berth/op.h>

static inline bool berth__op_kind_known(uint64_t kind)
{
	static const bool known[BERTH_OP_KIND_END] = {
#define X(name, value, string) [value] = true,
		BERTH_OP_KIND_MAP(X)
#undef X
	};

	return kind < BERTH_OP_KIND_END && known[kind];
}

#endif
