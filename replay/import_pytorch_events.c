/* SPDX-License-Identifier: Apache-2.0 */
/* What a snapshot's events do to memory: of blocks, or of the segments they are cut from. */
#include "import_pytorch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum effect { IGNORED, BEGINS, ENDS, FAILS, MARKS };

/*
 * A block may be used again when its free is completed, after what the device still did with it;
 * expandable segments are mapped and unmapped in parts. Other actions do nothing to memory.
 */
static const struct action {
	const char *name;
	enum effect of_blocks, of_segments;
} actions[] = {
	{ "alloc", BEGINS, IGNORED },
	{ "free_requested", IGNORED, IGNORED },
	{ "free_completed", ENDS, IGNORED },
	{ "segment_alloc", IGNORED, BEGINS },
	{ "segment_free", IGNORED, ENDS },
	{ "segment_map", IGNORED, BEGINS },
	{ "segment_unmap", IGNORED, ENDS },
	{ "oom", FAILS, FAILS },
	{ "snapshot", MARKS, MARKS },
	{ "user_defined", IGNORED, IGNORED },
};

#define ACTIONS (sizeof(actions) / sizeof(actions[0]))

struct event {
	struct berth__torch_at at;
	berth__pickle_value entry;
	enum effect effect;
	uint64_t address, bytes;
};

static berth_status read_event(struct event *event, const struct berth__torch *torch,
			       uint32_t device, uint32_t index)
{
	berth__pickle_value value;
	const char *name = NULL;
	berth_status st;

	*event = (struct event){ .at = { "device_traces", device, index },
				 .entry = berth__pickle_item(torch->pickle,
							     torch->devices[device].entries, index) };
	if ((st = berth__torch_check_work(torch)) != BERTH_OK)
		return st;
	if (berth__pickle_find(&value, torch->pickle, event->entry, "action"))
		name = berth__pickle_text(torch->pickle, value);
	if (!name)
		return berth__torch_bad(torch, &event->at, "there is no 'action'");
	for (size_t i = 0; i < ACTIONS; i++)
		if (strcmp(actions[i].name, name) == 0)
			event->effect = torch->import->options->segments ? actions[i].of_segments
									 : actions[i].of_blocks;
	if (event->effect == IGNORED || event->effect == MARKS)
		return BERTH_OK;
	st = berth__torch_number(&event->bytes, torch, &event->at, event->entry, "size");
	if (st == BERTH_OK && event->effect != FAILS)
		st = berth__torch_number(&event->address, torch, &event->at, event->entry, "addr");
	return st;
}

/* ---- what was there before ---- */

/* bytes of an entry: 1 while it is allocated, as far as the history says. */
struct before {
	struct berth__torch *torch;
	uint32_t device;
	struct berth__id_map seen;
};

static berth_status put_early(struct before *before, berth__pickle_value entry, uint64_t address,
			      uint64_t bytes)
{
	const struct berth__import_place place = { .context = before->device + 1 };

	return berth__torch_create(before->torch, &before->torch->devices[before->device].live,
				   &place, entry, (struct berth__id_entry){ address, 0, bytes });
}

static berth_status see_begin(struct before *before, const struct event *event)
{
	struct berth__id_entry *there = berth__id_map_find(&before->seen, event->address);
	const struct berth__id_entry made = { event->address, 1, 1 };

	if (there && there->bytes)
		return berth__torch_bad(before->torch, &event->at,
					"0x%" PRIx64 " is allocated, and is already",
					event->address);
	if (!there)
		return berth__id_map_add(&before->seen, &made);
	there->bytes = 1;
	return BERTH_OK;
}

static berth_status see_end(struct before *before, const struct event *event)
{
	struct berth__id_entry *there = berth__id_map_find(&before->seen, event->address);
	const struct berth__id_entry gone = { event->address, 1, 0 };
	berth_status st;

	if (there && !there->bytes)
		return berth__torch_bad(before->torch, &event->at,
					"0x%" PRIx64 " is freed, and is not allocated",
					event->address);
	if (there) {
		there->bytes = 0;
		return BERTH_OK;
	}
	st = put_early(before, event->entry, event->address, event->bytes);
	return st == BERTH_OK ? berth__id_map_add(&before->seen, &gone) : st;
}

