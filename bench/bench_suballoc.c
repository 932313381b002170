/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The suballocator, with a lock and its handle check as a pool uses it, against
 * malloc() and a plain best fit tree: CPU time an operation, an allocation or a
 * free; peak address over the largest sum of live bytes; host bytes a live span.
 * Rounds alternate between the allocators, so that what else the machine does hits
 * all of them; medians are compared. Peaks are the median of five seeds.
 */
#include "allocators.h"

#include <stdio.h>

#define ROUNDS 9
#define SEEDS 5

/* The order of the columns. */
enum { SUBALLOC, TREE, MALLOC, ALLOCATORS };

static run_fn *const runs[ALLOCATORS] = { run_suballoc, run_tree, run_malloc };

/* Median ns of alternating rounds; metadata of the last. */
static int measure_time(unsigned kind, double ns[ALLOCATORS], double metadata[ALLOCATORS])
{
	double all[ALLOCATORS][ROUNDS];
	struct workload workload;
	int status = workload_generate(&workload, kind, 1);

	for (int round = 0; round < ROUNDS && status == 0; round++) {
		for (int i = 0; i < ALLOCATORS && status == 0; i++) {
			struct outcome outcome = { 0 };

			status = runs[i](&workload, &outcome);
			all[i][round] = outcome.ns;
			metadata[i] = outcome.metadata_bytes / workload.end_live;
		}
	}
	for (int i = 0; i < ALLOCATORS && status == 0; i++)
		ns[i] = median(all[i], ROUNDS);
	workload_free(&workload);
	return status;
}

/* Median over the seeds of the peak over its bound; malloc() has none. */
static int measure_peak(unsigned kind, double peaks[ALLOCATORS])
{
	double all[ALLOCATORS][SEEDS];
	int status = 0;

	for (int seed = 0; seed < SEEDS && status == 0; seed++) {
		struct workload workload;

		status = workload_generate(&workload, kind, (uint64_t)seed + 1);
		for (int i = 0; i < MALLOC && status == 0; i++) {
			struct outcome outcome = { 0 };

			status = runs[i](&workload, &outcome);
			all[i][seed] = outcome.peak_bytes / (double)workload.bound_bytes;
		}
		workload_free(&workload);
	}
	for (int i = 0; i < MALLOC && status == 0; i++)
		peaks[i] = median(all[i], SEEDS);
	return status;
}

static int bench(unsigned kind)
{
	double ns[ALLOCATORS], peaks[ALLOCATORS] = { 0 }, metadata[ALLOCATORS];
	struct workload workload;
	int status = workload_generate(&workload, kind, 1);

	if (status == 0)
		printf("  %-6s %s\n", workload.name, workload.summary);
	workload_free(&workload);
	if (status != 0 || measure_time(kind, ns, metadata) != 0 || measure_peak(kind, peaks) != 0)
		return -1;
	printf("         suballoc  %6.1f ns  peak %.3f  %4.0f B a span   time/tree %.2f  "
	       "time/malloc %.2f  peak/tree %.3f\n",
	       ns[SUBALLOC], peaks[SUBALLOC], metadata[SUBALLOC], ns[SUBALLOC] / ns[TREE],
	       ns[SUBALLOC] / ns[MALLOC], peaks[SUBALLOC] / peaks[TREE]);
	printf("         tree      %6.1f ns  peak %.3f  %4.0f B a span\n", ns[TREE], peaks[TREE],
	       metadata[TREE]);
	printf("         malloc    %6.1f ns\n", ns[MALLOC]);
	return 0;
}

int main(void)
{
	printf("suballocation, CPU time an allocation or a free, median of %d alternating rounds; "
	       "peak over bound, median of %d seeds\n"
	       "  (targets on a quiet machine: 20, 10, 12, 27 ns; peak/tree 1.00; 64 B a span)\n",
	       ROUNDS, SEEDS);
	for (unsigned kind = 0; kind < WORKLOAD_KINDS; kind++) {
		if (bench(kind) != 0) {
			fprintf(stderr, "bench_suballoc: out of memory\n");
			return 1;
		}
	}
	return 0;
}
