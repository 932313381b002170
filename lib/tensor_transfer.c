/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moving bytes between the host, where rows are packed, and storages, where they may be
 * padded; and pinned memory.
 */
#include "tensor_internal.h"

#include <CL/cl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pool_internal.h"

berth_status berth__site_execute(struct berth__site *site, const berth_op *op, berth_result *result)
{
	return berth__answer_status(site->pool, berth_pool_execute(site->pool, op, result), result);
}

/* Where a transfer goes on the device. */
struct target {
	struct berth__site *site;
	uint64_t object;
	uint64_t offset_bytes; /* of the storage in it */
	uint64_t row_bytes, row_pitch_bytes;
	bool padded;
	bool no_wait;
};

static berth_status find_target(struct target *out, const struct berth__home *home)
{
	const berth_geometry *geometry = &home->geometry;
	berth_storage_info info;
	berth_status st = berth_storage_get_info(&info, home->site->pool, home->storage);

	if (st != BERTH_OK)
		return st;
	*out = (struct target){
		.site = home->site,
		.object = info.object,
		.offset_bytes = info.offset_bytes,
		.row_bytes = geometry->width * geometry->element_bytes,
		.row_pitch_bytes = geometry->row_pitch_bytes,
	};
	out->padded = out->row_bytes != out->row_pitch_bytes;
	return BERTH_OK;
}

/* One command's part of a transfer. */
struct piece {
	uint64_t offset_bytes; /* in the object */
	uint64_t bytes;	       /* of the host */
	uint64_t rows;	       /* 1: bytes in a row */
};

/*
 * The first part of [offset, offset + bytes): up to the end of a row that is begun, or
 * whole rows, or what is left; not more than fits the staging memory.
 */
static struct piece first_piece(const struct target *target, uint64_t offset_bytes, uint64_t bytes)
{
	const struct berth__pinned *staging = target->no_wait ? NULL : target->site->staging;
	uint64_t most = staging && staging->bytes < bytes ? staging->bytes : bytes;
	uint64_t row = offset_bytes / target->row_bytes, column = offset_bytes % target->row_bytes;
	struct piece piece = { target->offset_bytes + offset_bytes, most, 1 };

	if (!target->padded)
		return piece;
	piece.offset_bytes = target->offset_bytes + row * target->row_pitch_bytes + column;
	if (column == 0 && most >= target->row_bytes) {
		piece.rows = most / target->row_bytes;
		piece.bytes = piece.rows * target->row_bytes;
	} else if (piece.bytes > target->row_bytes - column) {
		piece.bytes = target->row_bytes - column;
	}
	return piece;
}

static berth_op transfer_op(const struct target *target, const struct piece *piece,
			    berth_op_kind kind)
{
	berth_op op = { .kind = kind,
			.form = piece->rows > 1 ? BERTH_FORM_RECT : BERTH_FORM_LINEAR,
			.bits = target->no_wait ? 0 : BERTH_OP_BLOCKING,
			.object = target->object };

	if (piece->rows == 1) {
		op.offset_bytes = piece->offset_bytes;
		op.bytes = piece->bytes;
		return op;
	}
	op.region.origin[0] = piece->offset_bytes;
	op.region.extent[0] = target->row_bytes;
	op.region.extent[1] = piece->rows;
	op.region.extent[2] = 1;
	op.region.row_pitch_bytes = target->row_pitch_bytes;
	return op;
}

static void count(struct target *target, berth_op_kind kind, uint64_t bytes)
{
	berth_site_stats *stats = &target->site->stats;

	if (kind == BERTH_OP_WRITE) {
		stats->to_device_bytes += bytes;
		stats->to_device_count++;
	} else {
		stats->to_host_bytes += bytes;
		stats->to_host_count++;
	}
}

static berth_status move_piece(struct target *target, const struct piece *piece, berth_op_kind kind,
			       char *host)
{
	struct berth__pinned *staging = target->no_wait ? NULL : target->site->staging;
	berth_op op = transfer_op(target, piece, kind);
	berth_result result;
	berth_status st;

	if (staging && kind == BERTH_OP_WRITE)
		memcpy(staging->memory, host, piece->bytes);
	berth_op_set_host(&op, staging ? staging->memory : host);
	st = berth__site_execute(target->site, &op, &result);
	if (st != BERTH_OK)
		return st;
	if (staging && kind == BERTH_OP_READ)
		memcpy(host, staging->memory, piece->bytes);
	count(target, kind, piece->bytes);
	return BERTH_OK;
}

