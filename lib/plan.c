/* SPDX-License-Identifier: Apache-2.0 */
/* The planner: checks, splits by groups, goes through the tiers, and puts the answer together. */
#include "plan_normalise.h"
#include "plan_solve.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A step's time, as a time budget is turned to steps. */
#define STEP_NS 3

/* The clock stops the planner at so many times the budget: a slower machine gives the same plan. */
#define GUARD 4

/* The time budget when none is given. */
#define DEFAULT_BUDGET_NS 250000000u
#define DEFAULT_BUDGET_PER_REQUEST_NS 50000u

static const char *const tier_strings[] = {
	[BERTH_PLAN_TIER_GREEDY] = "greedy", [BERTH_PLAN_TIER_SEARCH] = "search",
	[BERTH_PLAN_TIER_LOCAL] = "local",   [BERTH_PLAN_TIER_BRANCH] = "branch",
	[BERTH_PLAN_TIER_VARY] = "vary",
};

const char *berth_plan_tier_string(berth_plan_tier tier)
{
	if (tier < BERTH_PLAN_TIER_GREEDY || tier > BERTH_PLAN_TIER_VARY)
		return "unknown";
	return tier_strings[tier];
}

void berth_plan_destroy(berth_plan *plan)
{
	if (!plan)
		return;
	free(plan->places);
	free(plan->arena_bytes);
	free(plan->arena_group);
	free(plan);
}

berth_plan_claim berth_plan_get_claim(const berth_plan *plan)
{
	return (berth_plan_claim){ plan->places, plan->place_count, plan->arena_bytes,
				   plan->arena_count };
}

struct planning {
	const berth_plan_input *input;
	const berth_plan_options *options;
	struct plan_chains chains;
	uint32_t *members; /* the chains, by group */
	struct plan_effort effort;
	berth_plan *plan;
};

static berth_status no_memory(const berth_plan_input *input)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "no memory to plan %zu requests",
			       input->request_count);
}

/* The tiers after the greedy one, and the part of what is left of the budget each may use. */
static const struct {
	berth_plan_tier tier;
	berth_status (*run)(struct plan_problem *problem, struct plan_solution *best,
			    struct plan_effort *effort, uint64_t seed);
	double part;
} tiers[] = {
	{ BERTH_PLAN_TIER_SEARCH, berth__plan_search, 0.2 },
	{ BERTH_PLAN_TIER_LOCAL, berth__plan_local, 0.03 },
	{ BERTH_PLAN_TIER_LOCAL, berth__plan_repair, 0.5 },
	{ BERTH_PLAN_TIER_BRANCH, berth__plan_branch, 1 },
	{ BERTH_PLAN_TIER_VARY, berth__plan_vary, 1 },
};

static berth_status improve(struct planning *planning, struct plan_problem *problem,
			    struct plan_solution *best, uint64_t steps)
{
	struct plan_effort *effort = &planning->effort;
	uint64_t end = effort->work + steps;
	berth_status st = BERTH_OK;

	for (size_t i = 0; i < sizeof(tiers) / sizeof(tiers[0]) && st == BERTH_OK; i++) {
		double part = berth__plan_can_search(problem) ? tiers[i].part : 1;

		effort->work_limit = effort->work + (uint64_t)(part * (double)(end - effort->work));
		if (tiers[i].tier > planning->options->last_tier || berth__plan_is_optimal(best))
			break;
		if (!berth__plan_spend(effort, 0))
			st = tiers[i].run(problem, best, effort, planning->options->seed);
	}
	return st;
}

static uint64_t budget_ns(const struct planning *planning)
{
	if (planning->options->time_budget_ns)
		return planning->options->time_budget_ns;
	return DEFAULT_BUDGET_NS +
	       (uint64_t)planning->input->request_count * DEFAULT_BUDGET_PER_REQUEST_NS;
}

/* Greedy takes the time it takes; the budget is for what comes after. */
static berth_status solve(struct planning *planning, struct plan_problem *problem,
			  struct plan_solution *best)
{
	uint64_t budget = budget_ns(planning), now, share, guard;
	struct plan_effort *effort = &planning->effort;
	berth_status st;

	share = (uint64_t)((double)budget * problem->count / planning->chains.count);
	effort->work_limit = UINT64_MAX;
	effort->deadline_ns = UINT64_MAX;
	st = berth__plan_greedy(problem, best, effort);
	if (st == BERTH_OK && problem->arena)
		st = berth__plan_arenas(problem, best, effort);
	now = berth__plan_now_ns();
	if (__builtin_mul_overflow(share, GUARD, &guard) ||
	    __builtin_add_overflow(now, guard, &effort->deadline_ns))
		effort->deadline_ns = UINT64_MAX;
	return st == BERTH_OK ? improve(planning, problem, best, share / STEP_NS) : st;
}

