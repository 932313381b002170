/* SPDX-License-Identifier: Apache-2.0 */
#include "allocators.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "best_fit_tree.h"
#include "suballoc.h"

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

int run_suballoc(const struct workload *workload, struct outcome *out)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	berth__span *spans = calloc(workload->slot_count, sizeof(*spans));
	struct berth__suballoc_stats stats;
	struct berth__suballoc *arena = NULL;
	berth_status st = BERTH_E_NOMEM;
	double began;

	if (!spans || berth__suballoc_create(&arena, workload->capacity_bytes,
					     workload->align_bytes) != BERTH_OK)
		goto out;
	began = cpu_ns();
	for (size_t i = 0; i < workload->step_count; i++) {
		const struct step *step = &workload->steps[i];
		uint64_t offset;

		pthread_mutex_lock(&lock);
		st = step->bytes > 0 ? berth__suballoc_alloc(arena, step->bytes, 1,
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

int run_tree(const struct workload *workload, struct outcome *out)
{
	struct tree_span **spans = calloc(workload->slot_count, sizeof(*spans));
	struct tree_arena *arena =
		tree_arena_create(workload->capacity_bytes, workload->align_bytes);
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

int run_malloc(const struct workload *workload, struct outcome *out)
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

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), by_value);
	return values[count / 2];
}

static double wall_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* What reading the clock twice says of nothing. */
static double clock_ns(void)
{
	double pauses[1001];

	for (size_t i = 0; i < sizeof(pauses) / sizeof(pauses[0]); i++) {
		double began = wall_ns();

		pauses[i] = wall_ns() - began;
	}
	return median(pauses, sizeof(pauses) / sizeof(pauses[0]));
}

int suballoc_p99_ns(const struct workload *workload, double *out)
{
	berth__span *spans = calloc(workload->slot_count, sizeof(*spans));
	double *times = calloc(workload->step_count, sizeof(*times));
	struct berth__suballoc *arena = NULL;
	berth_status st = BERTH_E_NOMEM;

	if (!spans || !times ||
	    berth__suballoc_create(&arena, workload->capacity_bytes, workload->align_bytes) !=
		    BERTH_OK)
		goto out;
	for (size_t i = 0; i < workload->step_count; i++) {
		const struct step *step = &workload->steps[i];
		double began = wall_ns();
		uint64_t offset;

		st = step->bytes > 0 ? berth__suballoc_alloc(arena, step->bytes, 1,
							     &spans[step->slot], &offset)
				     : berth__suballoc_free(arena, spans[step->slot]);
		times[i] = wall_ns() - began;
		if (st != BERTH_OK)
			goto out;
	}
	qsort(times, workload->step_count, sizeof(*times), by_value);
	*out = times[workload->step_count / 100 * 99] - clock_ns();
out:
	berth__suballoc_destroy(arena);
	free(times);
	free(spans);
	return st == BERTH_OK ? 0 : -1;
}
