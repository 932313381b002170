/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation workloads, generated from a seed: what benches of allocators run. Each
 * is a list of steps on numbered slots.
 */
#ifndef BERTH_BENCH_WORKLOAD_H
#define BERTH_BENCH_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

struct step {
	uint32_t slot;
	uint32_t bytes; /* to allocate into the empty slot; 0: free what it holds */
};

struct workload {
	const char *name;
	const char *summary;
	struct step *steps;
	size_t step_count;
	uint32_t slot_count;
	uint64_t align_bytes;	 /* a power of two */
	uint64_t capacity_bytes; /* ample */
	uint64_t bound_bytes;	 /* the largest sum of live bytes: no peak is below it */
	uint32_t end_live;	 /* slots that are live after the last step */
};

#define WORKLOAD_KINDS 4

/* 0, or -1 without memory. */
int workload_generate(struct workload *out, unsigned kind, uint64_t seed);
void workload_free(struct workload *workload);

#endif
