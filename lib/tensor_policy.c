/* SPDX-License-Identifier: Apache-2.0 */
/* Policies: who is evicted. The same residents in the same pool give the same choice. */
#include "tensor_internal.h"

#include <stdlib.h>

/* The first of the candidates that free enough; all when they do not. */
static void take_first(struct berth__plan *plan, uint64_t bytes)
{
	plan->count = 0;
	plan->bytes = 0;
	while (plan->count < plan->candidate_count && plan->bytes < bytes)
		plan->bytes += plan->victims[plan->count++]->home.geometry.bytes;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_use(const void *a, const void *b)
{
	const struct berth__record *const *left = a, *const *right = b;
	int order = compare_numbers((*left)->last_use, (*right)->last_use);

	return order ? order : compare_numbers((*left)->serial, (*right)->serial);
}

static berth_status choose_lru(struct berth__site *site, struct berth__plan *plan, uint64_t bytes,
			       uint64_t piece_bytes)
{
	(void)site;
	(void)piece_bytes;
	qsort(plan->victims, plan->candidate_count, sizeof(struct berth__record *), compare_use);
	take_first(plan, bytes);
	return BERTH_OK;
}

static uint64_t transfer_ns(const berth_transfer_model *model, uint64_t bytes)
{
	if (bytes == 0)
		return 0;
	return model->fixed_ns + (uint64_t)((double)bytes * 1e9 / (double)model->bytes_per_second);
}

/* Of an eviction: there, and back at the next use. */
static uint64_t eviction_ns(const struct berth__site *site, const struct berth__record *record)
{
	uint64_t back = record->has_content ? record->bytes : 0;

	return transfer_ns(&site->options.to_host, berth__record_dirty_bytes(record)) +
	       transfer_ns(&site->options.to_device, back);
}

struct scored {
	double score;
	struct berth__record *record;
};

static int compare_score(const void *a, const void *b)
{
	const struct scored *left = a, *right = b;

	if (left->score != right->score)
		return left->score < right->score ? -1 : 1;
	return compare_use(&left->record, &right->record);
}

/* Leave out whoever the others make unnecessary; the dearest come last, so look there first. */
static void leave_out_unneeded(struct berth__plan *plan, uint64_t bytes)
{
	for (size_t i = plan->count; i-- > 0;) {
		struct berth__record *record = plan->victims[i];
		uint64_t freed = record->home.geometry.bytes;

		if (plan->bytes < bytes || plan->bytes - bytes < freed)
			continue;
		plan->bytes -= freed;
		plan->count--;
		for (size_t next = i; next < plan->count; next++)
			plan->victims[next] = plan->victims[next + 1];
		plan->victims[plan->count] = record;
	}
}

static berth_status choose_cost(struct berth__site *site, struct berth__plan *plan, uint64_t bytes,
				uint64_t piece_bytes)
{
	uint64_t clock = site->residency->clock;
	struct scored *scored = malloc(plan->candidate_count * sizeof(*scored));

	(void)piece_bytes;
	if (!scored)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to plan an eviction");
	for (size_t i = 0; i < plan->candidate_count; i++) {
		struct berth__record *record = plan->victims[i];
		double idle = (double)(clock - record->last_use) + 1;

		scored[i].record = record;
		scored[i].score = (double)eviction_ns(site, record) /
				  ((double)record->home.geometry.bytes * idle);
	}
	qsort(scored, plan->candidate_count, sizeof(*scored), compare_score);
	for (size_t i = 0; i < plan->candidate_count; i++)
		plan->victims[i] = scored[i].record;
	free(scored);
	take_first(plan, bytes);
	leave_out_unneeded(plan, bytes);
	return BERTH_OK;
}

/* What lies side by side in the blocks. */
struct stretch {
	uint64_t bytes;
	struct berth__record *record; /* or NULL: a hole, or what cannot be evicted */
	bool is_barrier;
};

struct survey {
	const struct berth__plan *plan; /* candidates, by storage */
	struct stretch *stretches;
	size_t count, capacity;
	bool no_memory;
};

static int compare_storage(const void *a, const void *b)
{
	const struct berth__record *const *left = a, *const *right = b;

	return compare_numbers((*left)->home.storage, (*right)->home.storage);
}

static int compare_storage_key(const void *key, const void *element)
{
	const struct berth__record *const *record = element;

	return compare_numbers(*(const berth_storage *)key, (*record)->home.storage);
}

static void add_stretch(const berth_span *span, void *userdata)
{
	struct survey *survey = userdata;
	struct stretch *stretches;
	struct berth__record **found = NULL;

	if (survey->count == survey->capacity) {
		survey->capacity = survey->capacity ? 2 * survey->capacity : 64;
		stretches = realloc(survey->stretches, survey->capacity * sizeof(*stretches));
		if (!stretches) {
			survey->no_memory = true;
			survey->capacity = survey->count;
			return;
		}
		survey->stretches = stretches;
	}
	if (span->kind == BERTH_SPAN_STORAGE)
		found = bsearch(&span->storage, survey->plan->victims,
				survey->plan->candidate_count, sizeof(struct berth__record *),
				compare_storage_key);
	survey->stretches[survey->count++] = (struct stretch){
		.bytes = span->bytes,
		.record = found ? *found : NULL,
		.is_barrier = !found && span->kind != BERTH_SPAN_HOLE,
	};
}

/* A run of stretches: [first, end). */
struct run {
	size_t first, end;
	uint64_t piece_bytes, freed_bytes;
	uint64_t cost_ns;
};

static void account(struct run *run, const struct berth__site *site, const struct stretch *stretch,
		    bool in)
{
	uint64_t freed = stretch->record ? stretch->record->home.geometry.bytes : 0;
	uint64_t cost_ns = stretch->record ? eviction_ns(site, stretch->record) : 0;

	if (in) {
		run->piece_bytes += stretch->bytes;
		run->freed_bytes += freed;
		run->cost_ns += cost_ns;
	} else {
		run->piece_bytes -= stretch->bytes;
		run->freed_bytes -= freed;
		run->cost_ns -= cost_ns;
	}
}

/*
 * The cheapest run that frees @bytes and has @piece_bytes in one piece. Each end moves
 * forward only: a run that suffices is cut in front until it does not.
 */
static bool find_run(struct run *best, const struct berth__site *site, const struct survey *survey,
		     uint64_t bytes, uint64_t piece_bytes)
{
	struct run run = { 0 };
	bool found = false;

	while (run.end < survey->count) {
		const struct stretch *next = &survey->stretches[run.end++];

		if (next->is_barrier) {
			run = (struct run){ .first = run.end, .end = run.end };
			continue;
		}
		account(&run, site, next, true);
		while (run.first < run.end && run.freed_bytes >= bytes &&
		       run.piece_bytes >= piece_bytes) {
			if (!found || run.cost_ns < best->cost_ns)
				*best = run;
			found = true;
			account(&run, site, &survey->stretches[run.first++], false);
		}
	}
	return found;
}

static void take_run(struct berth__plan *plan, const struct survey *survey, const struct run *run)
{
	plan->count = 0;
	plan->bytes = 0;
	for (size_t i = run->first; i < run->end; i++) {
		struct berth__record *record = survey->stretches[i].record;

		if (!record)
			continue;
		plan->victims[plan->count++] = record;
		plan->bytes += record->home.geometry.bytes;
	}
}

static berth_status choose_window(struct berth__site *site, struct berth__plan *plan,
				  uint64_t bytes, uint64_t piece_bytes)
{
	struct survey survey = { .plan = plan };
	struct run best;
	berth_status st;

	qsort(plan->victims, plan->candidate_count, sizeof(struct berth__record *),
	      compare_storage);
	st = berth_pool_walk(site->pool, add_stretch, &survey);
	if (st == BERTH_OK && survey.no_memory)
		st = berth_error_set(BERTH_E_NOMEM, 0, "no memory to plan an eviction");
	if (st == BERTH_OK && find_run(&best, site, &survey, bytes, piece_bytes))
		take_run(plan, &survey, &best);
	else if (st == BERTH_OK)
		st = choose_lru(site, plan, bytes, piece_bytes);
	free(survey.stretches);
	return st;
}

berth__choose_fn *const berth__choosers[BERTH_EVICT_END] = {
	[BERTH_EVICT_LRU] = choose_lru,
	[BERTH_EVICT_COST] = choose_cost,
	[BERTH_EVICT_WINDOW] = choose_window,
};
