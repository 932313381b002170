/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damaged copies of a valid file, the same ones in each run: what a plain driver
 * feeds to a reader where no fuzzer is at hand.
 */
#ifndef BERTH_FUZZ_MUTATE_H
#define BERTH_FUZZ_MUTATE_H

#include <stddef.h>

/* Reads one input; whatever it is, it must return, without an error of memory. */
typedef void fuzz_input_fn(const unsigned char *content, size_t bytes);

/*
 * Call `input` with `content` as it is, then damaged: each byte of the dense part and
 * of the first 16 behind each multiple of `page`, with several values; `random` runs
 * of bytes at any place; cut short at many lengths.
 */
struct fuzz_plan {
	size_t dense_from, dense_to;
	size_t page;
	unsigned random;
};
void fuzz_mutations(const unsigned char *content, size_t bytes, const struct fuzz_plan *plan,
		    fuzz_input_fn *input);

/* Call `input` with each file named on the command line, as a fuzzer or a bug report has them. */
void fuzz_files(char *const *paths, int count, fuzz_input_fn *input);

#endif
