/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The suballocator, with a lock and its handle check as a pool uses it, against
 * malloc() and a plain best fit tree: CPU time an operation, an allocation or a
 * free; peak address over the largest sum of live bytes; host bytes a live span.
 * Rounds alternate between the allocators, so that what else the machine does hits
 * all of them; medians are compared. Peaks are the median of five seeds.
 */
#include "best_fit_tree.h"
#include "suballoc.h"
#include "workload.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 9
#define SEEDS 5
#define CAPACITY_BYTES (UINT64_C(4) << 30) /* ample */
#define GRANULARITY_BYTES 256

struct outcome {
	double ns; /* an operation */
	double peak_bytes;
	double metadata_bytes;
};

/* Runs all steps; 0, or -1. What is live at the end goes with the allocator. */
typedef int run_fn(const struct workload *workload, struct outcome *out);

static double cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double ns_a_step(const struct workload *workload, double began)
{
	return (cpu_ns() - began) / (double)workload->step_count;
}

static int run_suballoc(const struct workload *workload, struct outcome *out)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	berth__span *spans = calloc(workload->slot_count, sizeof(*spans));
	struct berth__suballoc_stats stats;
	struct berth__suballoc *arena = NULL;
	berth_status st = BERTH_E_NOMEM;
	double began;

	if (!spans || berth__suballoc_create(&arena, CAPACITY_BYTES, GRANULARITY_BYTES) != BERTH_OK)
		goto out;
	began = cpu_ns();
	for (size_t i = 0; i < workload->step_count; i++) {
		const struct step *step = &workload->steps[i];
		uint64_t offset;

		pthread_mutex_lock(&lock);
		st = step->bytes > 0 ? berth__suballoc_alloc(arena, step->bytes, GRANULARITY_BYTES,
							     &spans[step->slot], &offset)
				     : berth__suballoc_free(arena, spans[step->slot]);
		pthread_mutex_unlock(&lock);
		if (st != BERTH_OK)
			goto out;
	}
	out->ns = ns_a_step(workload, began);
	berth__suballoc_stats(arena, &stats);
	out->peak_bytes = (double)stats.peak_end_bytes;
	out->metadata_bytes = (double)stats.metadata_bytes;
out:
	berth__suballoc_destroy(arena);
	free(spans);
	return st == BERTH_OK ? 0 : -1;
}

static int run_tree(const struct workload *workload, struct outcome *out)
{
	struct tree_span **spans = calloc(workload->slot_count, sizeof(*spans));
	struct tree_arena *arena = tree_arena_create(CAPACITY_BYTES, GRANULARITY_BYTES);
	double began;
	int status = -1;

	if (!spans || !arena)
		goto out;
	began = cpu_ns();
	for (size_t i = 0; i < workload->step_count; i++) {
		const struct step *step = &workload->steps[i];

		if (step->bytes == 0)
			tree_arena_free(arena, spans[step->slot]);
		else if (!(spans[step->slot] = tree_arena_alloc(arena, step->bytes)))
			goto out;
	}
	out->ns = ns_a_step(workload, began);
	out->peak_bytes = (double)tree_arena_peak_bytes(arena);
	out->metadata_bytes = (double)tree_arena_metadata_bytes(arena);
	status = 0;
out:
	tree_arena_destroy(arena);
	free(spans);
	return status;
}

static int run_malloc(const struct workload *workload, struct outcome *out)
{
	void **blocks = calloc(workload->slot_count, sizeof(*blocks));
	double began;
	int status = -1;

	if (!blocks)
		return -1;
	began = cpu_ns();
	for (size_t i = 0; i < workload->step_count; i++) {
		const struct step *step = &workload->steps[i];

		if (step->bytes == 0)
			free(blocks[step->slot]);
		else if (!(blocks[step->slot] = malloc(step->bytes)))
			goto out;
		if (step->bytes == 0)
			blocks[step->slot] = NULL;
	}
	*out = (struct outcome){ .ns = ns_a_step(workload, began) };
	status = 0;
out:
	for (uint32_t slot = 0; slot < workload->slot_count; slot++)
		free(blocks[slot]);
	free(blocks);
	return status;
}

/* The order of the columns. */
enum { SUBALLOC, TREE, MALLOC, ALLOCATORS };

static run_fn *const runs[ALLOCATORS] = { run_suballoc, run_tree, run_malloc };

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), by_value);
	return values[count / 2];
}

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
