/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan on a pool. Which bytes of an arena are taken is kept as ranges in the order of
 * their offsets: they never overlap, so a new one has two neighbours to look at.
 */
#include <berth/planned.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct range {
	uint64_t begin, end;
};

struct arena {
	berth_storage storage; /* 0: the arena is empty */
	struct range *ranges;  /* taken */
	size_t range_count, range_capacity;
};

struct berth_planned {
	berth_pool *pool;
	size_t request_count;
	berth_plan_place *places;
	uint64_t *bytes; /* of each request */
	uint32_t arena_count;
	struct arena *arenas;
	berth_planned_stats stats;
};

static berth_status no_memory(void)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "no memory to put a plan to use");
}

static berth_status take_arenas(berth_planned *planned, const berth_plan *plan)
{
	berth_status st = BERTH_OK;

	for (uint32_t i = 0; st == BERTH_OK && i < plan->arena_count; i++) {
		if (plan->arena_bytes[i] > 0)
			st = berth_storage_create(&planned->arenas[i].storage, planned->pool,
						  plan->arena_bytes[i], NULL);
	}
	return st;
}

berth_status berth_planned_create(berth_planned **out, berth_pool *pool,
				  const berth_plan_input *input, const berth_plan *plan)
{
	berth_planned *planned = calloc(1, sizeof(*planned));
	berth_status st;

	if (!planned)
		return no_memory();
	planned->pool = pool;
	planned->request_count = plan->place_count;
	planned->arena_count = plan->arena_count;
	planned->stats.arena_bytes = plan->total_bytes;
	planned->places = calloc(plan->place_count + 1, sizeof(*planned->places));
	planned->bytes = calloc(plan->place_count + 1, sizeof(*planned->bytes));
	planned->arenas = calloc((size_t)plan->arena_count + 1, sizeof(*planned->arenas));
	if (planned->places && planned->bytes && planned->arenas) {
		for (size_t i = 0; i < plan->place_count; i++) {
			planned->places[i] = plan->places[i];
			planned->bytes[i] = input->requests[i].bytes;
		}
		st = take_arenas(planned, plan);
	} else {
		st = no_memory();
	}
	if (st == BERTH_OK)
		*out = planned;
	else
		berth_planned_destroy(planned);
	return st;
}

void berth_planned_destroy(berth_planned *planned)
{
	if (!planned)
		return;
	for (uint32_t i = 0; planned->arenas && i < planned->arena_count; i++) {
		if (planned->arenas[i].storage) {
			berth_status st = berth_storage_release(planned->pool,
								planned->arenas[i].storage, NULL);

			(void)st; /* With live views it stays with the pool, which ends it. */
		}
		free(planned->arenas[i].ranges);
	}
	free(planned->arenas);
	free(planned->places);
	free(planned->bytes);
	free(planned);
}

/* The first taken range that does not end before @offset or at it. */
static size_t find_range(const struct arena *arena, uint64_t offset)
{
	size_t low = 0, high = arena->range_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (arena->ranges[middle].end <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static berth_status reserve_range(struct arena *arena)
{
	size_t capacity = arena->range_capacity ? arena->range_capacity * 2 : 8;
	struct range *grown;

	if (arena->range_count < arena->range_capacity)
		return BERTH_OK;
	grown = reallocarray(arena->ranges, capacity, sizeof(*grown));
	if (!grown)
		return no_memory();
	arena->ranges = grown;
	arena->range_capacity = capacity;
	return BERTH_OK;
}

/* Whether the plan's place for a request is there and free for @bytes. */
static bool place_is_free(size_t *at, const berth_planned *planned, size_t request, uint64_t bytes)
{
	const struct arena *arena;
	uint64_t offset;

	if (request >= planned->request_count || bytes == 0 || bytes > planned->bytes[request])
		return false;
	arena = &planned->arenas[planned->places[request].arena];
	offset = planned->places[request].offset_bytes;
	*at = find_range(arena, offset);
	return *at == arena->range_count || arena->ranges[*at].begin >= offset + bytes;
}

static berth_status take_planned(berth_planned_place *out, berth_planned *planned, size_t at,
				 size_t request, uint64_t bytes)
{
	const berth_plan_place *place = &planned->places[request];
	struct arena *arena = &planned->arenas[place->arena];
	berth_status st = reserve_range(arena);

	if (st != BERTH_OK)
		return st;
	memmove(&arena->ranges[at + 1], &arena->ranges[at],
		(arena->range_count - at) * sizeof(*arena->ranges));
	arena->ranges[at] = (struct range){ place->offset_bytes, place->offset_bytes + bytes };
	arena->range_count++;
	*out = (berth_planned_place){
		.storage = arena->storage,
		.offset_bytes = place->offset_bytes,
		.bytes = bytes,
		.planned = true,
		.arena = place->arena,
		.request = request,
	};
	return BERTH_OK;
}

berth_status berth_planned_take(berth_planned_place *out, berth_planned *planned, size_t request,
				uint64_t bytes)
{
	berth_planned_place place = { .bytes = bytes, .request = request };
	size_t at;
	berth_status st;

	if (place_is_free(&at, planned, request, bytes))
		st = take_planned(&place, planned, at, request, bytes);
	else
		st = berth_storage_create(&place.storage, planned->pool, bytes, NULL);
	if (st != BERTH_OK)
		return st;
	if (place.planned)
		planned->stats.planned++;
	else
		planned->stats.online++;
	planned->stats.live++;
	*out = place;
	return BERTH_OK;
}

berth_status berth_planned_give_back(berth_planned *planned, const berth_planned_place *place)
{
	struct arena *arena;
	size_t at;

	if (!place->planned) {
		berth_status st = berth_storage_release(planned->pool, place->storage, NULL);

		if (st == BERTH_OK)
			planned->stats.live--;
		return st;
	}
	arena = place->arena < planned->arena_count ? &planned->arenas[place->arena] : NULL;
	at = arena ? find_range(arena, place->offset_bytes) : 0;
	if (!arena || at == arena->range_count || arena->ranges[at].begin != place->offset_bytes)
		return berth_error_set(BERTH_E_STATE, 0,
				       "the place at %" PRIu64 " of arena %" PRIu32 " is not taken",
				       place->offset_bytes, place->arena);
	arena->range_count--;
	memmove(&arena->ranges[at], &arena->ranges[at + 1],
		(arena->range_count - at) * sizeof(*arena->ranges));
	planned->stats.live--;
	return BERTH_OK;
}

void berth_planned_get_stats(berth_planned_stats *out, const berth_planned *planned)
{
	*out = planned->stats;
}
