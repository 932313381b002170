/* SPDX-License-Identifier: Apache-2.0 */
#include "call_columns.h"

#include <stddef.h>
#include <string.h>

/* clang-format off */
#define COLUMN(name, field, part) \
	{ name, offsetof(berth_trace_op, field), sizeof(((berth_trace_op *)0)->field), \
	  BERTH__CALL_##part }

const struct berth__call_column berth__call_columns[BERTH__CALL_COLUMNS] = {
	COLUMN("t_ns", t_ns, ANY),
	COLUMN("dur_ns", result.duration_ns, ANY),
	COLUMN("thread", thread, ANY),
	COLUMN("context", context, ANY),
	COLUMN("queue", op.queue, ANY),
	COLUMN("object", op.object, ANY),
	COLUMN("other", op.other, ANY),
	COLUMN("mapping", op.mapping, ANY),
	COLUMN("bits", op.bits, ANY),
	COLUMN("absent", op.absent, ANY),
	COLUMN("flags", op.flags, ANY),
	COLUMN("offset", op.offset_bytes, ANY),
	COLUMN("other_offset", op.other_offset_bytes, ANY),
	COLUMN("bytes", op.bytes, ANY),
	COLUMN("pattern_bytes", op.pattern_bytes, ANY),
	COLUMN("alignment", op.alignment_bytes, ANY),
	COLUMN("packet_bytes", op.packet_bytes, ANY),
	COLUMN("packet_count", op.packet_count, ANY),
	COLUMN("host_address", op.host_address, ANY),
	COLUMN("result_bytes", result.bytes, ANY),
	COLUMN("result_row_pitch", result.row_pitch_bytes, ANY),
	COLUMN("result_slice_pitch", result.slice_pitch_bytes, ANY),
	COLUMN("image_type", op.image.type, ANY),
	COLUMN("channel_order", op.image.order, IMAGE),
	COLUMN("channel_type", op.image.channel_type, IMAGE),
	COLUMN("mip_levels", op.image.mip_levels, IMAGE),
	COLUMN("samples", op.image.samples, IMAGE),
	COLUMN("width", op.image.width, IMAGE),
	COLUMN("height", op.image.height, IMAGE),
	COLUMN("depth", op.image.depth, IMAGE),
	COLUMN("array_size", op.image.array_size, IMAGE),
	COLUMN("row_pitch", op.image.row_pitch_bytes, IMAGE),
	COLUMN("slice_pitch", op.image.slice_pitch_bytes, IMAGE),
	COLUMN("origin_x", op.region.origin[0], REGION),
	COLUMN("origin_y", op.region.origin[1], REGION),
	COLUMN("origin_z", op.region.origin[2], REGION),
	COLUMN("other_x", op.region.other_origin[0], REGION),
	COLUMN("other_y", op.region.other_origin[1], REGION),
	COLUMN("other_z", op.region.other_origin[2], REGION),
	COLUMN("region_width", op.region.extent[0], REGION),
	COLUMN("region_height", op.region.extent[1], REGION),
	COLUMN("region_depth", op.region.extent[2], REGION),
	COLUMN("region_row_pitch", op.region.row_pitch_bytes, REGION),
	COLUMN("region_slice_pitch", op.region.slice_pitch_bytes, REGION),
	COLUMN("other_row_pitch", op.region.other_row_pitch_bytes, REGION),
	COLUMN("other_slice_pitch", op.region.other_slice_pitch_bytes, REGION),
};
/* clang-format on */

bool berth__call_has(const berth_trace_op *row, const struct berth__call_column *column)
{
	switch (column->part) {
	case BERTH__CALL_REGION:
		return berth_op_form_has_region(row->op.form);
	case BERTH__CALL_IMAGE:
		return row->op.kind == BERTH_OP_IMAGE_CREATE;
	case BERTH__CALL_ANY:
		break;
	}
	return true;
}

uint64_t berth__call_get(const berth_trace_op *row, const struct berth__call_column *column)
{
	const char *field = (const char *)row + column->offset;
	uint32_t narrow;
	uint64_t value;

	if (column->bytes == sizeof(narrow)) {
		memcpy(&narrow, field, sizeof(narrow));
		return narrow;
	}
	memcpy(&value, field, sizeof(value));
	return value;
}

bool berth__call_set(berth_trace_op *row, const struct berth__call_column *column, uint64_t value)
{
	char *field = (char *)row + column->offset;
	uint32_t narrow = (uint32_t)value;

	if (column->bytes == sizeof(value)) {
		memcpy(field, &value, sizeof(value));
		return true;
	}
	memcpy(field, &narrow, sizeof(narrow));
	return value == narrow;
}