static berth_status move(struct target *target, berth_op_kind kind, char *host,
			 uint64_t offset_bytes, uint64_t bytes)
{
	while (bytes > 0) {
		struct piece piece = first_piece(target, offset_bytes, bytes);
		berth_status st = move_piece(target, &piece, kind, host);

		if (st != BERTH_OK)
			return st;
		host += piece.bytes;
		offset_bytes += piece.bytes;
		bytes -= piece.bytes;
	}
	return BERTH_OK;
}

berth_status berth__upload(struct berth__record *record, const struct berth__home *home,
			   const struct berth__ranges *ranges, bool no_wait)
{
	struct target target;
	berth_status st = find_target(&target, home);

	target.no_wait = no_wait;
	for (size_t i = 0; st == BERTH_OK && i < ranges->count; i++) {
		const struct berth__range *range = &ranges->items[i];

		st = move(&target, BERTH_OP_WRITE, (char *)record->host + range->start,
			  range->start, range->end - range->start);
	}
	return st;
}

berth_status berth__upload_from(const struct berth__home *home, const void *content,
				uint64_t offset_bytes, uint64_t bytes)
{
	struct target target;
	berth_status st = find_target(&target, home);

	/* A write takes its bytes as an op has them: it does not change them. */
	return st == BERTH_OK ? move(&target, BERTH_OP_WRITE, (char *)content, offset_bytes, bytes)
			      : st;
}

berth_status berth__download(struct berth__record *record, uint64_t start, uint64_t end)
{
	struct target target;
	berth_status st = find_target(&target, &record->home);

	return st == BERTH_OK ? move(&target, BERTH_OP_READ, (char *)record->host + start, start,
				     end - start)
			      : st;
}

/* All of a storage, padding too where the pitches agree. */
static berth_op copy_op(const struct target *to, const struct target *from,
			const struct berth__home *home)
{
	berth_op op = { .kind = BERTH_OP_COPY,
			.form = BERTH_FORM_LINEAR,
			.object = from->object,
			.other = to->object };

	if (to->row_pitch_bytes == from->row_pitch_bytes) {
		op.offset_bytes = from->offset_bytes;
		op.other_offset_bytes = to->offset_bytes;
		op.bytes = home->geometry.bytes;
		return op;
	}
	op.form = BERTH_FORM_RECT;
	op.region.origin[0] = from->offset_bytes;
	op.region.other_origin[0] = to->offset_bytes;
	op.region.extent[0] = from->row_bytes;
	op.region.extent[1] = home->geometry.height;
	op.region.extent[2] = 1;
	op.region.row_pitch_bytes = from->row_pitch_bytes;
	op.region.other_row_pitch_bytes = to->row_pitch_bytes;
	return op;
}

static void release_buffer(struct berth__site *site, uint64_t object)
{
	const berth_op release = { .kind = BERTH_OP_RELEASE, .object = object };
	berth_result result;
	berth_status st = berth_pool_execute(site->pool, &release, &result);

	(void)st; /* A device that will not release it has it still; nobody names it again. */
}

static berth_status sync(struct berth__site *site)
{
	const berth_op op = { .kind = BERTH_OP_SYNC };
	berth_result result;

	return berth__site_execute(site, &op, &result);
}

/*
 * From another device's object: its commands come to an end before, and the copy before
 * its storage can serve others.
 */
static berth_status copy_borrowed(struct berth__site *to, struct berth__site *from, berth_op *copy)
{
	const uint64_t id = to->residency->next_id++;
	berth_result result;
	berth_status st = berth_pool_borrow(to->pool, id, from->pool, copy->object);

	if (st != BERTH_OK)
		return st;
	copy->object = id;
	st = sync(from);
	if (st == BERTH_OK)
		st = berth__site_execute(to, copy, &result);
	if (st == BERTH_OK)
		st = sync(to);
	release_buffer(to, id);
	return st;
}

berth_status berth__copy_home(const struct berth__home *to, const struct berth__home *from,
			      uint64_t bytes)
{
	struct target target, source;
	berth_result result;
	berth_op op;
	berth_status st = find_target(&target, to);

	if (st == BERTH_OK)
		st = find_target(&source, from);
	if (st != BERTH_OK)
		return st;
	op = copy_op(&target, &source, from);
	st = berth_pool_device(to->site->pool) == berth_pool_device(from->site->pool)
		     ? berth__site_execute(to->site, &op, &result)
		     : copy_borrowed(to->site, from->site, &op);
	if (st == BERTH_OK) {
		to->site->stats.on_device_bytes += bytes;
		to->site->stats.on_device_count++;
	}
	return st;
}

