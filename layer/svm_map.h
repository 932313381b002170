/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared virtual memory by address. Programs pass pointers into an allocation, so a
 * pointer is looked up by the range that it lies in. Also its mappings, which are undone
 * by the pointer alone.
 *
 * Threads: all functions may be called at any time; one lock, held for the look-up alone.
 */
#ifndef BERTH_LAYER_SVM_MAP_H
#define BERTH_LAYER_SVM_MAP_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct berth__svm {
	const void *base; /* NULL: none */
	uint64_t bytes;
	uint64_t id;
	uint32_t context;
};

struct berth__svm_mapping {
	const void *pointer;
	uint64_t id; /* 0: none */
	uint64_t flags; /* cl_map_flags */
	uint64_t bytes;
};

struct berth__svm_map {
	pthread_mutex_t lock;
	struct berth__svm *items; /* by base */
	size_t count, capacity;
	struct berth__svm_mapping *mappings; /* in the order in which they were made */
	size_t mapping_count, mapping_capacity;
};

/* Make it empty without looking at what it was: at the start, and in forked children. */
void berth__svm_map_init(struct berth__svm_map *map);

/* False: no memory. One at the same place is a leftover of a free that was not seen. */
bool berth__svm_map_add(struct berth__svm_map *map, const struct berth__svm *svm);

/* The allocation that a pointer lies in; false, and *out all zero: none. */
bool berth__svm_map_find(struct berth__svm_map *map, const void *pointer, struct berth__svm *out);

/* Take out the allocation that begins at a pointer; false, and *out all zero: none. */
bool berth__svm_map_take(struct berth__svm_map *map, const void *base, struct berth__svm *out);

/* Mappings: add one; take the newest with a pointer (id 0: there is none). */
bool berth__svm_mapping_add(struct berth__svm_map *map, const struct berth__svm_mapping *mapping);
struct berth__svm_mapping berth__svm_mapping_take(struct berth__svm_map *map, const void *pointer);

#endif