/* Arenas of a group behind those that the plan has; they number the strip's. */
static berth_status add_arenas(struct planning *planning, const struct plan_group *group,
			       const struct plan_solution *best)
{
	const struct plan_problem *problem = &group->problem;
	berth_plan *plan = planning->plan;
	uint64_t count = 1;
	uint64_t *bytes;
	uint32_t *groups;

	for (uint32_t i = 0; problem->arena && i < problem->count; i++)
		if (best->offsets[i] / problem->arena + 1 > count)
			count = best->offsets[i] / problem->arena + 1;
	if (count > UINT32_MAX - plan->arena_count)
		return berth_error_set(BERTH_E_LIMIT, 0, "more than %" PRIu32 " arenas",
				       UINT32_MAX);
	bytes = reallocarray(plan->arena_bytes, plan->arena_count + count, sizeof(*bytes));
	if (bytes)
		plan->arena_bytes = bytes;
	groups = reallocarray(plan->arena_group, plan->arena_count + count, sizeof(*groups));
	if (groups)
		plan->arena_group = groups;
	if (!bytes || !groups)
		return no_memory(planning->input);
	for (uint64_t i = 0; i < count; i++) {
		bytes[plan->arena_count + i] = 0;
		groups[plan->arena_count + i] = group->arena_group;
	}
	plan->arena_count += (uint32_t)count;
	return BERTH_OK;
}

/* What rounding up to the alignment may have added to the last item of an arena. */
static uint64_t largest_slack_bytes(const struct planning *planning, const struct plan_group *group)
{
	uint64_t largest = 0;

	for (uint32_t i = 0; i < group->problem.count; i++) {
		uint64_t bytes = planning->chains.chains[group->chain[i]].bytes;
		uint64_t slack = group->problem.size[i] * group->unit_bytes - bytes;

		largest = slack > largest ? slack : largest;
	}
	return largest;
}

static void add_bounds(struct planning *planning, const struct plan_group *group,
		       const struct plan_solution *best)
{
	uint64_t proven = best->proven * group->unit_bytes;
	uint64_t slack = largest_slack_bytes(planning, group);
	berth_plan *plan = planning->plan;

	/* Of several arenas each may save its slack, and how many there are is not known. */
	if (slack)
		proven = group->problem.arena ? 0 : proven - slack;
	plan->lower_bound_bytes += group->live_bytes;
	plan->proven_bytes += proven > group->live_bytes ? proven : group->live_bytes;
	plan->greedy_bytes += best->greedy * group->unit_bytes;
	plan->tier = best->tier > plan->tier ? best->tier : plan->tier;
	if (!berth__plan_is_optimal(best))
		plan->stopped = planning->effort.gave_up       ? BERTH_PLAN_STOP_CANCELLED
				: planning->effort.out_of_time ? BERTH_PLAN_STOP_TIME
							       : BERTH_PLAN_STOP_WORK;
}

/* Places of the chains of a group, by the first request of each; others follow later. */
static berth_status add_group(struct planning *planning, const struct plan_group *group,
			      const struct plan_solution *best, const uint32_t *members,
			      uint32_t count)
{
	const struct plan_problem *problem = &group->problem;
	const struct plan_chain *chains = planning->chains.chains;
	berth_plan *plan = planning->plan;
	uint32_t first = plan->arena_count;
	berth_status st = add_arenas(planning, group, best);

	if (st != BERTH_OK)
		return st;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t pinned = chains[members[i]].pinned_offset_bytes;

		plan->places[chains[members[i]].request] =
			(berth_plan_place){ first, pinned == BERTH_PLAN_ANYWHERE ? 0 : pinned };
		if (pinned != BERTH_PLAN_ANYWHERE && pinned > plan->arena_bytes[first])
			plan->arena_bytes[first] = pinned;
	}
	for (uint32_t i = 0; i < problem->count; i++) {
		const struct plan_chain *chain = &chains[group->chain[i]];
		uint64_t arena = problem->arena ? best->offsets[i] / problem->arena : 0;
		uint64_t offset = best->offsets[i] - arena * problem->arena, end;

		plan->places[chain->request] =
			(berth_plan_place){ first + (uint32_t)arena, offset * group->unit_bytes };
		end = offset * group->unit_bytes + chain->bytes;
		if (end > plan->arena_bytes[first + arena])
			plan->arena_bytes[first + arena] = end;
	}
	add_bounds(planning, group, best);
	return BERTH_OK;
}

static berth_status plan_group(struct planning *planning, const uint32_t *members, uint32_t count)
{
	struct plan_solution best = { .total = PLAN_NOWHERE };
	struct plan_group group;
	berth_status st =
		berth__plan_group_init(&group, planning->input, &planning->chains, members, count);

	best.proven = group.problem.bound;
	best.offsets = calloc((size_t)group.problem.count + 1, sizeof(*best.offsets));
	if (st == BERTH_OK && !best.offsets)
		st = no_memory(planning->input);
	if (st == BERTH_OK)
		st = solve(planning, &group.problem, &best);
	if (st == BERTH_OK)
		st = add_group(planning, &group, &best, members, count);
	free(best.offsets);
	berth__plan_group_fini(&group);
	return st;
}

