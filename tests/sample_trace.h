/* SPDX-License-Identifier: Apache-2.0 */
/* Traces made from tables, for tests and benchmarks. */
#ifndef BERTH_TESTS_SAMPLE_TRACE_H
#define BERTH_TESTS_SAMPLE_TRACE_H

#include <berth/status.h>

/* The small one in numbers (sample_trace.c has its ops): */
#define SAMPLE_SMALL_OPS 10
#define SAMPLE_SMALL_PEAK_BYTES 4067328 /* 1 MiB + 2 MiB + 640 x 360 x 4, at op 6 */
#define SAMPLE_SMALL_PEAK_OP 6

/* A program that uses two buffers and an image, fails once and leaks a buffer. */
berth_status sample_small(const char *path);

/* @op_count ops, a multiple of 8: buffers are made, moved, used and released. */
berth_status sample_large(const char *path, uint64_t op_count);

#endif
