/* SPDX-License-Identifier: Apache-2.0 */
/* One object: what its create op makes of it, and its live mappings. */
#ifndef BERTH_LIB_OBJECT_H
#define BERTH_LIB_OBJECT_H

#include <berth/objects.h>

/*
 * Fill in an object as its create op asks; parent is what it lies on, or NULL.
 * Keeps the (empty) mapping array of the object that was here before, and on
 * failure the rest as well.
 * BERTH_OK, BERTH_E_OVERFLOW: its bytes or its end do not fit 64 bits.
 */
berth_status berth__object_init(berth_object *object, berth_object *parent, const berth_op *op);

/* Add the mapping of a map op. BERTH_OK, BERTH_E_NOMEM, BERTH_E_STATE: id reserved or alive. */
berth_status berth__object_map(berth_object *object, const berth_op *op);

/* Take a mapping away. BERTH_OK, BERTH_E_STATE: no such mapping. */
berth_status berth__object_unmap(berth_object *object, uint64_t mapping);

/*
 * The flags that hold for an object: groups not given are inherited, or
 * read-write access without a parent (R10, R34, R77).
 */
uint64_t berth__flags_effective(uint64_t flags, const berth_object *parent);

#endif
