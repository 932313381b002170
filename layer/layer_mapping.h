/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The live mappings of an object: a multiset of pointers, since a program may map
 * the same bytes twice and get the same pointer twice. They hang on the object's
 * entry in berth__layer.mems.
 */
#ifndef BERTH_LAYER_LAYER_MAPPING_H
#define BERTH_LAYER_LAYER_MAPPING_H

#include "digest.h"
#include "layer.h"

struct berth__mapping {
	struct berth__mapping *next;
	uint64_t id; /* 0: none */
	cl_map_flags flags;
	struct berth__rows rows; /* where its bytes are; rows.host is the pointer */
};

/* A mapping that an object got. */
void berth__mapping_add(cl_mem object, const struct berth__mapping *mapping);

/* Take out one mapping with this pointer; id 0: the object has none. */
struct berth__mapping berth__mapping_take(cl_mem object, const void *pointer);

/* Free the list of an object that is gone. */
void berth__mappings_free(struct berth__mapping *first);

#endif