berth_status berth__record_to_host(struct berth__record *record, uint64_t start, uint64_t end)
{
	struct berth__ranges newer = { 0 };
	berth_status st;

	if (berth__ranges_common_bytes(&record->stale_host, RANGE_SET(start, end)) == 0)
		return BERTH_OK;
	st = berth__record_prepare(record, true);
	if (st == BERTH_OK &&
	    !berth__ranges_append_common(&newer, &record->stale_host, start, end, start))
		st = berth_error_set(BERTH_E_NOMEM, 0,
				     "no memory for the ranges of tensor %" PRIu64, record->serial);
	for (size_t i = 0; st == BERTH_OK && i < newer.count; i++)
		st = berth__download(record, newer.items[i].start, newer.items[i].end);
	if (st == BERTH_OK)
		berth__ranges_remove(&record->stale_host, RANGE_SET(start, end));
	berth__ranges_free(&newer);
	return st;
}

static berth_status map_buffer(struct berth__pinned *pinned)
{
	const berth_op map = { .kind = BERTH_OP_MAP,
			       .form = BERTH_FORM_LINEAR,
			       .bits = BERTH_OP_BLOCKING,
			       .object = pinned->object,
			       .mapping = pinned->mapping,
			       .flags = CL_MAP_READ | CL_MAP_WRITE,
			       .bytes = pinned->bytes };
	berth_result result;
	berth_status st = berth__site_execute(pinned->site, &map, &result);

	if (st == BERTH_OK && !result.mapped)
		st = berth_error_set(BERTH_E_UNSUPPORTED, 0, "%s has no bytes: no pinned memory",
				     berth_device_name(berth_pool_device(pinned->site->pool)));
	pinned->memory = result.mapped;
	return st;
}

berth_status berth__pinned_take(struct berth__pinned **out, struct berth__site *site,
				uint64_t bytes)
{
	berth_residency *residency = site->residency;
	struct berth__pinned *pinned = calloc(1, sizeof(*pinned));
	berth_op create = { .kind = BERTH_OP_BUFFER_CREATE,
			    .flags = CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
			    .bytes = bytes };
	berth_result result;
	berth_status st;

	if (!pinned)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for pinned memory's record");
	pinned->site = site;
	pinned->bytes = bytes;
	pinned->object = create.object = residency->next_id++;
	pinned->mapping = residency->next_id++;
	st = berth__site_execute(site, &create, &result);
	if (st == BERTH_OK) {
		st = map_buffer(pinned);
		if (st != BERTH_OK)
			release_buffer(site, pinned->object);
	}
	if (st != BERTH_OK) {
		free(pinned);
		return st;
	}
	LIST_INSERT_HEAD(&residency->pinned, pinned, link);
	*out = pinned;
	return BERTH_OK;
}

void berth__pinned_give(struct berth__pinned *pinned)
{
	berth_op unmap = { .kind = BERTH_OP_UNMAP,
			   .object = pinned->object,
			   .mapping = pinned->mapping };
	berth_result result;
	berth_status st;

	berth_op_set_host(&unmap, pinned->memory);
	st = berth_pool_execute(pinned->site->pool, &unmap, &result);
	(void)st; /* As release_buffer(). */
	release_buffer(pinned->site, pinned->object);
	LIST_REMOVE(pinned, link);
	free(pinned);
}

berth_status berth_pinned_create(void **out, berth_residency *residency, uint32_t index,
				 uint64_t bytes)
{
	struct berth__pinned *pinned;
	struct berth__site *site;
	berth_status st = BERTH_E_INVAL;

	if (bytes == 0)
		return berth_error_set(BERTH_E_INVAL, 0, "pinned memory of 0 bytes");
	berth__residency_lock(residency);
	site = berth__site_find(residency, index);
	if (site)
		st = berth__pinned_take(&pinned, site, bytes);
	if (st == BERTH_OK)
		*out = pinned->memory;
	berth__residency_unlock(residency);
	return st;
}

berth_status berth_pinned_release(berth_residency *residency, void *memory)
{
	struct berth__pinned *pinned;

	berth__residency_lock(residency);
	LIST_FOREACH(pinned, &residency->pinned, link)
	{
		if (pinned->memory == memory && pinned != pinned->site->staging)
			break;
	}
	if (pinned)
		berth__pinned_give(pinned);
	berth__residency_unlock(residency);
	return pinned ? BERTH_OK
		      : berth_error_set(BERTH_E_STATE, 0,
					"%p is not pinned memory, or was released", memory);
}
