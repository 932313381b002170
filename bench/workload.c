/* SPDX-License-Identifier: Apache-2.0 */
/* The four workloads: churn of large and of small sizes, a loop, growing blocks. */
#include "workload.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define KIB(n) ((uint32_t)(n) << 10)
#define MIB(n) ((uint32_t)(n) << 20)

struct churn {
	uint32_t least_bytes, most_bytes; /* sizes are log-uniform in between */
	uint32_t fixed_sizes;		  /* drawn from so many; 0: each is its own */
	uint32_t live;
	uint32_t steps;
};

#define FIXED_SIZES_MAX 64

static const struct {
	const char *name, *summary;
	struct churn churn; /* live 0: growing blocks */
} kinds[WORKLOAD_KINDS] = {
	{ "mixed", "256 B to 16 MiB, 1,000 live", { 256, MIB(16), 0, 1000, 1000000 } },
	{ "loop", "64 fixed sizes, 200 live", { 256, MIB(16), FIXED_SIZES_MAX, 200, 1000000 } },
	{ "grow", "1 MiB + 4 KiB a round, new before old, 64 KiB kept between", { 0 } },
	{ "small", "256 B to 64 KiB, 100,000 live", { 256, KIB(64), 0, 100000, 2000000 } },
};

#define ALIGN_BYTES 256
#define CAPACITY_BYTES (UINT64_C(4) << 30)

#define GROW_ROUNDS 20000
#define GROW_CYCLES 8
#define GROW_FIRST_BYTES MIB(1)
#define GROW_BYTES KIB(4)
#define GROW_KEPT_BYTES KIB(64)

static uint64_t next_random(uint64_t *state)
{
	uint64_t x = *state += UINT64_C(0x9E3779B97F4A7C15);

	x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
	return x ^ x >> 31;
}

static uint32_t random_bytes(uint64_t *random, const struct churn *churn)
{
	double ratio = (double)churn->most_bytes / churn->least_bytes;
	double exponent = (double)(next_random(random) >> 11) * 0x1p-53;

	return (uint32_t)(churn->least_bytes * pow(ratio, exponent));
}

static void add(struct workload *workload, uint32_t slot, uint32_t bytes)
{
	workload->steps[workload->step_count++] = (struct step){ slot, bytes };
}

/* Fill all slots, then free and fill one at random again and again. */
static void churn(struct workload *workload, const struct churn *churn, uint64_t random)
{
	uint32_t fixed[FIXED_SIZES_MAX];

	for (uint32_t i = 0; i < churn->fixed_sizes; i++)
		fixed[i] = random_bytes(&random, churn);
	for (uint32_t i = 0; workload->step_count + 2 <= churn->steps; i++) {
		bool filling = i < churn->live;
		uint32_t slot = filling ? i : (uint32_t)(next_random(&random) % churn->live);
		uint32_t bytes = churn->fixed_sizes > 0
					 ? fixed[next_random(&random) % churn->fixed_sizes]
					 : random_bytes(&random, churn);

		if (!filling)
			add(workload, slot, 0);
		add(workload, slot, bytes);
	}
}

/* Slots 0 and 1 hold the growing block by turns, the others what is kept. */
static void grow_once(struct workload *workload)
{
	for (uint32_t round = 0; round < GROW_ROUNDS; round++) {
		add(workload, round % 2, GROW_FIRST_BYTES + GROW_BYTES * round);
		add(workload, 2 + round, GROW_KEPT_BYTES);
		if (round > 0)
			add(workload, (round + 1) % 2, 0);
	}
}

/* Again and again: the first time measures how the system gives memory for records. */
static void grow(struct workload *workload)
{
	for (uint32_t cycle = 0; cycle < GROW_CYCLES; cycle++) {
		if (cycle > 0) {
			add(workload, (GROW_ROUNDS - 1) % 2, 0);
			for (uint32_t round = 0; round < GROW_ROUNDS; round++)
				add(workload, 2 + round, 0);
		}
		grow_once(workload);
	}
}

static int count(struct workload *workload)
{
	uint32_t *bytes = calloc(workload->slot_count, sizeof(*bytes));
	uint64_t live_bytes = 0;

	if (!bytes)
		return -1;
	for (size_t i = 0; i < workload->step_count; i++) {
		const struct step *step = &workload->steps[i];

		live_bytes += (uint64_t)step->bytes - bytes[step->slot];
		bytes[step->slot] = step->bytes;
		workload->end_live += step->bytes > 0 ? 1 : UINT32_MAX; /* or one less */
		if (live_bytes > workload->bound_bytes)
			workload->bound_bytes = live_bytes;
	}
	free(bytes);
	return 0;
}

int workload_generate(struct workload *out, unsigned kind, uint64_t seed)
{
	const struct churn *churned = &kinds[kind].churn;
	size_t most_steps = churned->live > 0 ? churned->steps
					      : (size_t)GROW_ROUNDS * 4 * GROW_CYCLES;

	*out = (struct workload){ .name = kinds[kind].name, .summary = kinds[kind].summary };
	out->align_bytes = ALIGN_BYTES;
	out->capacity_bytes = CAPACITY_BYTES;
	out->slot_count = churned->live > 0 ? churned->live : GROW_ROUNDS + 2;
	out->steps = malloc(most_steps * sizeof(*out->steps));
	if (!out->steps)
		return -1;
	if (churned->live > 0)
		churn(out, churned, seed);
	else
		grow(out);
	return count(out);
}

void workload_free(struct workload *workload)
{
	free(workload->steps);
	*workload = (struct workload){ 0 };
}
