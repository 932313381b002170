/* SPDX-License-Identifier: Apache-2.0 */
/* The input of a plan: every way in which it can be wrong, and its in-place chains. */
#include "plan_input.h"

#include <inttypes.h>
#include <stdlib.h>

/* Sums of all sizes, of offsets and of round-ups stay below it, so no later sum can wrap. */
#define TOTAL_MAX (UINT64_MAX >> 3)

#define NO_CHAIN UINT32_MAX

static berth_status invalid(uint32_t request, const char *what)
{
	return berth_error_set(BERTH_E_INVAL, 0, "request %" PRIu32 ": %s", request, what);
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* *align = the least common multiple of both; 0 counts as 1. */
static bool add_alignment(uint64_t *align, uint64_t other)
{
	uint64_t both;

	if (other == 0)
		return true;
	if (__builtin_mul_overflow(*align / greatest_divisor(*align, other), other, &both) ||
	    both > TOTAL_MAX)
		return false;
	*align = both;
	return true;
}

static berth_status check_lifetime(const berth_plan_input *input, uint32_t i)
{
	const berth_plan_request *request = &input->requests[i];

	if (input->by_conflicts || request->whole_run || request->upper > request->lower)
		return BERTH_OK;
	return berth_error_set(BERTH_E_INVAL, 0,
			       "request %" PRIu32 ": alive from %" PRIu64 " up to %" PRIu64
			       ", which is no time: the end must be above the start",
			       i, request->lower, request->upper);
}

static berth_status check_in_place(const berth_plan_input *input, uint32_t i)
{
	const berth_plan_request *request = &input->requests[i], *source;
	uint32_t of = request->in_place_of;

	if (of == BERTH_PLAN_NO_REQUEST)
		return BERTH_OK;
	if (of >= input->request_count)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "request %" PRIu32 ": in place of request %" PRIu32
				       ", but there are %zu",
				       i, of, input->request_count);
	source = &input->requests[of];
	if (of == i)
		return invalid(i, "in place of itself");
	if (source->arena_group != request->arena_group)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "request %" PRIu32 ": in place of request %" PRIu32
				       ", which is of arena group %" PRIu32 ", not %" PRIu32,
				       i, of, source->arena_group, request->arena_group);
	if (!input->by_conflicts && !request->whole_run && !source->whole_run &&
	    (request->lower < source->lower || request->lower > source->upper))
		return berth_error_set(BERTH_E_INVAL, 0,
				       "request %" PRIu32 ": starts at %" PRIu64
				       ", but takes over request %" PRIu32 ", alive from %" PRIu64
				       " up to %" PRIu64,
				       i, request->lower, of, source->lower, source->upper);
	return BERTH_OK;
}

static berth_status check_size(const berth_plan_input *input, uint32_t i, uint64_t *total)
{
	const berth_plan_request *request = &input->requests[i];
	uint64_t limit = input->caps.max_arena_bytes, pinned = request->pinned_offset_bytes, end;

	if (limit && request->bytes > limit)
		return berth_error_set(BERTH_E_LIMIT, 0,
				       "request %" PRIu32 ": %" PRIu64
				       " bytes do not fit an arena of at most %" PRIu64,
				       i, request->bytes, limit);
	if (__builtin_add_overflow(*total, request->bytes, total) || *total > TOTAL_MAX)
		return berth_error_set(BERTH_E_OVERFLOW, 0,
				       "request %" PRIu32 ": the sizes up to it pass %" PRIu64
				       " bytes together",
				       i, (uint64_t)TOTAL_MAX);
	if (pinned == BERTH_PLAN_ANYWHERE)
		return BERTH_OK;
	if (__builtin_add_overflow(pinned, request->bytes, &end) || end > TOTAL_MAX ||
	    (limit && end > limit))
		return berth_error_set(
			BERTH_E_LIMIT, 0,
			"request %" PRIu32 ": %" PRIu64 " bytes pinned at offset %" PRIu64
			" do not fit an arena of at most %" PRIu64,
			i, request->bytes, pinned, limit ? limit : (uint64_t)TOTAL_MAX);
	return BERTH_OK;
}

static berth_status check_requests(const berth_plan_input *input)
{
	uint64_t total = 0;
	berth_status st = BERTH_OK;

	if (input->request_count > BERTH_PLAN_REQUESTS_MAX)
		return berth_error_set(BERTH_E_INVAL, 0, "%zu requests are more than %u",
				       input->request_count, BERTH_PLAN_REQUESTS_MAX);
	for (uint32_t i = 0; i < input->request_count; i++) {
		if ((st = check_lifetime(input, i)) != BERTH_OK ||
		    (st = check_in_place(input, i)) != BERTH_OK ||
		    (st = check_size(input, i, &total)) != BERTH_OK)
			return st;
	}
	return BERTH_OK;
}

static berth_status check_conflicts(const berth_plan_input *input)
{
	if (!input->by_conflicts)
		return BERTH_OK;
	for (size_t i = 0; i < input->conflict_count; i++) {
		const berth_plan_conflict *pair = &input->conflicts[i];

		if (pair->a >= input->request_count || pair->b >= input->request_count)
			return berth_error_set(BERTH_E_INVAL, 0,
					       "conflict %zu: of requests %" PRIu32 " and %" PRIu32
					       ", but there are %zu",
					       i, pair->a, pair->b, input->request_count);
		if (pair->a == pair->b)
			return berth_error_set(BERTH_E_INVAL, 0,
					       "conflict %zu: request %" PRIu32 " with itself", i,
					       pair->a);
	}
	return BERTH_OK;
}

