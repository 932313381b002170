/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the suballocator is compared with, each running a workload: itself with a lock
 * and its handle check as a pool uses it, a plain best fit tree, and malloc().
 */
#ifndef BERTH_BENCH_ALLOCATORS_H
#define BERTH_BENCH_ALLOCATORS_H

#include "workload.h"

struct outcome {
	double ns; /* of CPU time a step */
	double peak_bytes;
	double metadata_bytes; /* of the host's memory after the last step */
};

/* Runs all steps; 0, or -1. What is live at the end goes with the allocator. */
typedef int run_fn(const struct workload *workload, struct outcome *out);

/* malloc() tells neither its peak nor its metadata. */
int run_suballoc(const struct workload *workload, struct outcome *out);
int run_tree(const struct workload *workload, struct outcome *out);
int run_malloc(const struct workload *workload, struct outcome *out);

/*
 * 99 of 100 steps of the suballocator, without the lock, take at most so long: wall
 * time, less what the clock takes itself. 0, or -1.
 */
int suballoc_p99_ns(const struct workload *workload, double *out);

/* Sorts the values. */
double median(double *values, size_t count);

#endif
