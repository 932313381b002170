/* SPDX-License-Identifier: Apache-2.0 */
/* A plan by tokens: the requests of a planner's input, in the order of their lifetimes. */
#include <berth/token_plan.h>

#include <inttypes.h>
#include <stdlib.h>

/* While planning. A chain of requests in place of each other is one: that of its head. */
struct planning {
	const berth_plan_input *input;
	uint32_t *head;	  /* of each request: itself, or the first of its chain */
	uint64_t *end;	  /* of each head: when the last of its chain ends */
	uint32_t *begins; /* heads by begin, those of the whole run first */
	uint32_t *ends;	  /* heads by end, those of the whole run left out */
	uint32_t *token;  /* of each head */
	size_t begin_count, end_count;
	berth_tokens *tokens;
};

static berth_status no_memory(size_t count)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a token plan of %zu requests",
			       count);
}

static berth_status check_request(const berth_plan_input *input, size_t index)
{
	const berth_plan_request *request = &input->requests[index];
	uint64_t limit = input->caps.max_arena_bytes;

	if (!request->whole_run && request->upper <= request->lower)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "request %zu: upper %" PRIu64 " is not after lower %" PRIu64,
				       index, request->upper, request->lower);
	if (request->pinned_offset_bytes != BERTH_PLAN_ANYWHERE)
		return berth_error_set(BERTH_E_UNSUPPORTED, 0,
				       "request %zu is pinned: tokens have no offsets", index);
	if (request->in_place_of != BERTH_PLAN_NO_REQUEST &&
	    request->in_place_of >= input->request_count)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "request %zu is in place of %" PRIu32 ", there are %zu",
				       index, request->in_place_of, input->request_count);
	if (limit > 0 && request->bytes > limit)
		return berth_error_set(BERTH_E_LIMIT, 0,
				       "request %zu: %" PRIu64
				       " bytes, the largest allocation is %" PRIu64,
				       index, request->bytes, limit);
	return BERTH_OK;
}

static berth_status check_input(const berth_plan_input *input)
{
	berth_status st = BERTH_OK;

	if (input->by_conflicts)
		return berth_error_set(BERTH_E_UNSUPPORTED, 0,
				       "tokens are taken in the order of lifetimes: the input has "
				       "conflicts instead");
	if (input->request_count > BERTH_PLAN_REQUESTS_MAX)
		return berth_error_set(BERTH_E_INVAL, 0, "%zu requests; at most %u",
				       input->request_count, BERTH_PLAN_REQUESTS_MAX);
	for (size_t i = 0; st == BERTH_OK && i < input->request_count; i++)
		st = check_request(input, i);
	return st;
}

/* No chain is longer than all requests: more steps mean that it closes. */
static berth_status find_head(uint32_t *out, const berth_plan_input *input, size_t index)
{
	uint32_t head = (uint32_t)index;

	for (size_t steps = 0; steps <= input->request_count; steps++) {
		uint32_t before = input->requests[head].in_place_of;

		if (before == BERTH_PLAN_NO_REQUEST) {
			*out = head;
			return BERTH_OK;
		}
		head = before;
	}
	return berth_error_set(BERTH_E_INVAL, 0, "request %zu is in place of itself, by a chain",
			       index);
}

/* What lives for the whole run begins first and never ends. */
static uint64_t begin_of(const struct planning *planning, uint32_t index)
{
	const berth_plan_request *request = &planning->input->requests[index];

	return request->whole_run ? 0 : request->lower;
}

static int compare(uint64_t first, uint64_t second, uint32_t a, uint32_t b)
{
	if (first != second)
		return first < second ? -1 : 1;
	return (a > b) - (a < b);
}

static int compare_begins(const void *a, const void *b, void *userdata)
{
	const struct planning *planning = userdata;
	uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
	bool first_whole = planning->input->requests[first].whole_run;
	bool second_whole = planning->input->requests[second].whole_run;

	if (first_whole != second_whole)
		return first_whole ? -1 : 1;
	return compare(begin_of(planning, first), begin_of(planning, second), first, second);
}

static int compare_ends(const void *a, const void *b, void *userdata)
{
	const struct planning *planning = userdata;
	uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;

	return compare(planning->end[first], planning->end[second], first, second);
}

static berth_status prepare(struct planning *planning)
{
	const berth_plan_input *input = planning->input;
	berth_status st = BERTH_OK;

	for (size_t i = 0; st == BERTH_OK && i < input->request_count; i++) {
		const berth_plan_request *request = &input->requests[i];
		uint64_t end = request->whole_run ? UINT64_MAX : request->upper;

		st = find_head(&planning->head[i], input, i);
		if (st == BERTH_OK && end > planning->end[planning->head[i]])
			planning->end[planning->head[i]] = end;
	}
	for (size_t i = 0; st == BERTH_OK && i < input->request_count; i++) {
		if (planning->head[i] != i)
			continue;
		planning->begins[planning->begin_count++] = (uint32_t)i;
		if (planning->end[i] != UINT64_MAX)
			planning->ends[planning->end_count++] = (uint32_t)i;
	}
	qsort_r(planning->begins, planning->begin_count, sizeof(*planning->begins), compare_begins,
		planning);
	qsort_r(planning->ends, planning->end_count, sizeof(*planning->ends), compare_ends,
		planning);
	return st;
}