/* Let a request join a chain. */
static berth_status join(struct plan_chain *chain, const berth_plan_input *input, uint32_t i)
{
	const berth_plan_request *request = &input->requests[i];
	uint64_t pinned = request->pinned_offset_bytes;

	if (!add_alignment(&chain->align_bytes, request->align_bytes))
		return invalid(i, "its alignment, with those it is combined with, is too large");
	if (pinned != BERTH_PLAN_ANYWHERE) {
		if (chain->pinned_offset_bytes != BERTH_PLAN_ANYWHERE &&
		    chain->pinned_offset_bytes != pinned)
			return invalid(i, "pinned elsewhere than what it is in place of");
		chain->pinned_offset_bytes = pinned;
	}
	chain->bytes = request->bytes > chain->bytes ? request->bytes : chain->bytes;
	chain->lower = request->lower < chain->lower ? request->lower : chain->lower;
	chain->upper = request->upper > chain->upper ? request->upper : chain->upper;
	chain->whole_run |= request->whole_run;
	return BERTH_OK;
}

static berth_status check_chain(const struct plan_chain *chain, const berth_plan_input *input)
{
	uint64_t pinned = chain->pinned_offset_bytes, limit = input->caps.max_arena_bytes;

	if (pinned == BERTH_PLAN_ANYWHERE)
		return BERTH_OK;
	if (pinned % chain->align_bytes)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "request %" PRIu32 ": pinned at offset %" PRIu64
				       ", which is no multiple of its alignment, %" PRIu64,
				       chain->request, pinned, chain->align_bytes);
	if (limit && chain->bytes > limit - pinned)
		return berth_error_set(BERTH_E_LIMIT, 0,
				       "request %" PRIu32 ": pinned at offset %" PRIu64
				       ", with %" PRIu64
				       " bytes taken over in place, passes an arena of %" PRIu64,
				       chain->request, pinned, chain->bytes, limit);
	return BERTH_OK;
}

/* @next[i]: who takes request i over, or BERTH_PLAN_NO_REQUEST. */
static berth_status follow(struct plan_chains *out, const berth_plan_input *input, uint32_t first,
			   const uint32_t *next)
{
	struct plan_chain *chain = &out->chains[out->count];
	berth_status st;

	*chain = (struct plan_chain){ .lower = UINT64_MAX,
				      .align_bytes = 1,
				      .pinned_offset_bytes = BERTH_PLAN_ANYWHERE,
				      .arena_group = input->requests[first].arena_group,
				      .request = first };
	if (!add_alignment(&chain->align_bytes, input->caps.align_bytes))
		return berth_error_set(BERTH_E_INVAL, 0, "an alignment of %" PRIu64 " is too large",
				       input->caps.align_bytes);
	for (uint32_t i = first; i != BERTH_PLAN_NO_REQUEST; i = next[i]) {
		st = join(chain, input, i);
		if (st != BERTH_OK)
			return st;
		out->of_request[i] = out->count;
	}
	out->count++;
	return check_chain(chain, input);
}

static berth_status find_chains(struct plan_chains *out, const berth_plan_input *input,
				uint32_t *next)
{
	uint32_t count = (uint32_t)input->request_count;
	berth_status st;

	for (uint32_t i = 0; i < count; i++) {
		next[i] = BERTH_PLAN_NO_REQUEST;
		out->of_request[i] = NO_CHAIN;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t of = input->requests[i].in_place_of;

		if (of == BERTH_PLAN_NO_REQUEST)
			continue;
		if (next[of] != BERTH_PLAN_NO_REQUEST)
			return berth_error_set(BERTH_E_INVAL, 0,
					       "request %" PRIu32 ": in place of request %" PRIu32
					       ", which request %" PRIu32 " takes over already",
					       i, of, next[of]);
		next[of] = i;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (input->requests[i].in_place_of != BERTH_PLAN_NO_REQUEST)
			continue;
		st = follow(out, input, i, next);
		if (st != BERTH_OK)
			return st;
	}
	/* What no first request leads to goes round in a ring. */
	for (uint32_t i = 0; i < count; i++)
		if (out->of_request[i] == NO_CHAIN)
			return invalid(i, "in place of itself, by others");
	return BERTH_OK;
}

berth_status berth__plan_chains_init(struct plan_chains *out, const berth_plan_input *input)
{
	struct plan_chains made = { 0 };
	uint32_t *next = NULL;
	berth_status st;

	if ((st = check_requests(input)) != BERTH_OK || (st = check_conflicts(input)) != BERTH_OK)
		return st;
	made.chains = calloc(input->request_count + 1, sizeof(*made.chains));
	made.of_request = calloc(input->request_count + 1, sizeof(*made.of_request));
	next = calloc(input->request_count + 1, sizeof(*next));
	if (made.chains && made.of_request && next)
		st = find_chains(&made, input, next);
	else
		st = berth_error_set(BERTH_E_NOMEM, 0, "no memory for %zu requests of a plan",
				     input->request_count);
	free(next);
	if (st != BERTH_OK) {
		berth__plan_chains_fini(&made);
		return st;
	}
	*out = made;
	return BERTH_OK;
}

void berth__plan_chains_fini(struct plan_chains *chains)
{
	free(chains->chains);
	free(chains->of_request);
}