/* Chains by group, then by number. */
static int by_group(const void *a, const void *b, void *userdata)
{
	const struct plan_chain *chains = userdata;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (chains[x].arena_group != chains[y].arena_group)
		return chains[x].arena_group < chains[y].arena_group ? -1 : 1;
	return (x > y) - (x < y);
}

static berth_status plan_groups(struct planning *planning)
{
	uint32_t count = planning->chains.count;
	struct plan_chain *chains = planning->chains.chains;
	berth_status st = BERTH_OK;

	for (uint32_t i = 0; i < count; i++)
		planning->members[i] = i;
	qsort_r(planning->members, count, sizeof(uint32_t), by_group, chains);
	for (uint32_t from = 0, to; from < count && st == BERTH_OK; from = to) {
		uint32_t group = chains[planning->members[from]].arena_group;

		for (to = from; to < count; to++)
			if (chains[planning->members[to]].arena_group != group)
				break;
		st = plan_group(planning, planning->members + from, to - from);
	}
	return st;
}

/* What is not known before all groups are planned; and whether the total is allowed. */
static berth_status complete(struct planning *planning)
{
	const berth_plan_input *input = planning->input;
	berth_plan *plan = planning->plan;
	uint64_t limit = input->caps.max_total_bytes;

	for (uint32_t i = 0; i < input->request_count; i++) {
		uint32_t chain = planning->chains.of_request[i];

		plan->places[i] = plan->places[planning->chains.chains[chain].request];
		plan->request_bytes += input->requests[i].bytes;
	}
	for (uint32_t i = 0; i < plan->arena_count; i++)
		plan->total_bytes += plan->arena_bytes[i];
	if (plan->stopped == BERTH_PLAN_STOP_OPTIMAL && plan->total_bytes > plan->proven_bytes)
		plan->stopped = BERTH_PLAN_STOP_ROUNDED;
	if (plan->tier <= BERTH_PLAN_TIER_GREEDY)
		plan->greedy_bytes = plan->total_bytes;
	plan->work = planning->effort.work;
	if (limit && plan->total_bytes > limit)
		return berth_error_set(BERTH_E_LIMIT, 0,
				       "the plan needs %" PRIu64
				       " bytes, above the limit of %" PRIu64
				       "; no plan needs less than %" PRIu64,
				       plan->total_bytes, limit, plan->proven_bytes);
	return BERTH_OK;
}

static berth_status plan_all(struct planning *planning)
{
	size_t count = planning->input->request_count;
	berth_status st;

	planning->plan = calloc(1, sizeof(*planning->plan));
	if (!planning->plan)
		return no_memory(planning->input);
	planning->plan->tier = BERTH_PLAN_TIER_GREEDY;
	planning->plan->place_count = count;
	planning->plan->places = calloc(count + 1, sizeof(*planning->plan->places));
	planning->plan->arena_bytes = calloc(1, sizeof(uint64_t));
	planning->plan->arena_group = calloc(1, sizeof(uint32_t));
	planning->members = calloc(count + 1, sizeof(*planning->members));
	if (!planning->plan->places || !planning->plan->arena_bytes ||
	    !planning->plan->arena_group || !planning->members)
		return no_memory(planning->input);
	st = plan_groups(planning);
	return st == BERTH_OK ? complete(planning) : st;
}

static berth_status check_options(const berth_plan_options *options)
{
	if (options->size != sizeof(*options))
		return berth_error_set(BERTH_E_INVAL, 0,
				       "options of %" PRIu32 " bytes, where %zu are known",
				       options->size, sizeof(*options));
	if (options->last_tier < BERTH_PLAN_TIER_GREEDY ||
	    options->last_tier > BERTH_PLAN_TIER_VARY)
		return berth_error_set(BERTH_E_INVAL, 0, "tier %d is not defined",
				       (int)options->last_tier);
	return BERTH_OK;
}

berth_status berth_plan_create(berth_plan **out, const berth_plan_input *input,
			       const berth_plan_options *options)
{
	static const berth_plan_options defaults = BERTH_PLAN_OPTIONS_INIT;
	struct planning planning = { .input = input, .options = options ? options : &defaults };
	uint64_t begun = berth__plan_now_ns();
	berth_status st = check_options(planning.options);

	if (st != BERTH_OK)
		return st;
	planning.effort.cancelled = planning.options->cancelled;
	planning.effort.userdata = planning.options->userdata;
	st = berth__plan_chains_init(&planning.chains, input);
	if (st == BERTH_OK)
		st = plan_all(&planning);
	berth__plan_chains_fini(&planning.chains);
	free(planning.members);
	if (st != BERTH_OK) {
		berth_plan_destroy(planning.plan);
		return st;
	}
#ifndef NDEBUG
	{
		const berth_plan_claim claim = berth_plan_get_claim(planning.plan);
		berth_status check = berth_plan_check(input, &claim);

		assert(check == BERTH_OK || check == BERTH_E_NOMEM);
	}
#endif
	planning.plan->elapsed_ns = berth__plan_now_ns() - begun;
	*out = planning.plan;
	return BERTH_OK;
}
