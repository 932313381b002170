/* SPDX-License-Identifier: Apache-2.0 */
#include "mutate.h"

#include "scratch.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* No input may take longer: then SIGALRM ends the program, and the test fails. */
#define SECONDS_MAX 60

static void give(const unsigned char *content, size_t bytes, fuzz_input_fn *input)
{
	alarm(SECONDS_MAX);
	input(content, bytes);
	alarm(0);
}

/* xorshift64: the same sequence everywhere. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void each_value(unsigned char *copy, size_t bytes, size_t at, fuzz_input_fn *input)
{
	const unsigned char original = copy[at];
	const unsigned char values[] = { 0, 0xff, (unsigned char)(original + 1) };

	for (size_t i = 0; i < sizeof(values); i++) {
		copy[at] = values[i];
		if (values[i] != original)
			give(copy, bytes, input);
	}
	copy[at] = original;
}

static void random_runs(unsigned char *copy, const unsigned char *content, size_t bytes,
			unsigned count, fuzz_input_fn *input)
{
	uint64_t state = 0x9e3779b97f4a7c15;

	for (unsigned i = 0; i < count; i++) {
		size_t at = next_random(&state) % bytes;
		size_t run = 1 + next_random(&state) % 8;

		for (size_t n = at; n < at + run && n < bytes; n++)
			copy[n] = (unsigned char)next_random(&state);
		give(copy, bytes, input);
		memcpy(copy, content, bytes);
	}
}

void fuzz_mutations(const unsigned char *content, size_t bytes, const struct fuzz_plan *plan,
		    fuzz_input_fn *input)
{
	unsigned char *copy = malloc(bytes);

	if (!copy)
		exit(99);
	memcpy(copy, content, bytes);
	give(copy, bytes, input);
	for (size_t at = 0; at < bytes; at++) {
		if ((at >= plan->dense_from && at < plan->dense_to) || at % plan->page < 16)
			each_value(copy, bytes, at, input);
	}
	random_runs(copy, content, bytes, plan->random, input);
	for (size_t cut = 0; cut < bytes; cut += cut < 128 ? 16 : plan->page / 2 + 1)
		give(copy, cut, input);
	free(copy);
}

void fuzz_files(char *const *paths, int count, fuzz_input_fn *input)
{
	for (int i = 0; i < count; i++) {
		size_t bytes;
		unsigned char *content = file_read(paths[i], &bytes);

		printf("%s\n", paths[i]);
		give(content, bytes, input);
		free(content);
	}
}
