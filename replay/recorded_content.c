/* SPDX-License-Identifier: Apache-2.0 */
#include "recorded_content.h"

#include "check_content.h"

#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

void berth__recorded_content_init(struct berth__recorded_content *content, berth_trace *trace)
{
	memset(content, 0, sizeof(*content));
	content->trace = berth_trace_has_payload(trace) ? trace : NULL;
}

void berth__recorded_content_fini(struct berth__recorded_content *content)
{
	free(content->packed);
	memset(content, 0, sizeof(*content));
}

/* Where the op's bytes lie behind its host pointer. False: an op that has none of a kind known. */
static bool locate(struct berth__check_box *box, struct berth__check_place *place,
		   const berth_op *op, const berth_object *object)
{
	*place = (struct berth__check_place){ op->host, 0, 0 };
	switch (op->kind) {
	case BERTH_OP_BUFFER_CREATE:
		*box = (struct berth__check_box){ op->bytes, 1, 1 };
		return true;
	case BERTH_OP_FILL:
		*box = (struct berth__check_box){ op->pattern_bytes, 1, 1 };
		return true;
	case BERTH_OP_WRITE:
	case BERTH_OP_READ:
		*box = berth__check_box_of(op, object);
		return berth__check_place_in_host(place, box, op, object, op->host);
	default:
		return false;
	}
}

static berth_status reserve(struct berth__recorded_content *content, uint64_t bytes)
{
	uint8_t *packed;

	if (bytes <= content->packed_bytes)
		return BERTH_OK;
	packed = realloc(content->packed, bytes);
	if (!packed)
		return berth_error_set(BERTH_E_NOMEM, 0, "out of memory for recorded content");
	content->packed = packed;
	content->packed_bytes = bytes;
	return BERTH_OK;
}

berth_status berth__recorded_content_put(struct berth__recorded_content *content, bool *found,
					 const berth_trace_op *row, const berth_op *op,
					 const berth_object *object)
{
	struct berth__check_box box;
	struct berth__check_place place, packed = { NULL, 0, 0 };
	uint64_t bytes;
	berth_status st;

	*found = false;
	if (!content->trace || !row->has_digest || (!object && op->kind != BERTH_OP_BUFFER_CREATE) ||
	    !locate(&box, &place, op, object) ||
	    __builtin_mul_overflow(box.row_bytes, box.rows, &bytes) ||
	    __builtin_mul_overflow(bytes, box.slices, &bytes) || bytes == 0)
		return BERTH_OK;
	if ((st = reserve(content, bytes)) != BERTH_OK)
		return st;
	st = berth_trace_payload(content->packed, content->trace, row->digest, bytes);
	if (st == BERTH_E_NOT_FOUND)
		return BERTH_OK;
	if (st != BERTH_OK)
		return st;
	packed = (struct berth__check_place){ content->packed, box.row_bytes,
					      box.row_bytes * box.rows };
	berth__check_box_copy(&box, &place, &packed);
	*found = true;
	return BERTH_OK;
}

bool berth__recorded_content_matches(const berth_trace_op *row, const berth_op *op,
				     const berth_object *object)
{
	struct berth__check_box box;
	struct berth__check_place place;
	XXH128_canonical_t digest;
	XXH3_state_t state;

	if (!locate(&box, &place, op, object))
		return true;
	XXH3_INITSTATE(&state);
	XXH3_128bits_reset(&state);
	for (uint64_t slice = 0; slice < box.slices; slice++)
		for (uint64_t line = 0; line < box.rows; line++)
			XXH3_128bits_update(&state,
					    place.start + slice * place.slice_pitch_bytes +
						    line * place.row_pitch_bytes,
					    box.row_bytes);
	XXH128_canonicalFromHash(&digest, XXH3_128bits_digest(&state));
	return memcmp(digest.digest, row->digest, sizeof(row->digest)) == 0;
}