static berth_status see_history(struct before *before)
{
	struct event event;
	berth_status st = BERTH_OK;

	for (uint32_t i = 0; st == BERTH_OK && i < before->torch->devices[before->device].count; i++) {
		st = read_event(&event, before->torch, before->device, i);
		if (st == BERTH_OK && event.effect == BEGINS)
			st = see_begin(before, &event);
		else if (st == BERTH_OK && event.effect == ENDS)
			st = see_end(before, &event);
	}
	return st;
}

/* There at the end, without a beginning. */
static berth_status see_last(struct before *before, const struct berth__torch_at *at,
			     berth__pickle_value entry, uint64_t address, uint64_t bytes)
{
	const struct berth__id_entry made = { address, 1, 1 };
	struct berth__id_entry *there = berth__id_map_find(&before->seen, address);
	berth_status st;

	if (there && there->bytes)
		return BERTH_OK;
	/* Freed as the last that is known: the two parts of the file contradict each other. */
	if (there)
		return berth__torch_bad(before->torch, at,
					"0x%" PRIx64 " is allocated, and the history freed it",
					address);
	st = put_early(before, entry, address, bytes);
	return st == BERTH_OK ? berth__id_map_add(&before->seen, &made) : st;
}

/* The size that was asked for, where it is said. */
static berth_status block_bytes(uint64_t *out, const struct berth__torch *torch,
				const struct berth__torch_at *at, berth__pickle_value block)
{
	berth__pickle_value value;

	if (berth__pickle_find(&value, torch->pickle, block, "requested_size") &&
	    berth__pickle_number(out, torch->pickle, value) && *out > 0)
		return BERTH_OK;
	return berth__torch_number(out, torch, at, block, "size");
}

/* Blocks lie one behind the other; later versions say where, too. */
static berth_status see_blocks(struct before *before, berth__pickle_value segment, uint32_t index,
			       uint64_t address)
{
	const struct berth__torch *torch = before->torch;
	berth__pickle_value blocks, value;
	berth_status st = BERTH_OK;

	if (!berth__pickle_find(&blocks, torch->pickle, segment, "blocks"))
		return BERTH_OK;
	for (uint32_t i = 0; st == BERTH_OK && i < berth__pickle_count(torch->pickle, blocks); i++) {
		const struct berth__torch_at at = { "segments", index, i };
		berth__pickle_value block = berth__pickle_item(torch->pickle, blocks, i);
		const char *state = NULL;
		uint64_t size, bytes;

		if ((st = berth__torch_check_work(torch)) != BERTH_OK ||
		    (st = berth__torch_number(&size, torch, &at, block, "size")) != BERTH_OK)
			return st;
		if (berth__pickle_find(&value, torch->pickle, block, "state"))
			state = berth__pickle_text(torch->pickle, value);
		if (!state)
			return berth__torch_bad(torch, &at, "there is no 'state'");
		if (strncmp(state, "active", strlen("active")) == 0 &&
		    (st = block_bytes(&bytes, torch, &at, block)) == BERTH_OK)
			st = see_last(before, &at, block, address, bytes);
		if (st == BERTH_OK && __builtin_add_overflow(address, size, &address))
			st = berth__torch_bad(torch, &at, "its end is past 64 bits of address");
	}
	return st;
}

static bool is_true(const struct berth__torch *torch, berth__pickle_value dict, const char *key)
{
	berth__pickle_value value;

	return berth__pickle_find(&value, torch->pickle, dict, key) &&
	       berth__pickle_truth(torch->pickle, value);
}

