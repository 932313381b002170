/* SPDX-License-Identifier: Apache-2.0 */
/* Transfer times: straight lines, and which of them an op follows. */
#include <berth/transfer.h>

#include <CL/cl.h>

const char *berth_transfer_kind_string(berth_transfer_kind kind)
{
	switch (kind) {
#define X(name, value, string)                                                                     \
	case name:                                                                                 \
		return string;
		BERTH_TRANSFER_KIND_MAP(X)
#undef X
	}
	return "unknown";
}

static bool is_known(const berth_transfer_model *line)
{
	return line->fixed_ns != 0 || line->bytes_per_second != 0;
}

bool berth_transfer_times_known(const berth_transfer_times *times)
{
	for (size_t i = 0; i < BERTH_TRANSFER_KIND_END; i++)
		if (is_known(&times->lines[i]))
			return true;
	return false;
}

int berth_transfer_kind_of(const berth_op *op, bool pinned)
{
	switch (op->kind) {
	case BERTH_OP_BUFFER_CREATE:
	case BERTH_OP_IMAGE_CREATE:
		return op->flags & CL_MEM_COPY_HOST_PTR ? BERTH_TRANSFER_WRITE_PAGEABLE
							: BERTH_TRANSFER_KIND_END;
	case BERTH_OP_WRITE:
		return pinned ? BERTH_TRANSFER_WRITE_PINNED : BERTH_TRANSFER_WRITE_PAGEABLE;
	case BERTH_OP_READ:
		return pinned ? BERTH_TRANSFER_READ_PINNED : BERTH_TRANSFER_READ_PAGEABLE;
	case BERTH_OP_MAP:
		return BERTH_TRANSFER_MAP;
	case BERTH_OP_UNMAP:
		return BERTH_TRANSFER_UNMAP;
	case BERTH_OP_COPY:
		return BERTH_TRANSFER_COPY;
	case BERTH_OP_FILL:
		return BERTH_TRANSFER_FILL;
	case BERTH_OP_USE:
		return BERTH_TRANSFER_LAUNCH;
	default:
		return BERTH_TRANSFER_KIND_END;
	}
}

/* bytes / bytes_per_second in nanoseconds, rounded to the nearest; stops at UINT64_MAX. */
static uint64_t bytes_ns(uint64_t bytes, uint64_t bytes_per_second)
{
	double ns;

	if (bytes_per_second == 0)
		return 0;
	ns = (double)bytes * 1e9 / (double)bytes_per_second + 0.5;
	return ns < 0x1p64 ? (uint64_t)ns : UINT64_MAX;
}

berth_status berth_transfer_estimate_ns(uint64_t *out, const berth_transfer_times *times,
					berth_transfer_kind kind, uint64_t bytes)
{
	const berth_transfer_model *line;
	uint64_t ns;

	if ((unsigned)kind >= BERTH_TRANSFER_KIND_END || !is_known(&times->lines[kind]))
		return berth_error_set(BERTH_E_NOT_FOUND, 0,
				       "the transfer model does not know how long a %s takes",
				       berth_transfer_kind_string(kind));
	line = &times->lines[kind];
	if (__builtin_add_overflow(line->fixed_ns, bytes_ns(bytes, line->bytes_per_second), &ns))
		ns = UINT64_MAX;
	*out = ns;
	return BERTH_OK;
}
