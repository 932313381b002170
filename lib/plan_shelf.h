/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is placed so far, sorted by offset, to find a gap for one more.
 *
 * Time is halved again and again into blocks; an item is listed in every block it is alive in.
 * A search reads the list of the smallest block that covers the item's life: for one that lives
 * shortly, it skips all that lives elsewhere.
 */
#ifndef BERTH_PLAN_SHELF_H
#define BERTH_PLAN_SHELF_H

#include "plan_problem.h"

struct plan_shelf;

/* NULL when out of memory. @problem is borrowed. */
struct plan_shelf *berth__plan_shelf_create(const struct plan_problem *problem);
void berth__plan_shelf_destroy(struct plan_shelf *shelf);

void berth__plan_shelf_clear(struct plan_shelf *shelf);

enum plan_gap {
	PLAN_FIRST_GAP, /* the lowest */
	PLAN_BEST_GAP,	/* the one that leaves least; the lowest of equals */
};

/* Where an item goes; no lower than @from. Adds what it looked at to @steps. */
uint64_t berth__plan_shelf_find(struct plan_shelf *shelf, uint32_t item, uint64_t from,
				enum plan_gap gap, uint64_t *steps);

/* List an item at an offset where nothing in conflict is. False when out of memory. */
bool berth__plan_shelf_put(struct plan_shelf *shelf, uint32_t item, uint64_t offset);

#endif