static berth_status see_segment(struct before *befores, struct berth__torch *torch, uint32_t index)
{
	const struct berth__torch_at at = { "segments", index, 0 };
	berth__pickle_value segment = berth__pickle_item(torch->pickle, torch->segments, index), value;
	uint64_t address, bytes, device = 0;
	struct before *before;
	berth_status st = berth__torch_check_work(torch);

	if (st == BERTH_OK)
		st = berth__torch_number(&address, torch, &at, segment, "address");
	if (st == BERTH_OK && berth__pickle_find(&value, torch->pickle, segment, "device"))
		st = berth__torch_number(&device, torch, &at, segment, "device");
	if (st != BERTH_OK)
		return st;
	if (device >= BERTH__TORCH_DEVICES_MAX)
		return berth__torch_bad(torch, &at, "device %" PRIu64 "; there can be %u", device,
					BERTH__TORCH_DEVICES_MAX);
	before = &befores[device];
	before->torch = torch;
	before->device = (uint32_t)device;
	if (!torch->import->options->segments)
		return see_blocks(before, segment, index, address);
	/* These were mapped in parts, and the list has them joined. */
	if (is_true(torch, segment, "is_expandable"))
		return BERTH_OK;
	st = berth__torch_number(&bytes, torch, &at, segment, "total_size");
	return st == BERTH_OK ? see_last(before, &at, segment, address, bytes) : st;
}

berth_status berth__torch_put_before(struct berth__torch *torch)
{
	struct before *befores = calloc(BERTH__TORCH_DEVICES_MAX, sizeof(*befores));
	berth_status st = BERTH_OK;

	if (!befores)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a snapshot's devices");
	for (uint32_t i = 0; st == BERTH_OK && i < torch->device_count; i++) {
		befores[i].torch = torch;
		befores[i].device = i;
		st = see_history(&befores[i]);
	}
	for (uint32_t i = 0; st == BERTH_OK && i < torch->segment_count; i++)
		st = see_segment(befores, torch, i);
	for (uint32_t i = 0; i < BERTH__TORCH_DEVICES_MAX; i++)
		berth__id_map_free(&befores[i].seen);
	free(befores);
	return st;
}

/* ---- the history ---- */

static berth_status put_end(struct berth__torch *torch, struct berth__torch_device *device,
			    const struct berth__import_place *place, const struct event *event)
{
	struct berth__id_entry *there = berth__id_map_find(&device->live, event->address);
	berth_status st;

	/* Of no bytes: it was left out as well. */
	if (!there)
		return BERTH_OK;
	/* A segment is an object here, and ends as one: half of it would be another. */
	if (torch->import->options->segments && there->bytes != event->bytes)
		return berth__torch_bad(torch, &event->at,
					"%" PRIu64 " bytes at 0x%" PRIx64 " end, and %" PRIu64
					" began there: mappings in parts are not read",
					event->bytes, event->address, there->bytes);
	st = berth__import_release(&torch->import->sink, place, there->id);
	if (st == BERTH_OK)
		berth__id_map_remove(&device->live, there);
	return st;
}

berth_status berth__torch_put(struct berth__torch *torch, uint32_t device, uint32_t index,
			      uint64_t t_ns)
{
	const struct berth__import_place place = { .t_ns = t_ns, .context = device + 1 };
	struct berth__import_sink *sink = &torch->import->sink;
	struct event event;
	berth_status st = read_event(&event, torch, device, index);

	if (st != BERTH_OK)
		return st;
	switch (event.effect) {
	case IGNORED:
		break;
	case BEGINS:
		return berth__torch_create(torch, &torch->devices[device].live, &place, event.entry,
					   (struct berth__id_entry){ event.address, 0, event.bytes });
	case ENDS:
		return put_end(torch, &torch->devices[device], &place, &event);
	case FAILS:
		return berth__import_failure(sink, &place, event.bytes);
	case MARKS:
		return berth__import_label(sink, &place, BERTH_ID_NONE, "snapshot");
	}
	return BERTH_OK;
}
