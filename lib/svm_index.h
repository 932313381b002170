/* SPDX-License-Identifier: Apache-2.0 */
/* SVM allocations by address: whose memory is a host pointer? */
#ifndef BERTH_LIB_SVM_INDEX_H
#define BERTH_LIB_SVM_INDEX_H

#include <berth/objects.h>

/* Sorted by address; allocations that live together do not overlap. Zeroed: empty. */
struct berth__svm_index {
	berth_object **items;
	size_t count, capacity;
};

/* Room for one more. @retval BERTH_OK, BERTH_E_NOMEM */
berth_status berth__svm_index_reserve(struct berth__svm_index *index);

/* Add an allocation whose address is known; room was reserved. */
void berth__svm_index_add(struct berth__svm_index *index, berth_object *object);

/* Take an allocation out, if it is there. */
void berth__svm_index_remove(struct berth__svm_index *index, const berth_object *object);

/* @return the allocation that an address lies in, or NULL. O(log n). */
berth_object *berth__svm_index_find(const struct berth__svm_index *index, uint64_t address);

void berth__svm_index_fini(struct berth__svm_index *index);

#endif
