/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Canonical depth-first search: is there a strip no higher than a capacity?
 *
 * Items are placed one by one, each at the lowest offset that the items below it leave, and
 * only in order of offset (ties by a given order): every packing whose items cannot slide
 * down is made in exactly one way. Needs problem->adjacent, made of lifetimes.
 */
#ifndef BERTH_PLAN_SEARCH_H
#define BERTH_PLAN_SEARCH_H

#include "plan_problem.h"

enum plan_answer {
	PLAN_FOUND,
	PLAN_IMPOSSIBLE, /* proven: all was tried */
	PLAN_UNKNOWN,	 /* the steps were not enough */
};

struct plan_search;

/*
 * What is tried first among equal offsets: the larger merit, which is fixed[item] + left *
 * the largest sum that is left to place in a section of the item.
 */
struct plan_order {
	double *fixed;
	double left;
};

/* @return NULL when out of memory. @problem is borrowed. */
struct plan_search *berth__plan_search_create(const struct plan_problem *problem);
void berth__plan_search_destroy(struct plan_search *search);

/*
 * Search below @capacity with at most @steps of @effort.
 * @offsets: written on PLAN_FOUND only.
 */
enum plan_answer berth__plan_search_run(struct plan_search *search, uint64_t capacity,
					const struct plan_order *order, uint64_t steps,
					struct plan_effort *effort, uint64_t *offsets);
#endif