/* The largest of a chain: its token must hold all of them from the start. */
static void size_chains(const struct planning *planning, uint64_t *bytes)
{
	const berth_plan_input *input = planning->input;

	for (size_t i = 0; i < input->request_count; i++) {
		uint64_t *largest = &bytes[planning->head[i]];

		if (input->requests[i].bytes > *largest)
			*largest = input->requests[i].bytes;
	}
}

static berth_status take_all(struct planning *planning, const uint64_t *bytes)
{
	const berth_plan_request *requests = planning->input->requests;
	size_t ended = 0;
	berth_status st = BERTH_OK;

	for (size_t i = 0; st == BERTH_OK && i < planning->begin_count; i++) {
		uint32_t index = planning->begins[i];
		const berth_token_wish wish = { .bytes = bytes[index],
						.group = requests[index].arena_group };

		while (st == BERTH_OK && ended < planning->end_count &&
		       !requests[index].whole_run &&
		       planning->end[planning->ends[ended]] <= requests[index].lower)
			st = berth_tokens_give_back(planning->tokens,
						    planning->token[planning->ends[ended++]]);
		if (st == BERTH_OK)
			st = berth_tokens_take(&planning->token[index], planning->tokens, &wish);
	}
	return st;
}

static berth_status write_plan(berth_token_plan *plan, const struct planning *planning)
{
	uint64_t limit = planning->input->caps.max_total_bytes;

	for (size_t i = 0; i < plan->place_count; i++)
		plan->places[i].arena = planning->token[planning->head[i]];
	plan->token_count = berth_tokens_count(planning->tokens);
	plan->token_bytes = calloc((size_t)plan->token_count + 1, sizeof(*plan->token_bytes));
	if (!plan->token_bytes)
		return no_memory(plan->place_count);
	for (uint32_t i = 0; i < plan->token_count; i++) {
		plan->token_bytes[i] = berth_tokens_get(planning->tokens, i)->bytes;
		if (__builtin_add_overflow(plan->total_bytes, plan->token_bytes[i],
					   &plan->total_bytes))
			return berth_error_set(BERTH_E_OVERFLOW, 0,
					       "the tokens do not fit 64 bits together");
	}
	if (limit > 0 && plan->total_bytes > limit)
		return berth_error_set(BERTH_E_LIMIT, 0,
				       "tokens take %" PRIu64 " bytes, the limit is %" PRIu64,
				       plan->total_bytes, limit);
	return BERTH_OK;
}

static berth_status plan_all(berth_token_plan *plan, struct planning *planning, uint64_t *bytes)
{
	berth_status st = prepare(planning);

	if (st != BERTH_OK)
		return st;
	size_chains(planning, bytes);
	st = take_all(planning, bytes);
	return st == BERTH_OK ? write_plan(plan, planning) : st;
}

berth_status berth_token_plan_create(berth_token_plan **out, const berth_plan_input *input)
{
	size_t count = input->request_count;
	struct planning planning = { .input = input };
	berth_token_plan *plan = NULL;
	uint64_t *bytes = NULL;
	berth_status st = check_input(input);

	if (st == BERTH_OK)
		st = berth_tokens_create(&planning.tokens, NULL);
	if (st != BERTH_OK)
		return st;
	planning.head = calloc(count + 1, sizeof(*planning.head));
	planning.end = calloc(count + 1, sizeof(*planning.end));
	planning.begins = calloc(count + 1, sizeof(*planning.begins));
	planning.ends = calloc(count + 1, sizeof(*planning.ends));
	planning.token = calloc(count + 1, sizeof(*planning.token));
	bytes = calloc(count + 1, sizeof(*bytes));
	plan = calloc(1, sizeof(*plan));
	if (plan) {
		plan->place_count = count;
		plan->places = calloc(count + 1, sizeof(*plan->places));
	}
	if (planning.head && planning.end && planning.begins && planning.ends && planning.token &&
	    bytes && plan && plan->places)
		st = plan_all(plan, &planning, bytes);
	else
		st = no_memory(count);
	free(planning.head);
	free(planning.end);
	free(planning.begins);
	free(planning.ends);
	free(planning.token);
	free(bytes);
	berth_tokens_destroy(planning.tokens);
	if (st == BERTH_OK)
		*out = plan;
	else
		berth_token_plan_destroy(plan);
	return st;
}

void berth_token_plan_destroy(berth_token_plan *plan)
{
	if (!plan)
		return;
	free(plan->places);
	free(plan->token_bytes);
	free(plan);
}
