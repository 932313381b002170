/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F-DUPLICATE: objects that were filled with the same bytes, by their digest, and both kept them:
 * weights that are on the device twice. Zeros do not count.
 */
#include "finding.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define BYTES_MIN BERTH__MIB
#define PERCENT_MIN 10

/* Less than this is no content that anybody would share. */
#define CONTENT_BYTES_MIN 4096

/* Contents that are followed. A power of two. */
#define CONTENTS_MAX 16384

/* Content that an object had from one write. */
struct content {
	uint8_t digest[16];
	uint64_t object, seq, bytes; /* object 0: free */
};

struct duplicates {
	struct content contents[CONTENTS_MAX];
	uint64_t count, bytes, op, object, first_object;
	uint64_t zero_bytes; /* whose digest is known */
	uint8_t zero_digest[16];
};

static bool is_zeros(struct duplicates *duplicates, const uint8_t digest[16], uint64_t bytes)
{
	static const uint8_t zeros[4096];
	XXH128_canonical_t canonical;
	XXH3_state_t *state;

	if (duplicates->zero_bytes != bytes) {
		state = XXH3_createState();
		if (!state)
			return true; /* rather say nothing */
		XXH3_128bits_reset(state);
		for (uint64_t done = 0; done < bytes; done += sizeof(zeros))
			XXH3_128bits_update(state, zeros,
					    bytes - done < sizeof(zeros) ? bytes - done
									 : sizeof(zeros));
		XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state));
		XXH3_freeState(state);
		memcpy(duplicates->zero_digest, canonical.digest, sizeof(canonical.digest));
		duplicates->zero_bytes = bytes;
	}
	return memcmp(digest, duplicates->zero_digest, 16) == 0;
}

/* Whether the object is alive, and has what it was filled with. */
static bool is_kept(const struct berth__finding_run *run, const struct content *content)
{
	const berth_object *object = berth_objects_find(run->objects, content->object);

	return object && berth__facts_of(object)->content_seq == content->seq;
}

/* Bytes that fill an object for the first time, or 0. */
static uint64_t filled_bytes(const struct berth__finding_run *run, const berth_trace_op *row)
{
	const berth_object *object = berth_objects_find(run->objects, row->op.object);
	uint64_t bytes;

	if (!object || row->op.kind != BERTH_OP_WRITE || berth__facts_of(object)->content_seq != 0 ||
	    berth__facts_of(object)->own_bytes == 0 ||
	    berth_op_moved_bytes(&bytes, &row->op, object->element_bytes) != BERTH_OK)
		return 0;
	return bytes >= CONTENT_BYTES_MIN && bytes >= object->bytes / 2 ? bytes : 0;
}

static berth_status op(struct berth__finding_run *run, void *state, const berth_trace_op *row)
{
	struct duplicates *duplicates = state;
	uint64_t bytes = row->has_digest && row->result.cl_status == CL_SUCCESS
				 ? filled_bytes(run, row)
				 : 0;
	struct content *content, *room = NULL;
	uint64_t hash;

	if (bytes == 0 || is_zeros(duplicates, row->digest, bytes))
		return BERTH_OK;
	memcpy(&hash, row->digest, sizeof(hash));
	for (uint32_t i = 0; i < 64; i++) {
		content = &duplicates->contents[(hash + i) % CONTENTS_MAX];
		if (content->object == 0 || !is_kept(run, content)) {
			room = room ? room : content;
			if (content->object == 0)
				break;
			continue;
		}
		if (content->bytes != bytes || memcmp(content->digest, row->digest, 16) != 0)
			continue;
		if (duplicates->count++ == 0) {
			duplicates->op = row->seq;
			duplicates->object = row->op.object;
			duplicates->first_object = content->object;
		}
		duplicates->bytes += bytes;
		return BERTH_OK;
	}
	if (room) {
		*room = (struct content){ .object = row->op.object, .seq = row->seq, .bytes = bytes };
		memcpy(room->digest, row->digest, 16);
	}
	return BERTH_OK;
}

static berth_status report(struct berth__finding_run *run, void *state)
{
	const struct duplicates *duplicates = state;
	char text[BERTH__BYTES_TEXT];
	berth_finding *finding;

	if (duplicates->bytes < BYTES_MIN ||
	    berth__percent(duplicates->bytes, run->peak_bytes) < PERCENT_MIN)
		return BERTH_OK;
	finding = berth__finding_add(run, BERTH_FINDING_DUPLICATE);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->count = duplicates->count;
	finding->bytes = duplicates->bytes;
	finding->op = duplicates->op;
	berth__finding_name(finding, duplicates->first_object);
	berth__finding_name(finding, duplicates->object);
	berth__finding_say(finding,
			   "%" PRIu64 " objects were filled with bytes that another object held at the "
			   "time: %s; first at op %" PRIu64 ", object %" PRIu64 " as object %" PRIu64,
			   duplicates->count, berth__bytes_text(text, duplicates->bytes),
			   duplicates->op, duplicates->object, duplicates->first_object);
	berth__finding_advise(finding, "upload once, and let all use the one object, or sub-buffers of it");
	return BERTH_OK;
}

const struct berth__analyser berth__finding_duplicates = {
	.state_bytes = sizeof(struct duplicates),
	.op = op,
	.report = report,
};
