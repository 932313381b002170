/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The state of memory objects, as the specification sees it: which ids are
 * known, what they are, on what they lie, who still holds them, what is mapped.
 *
 * Rules are predicates over this state; the simulator, the checker and the replayer
 * keep one table each. The table holds no content and no device handle; a device hangs
 * its own data on berth_object.user.
 *
 * Threads: calls on one table are serialised by the caller.
 */
#ifndef BERTH_OBJECTS_H
#define BERTH_OBJECTS_H

#include <berth/caps.h>
#include <berth/op.h>

BERTH_BEGIN_DECLS

typedef enum berth_object_kind {
	BERTH_OBJECT_BUFFER = 1,
	BERTH_OBJECT_SUBBUFFER = 2,
	BERTH_OBJECT_IMAGE = 3, /**< with its own memory, or on `parent` */
	BERTH_OBJECT_SVM = 4,	/**< memory of clSVMAlloc; no cl_mem */
	BERTH_OBJECT_PIPE = 5,
} berth_object_kind;

/** A live mapping of an object. */
typedef struct berth_mapping {
	uint64_t id;
	uint64_t flags;	       /**< cl_map_flags */
	bool linear;	       /**< offset and bytes count (buffers, SVM); else the region does */
	uint64_t offset_bytes; /**< in the object */
	uint64_t bytes;
	uint64_t origin[3];
	uint64_t extent[3];
} berth_mapping;

/** One object. Borrowed from its table; fields are read-only but for `user`. */
typedef struct berth_object {
	uint64_t id;
	berth_object_kind kind;
	struct berth_object *parent; /**< sub-buffer: its buffer; image: what it lies on; or NULL */
	struct berth_object *root;   /**< the object that owns the memory; itself without parent */
	uint64_t flags;		     /**< cl_mem_flags with the inherited groups (R34, R77); never 0 access */
	uint64_t offset_bytes;	     /**< in root */
	uint64_t bytes;		     /**< buffers, SVM: as asked; images: effective row pitch x height (x depth, layers); pipes: of all packets */
	uint64_t host_address;	     /**< USE_HOST_PTR: where the store is (R84); SVM: the pointer, where known; else 0 */
	berth_image image;	     /**< images: as asked */
	uint32_t element_bytes;	     /**< images: bytes of a pixel; else 0 */
	uint64_t row_pitch_bytes;    /**< images: effective (R90) */
	uint64_t slice_pitch_bytes;  /**< images: effective (R91) */
	uint32_t references;	     /**< application's count; 0: released, held by children only */
	uint32_t children;	     /**< sub-buffers and images on it that still exist */
	uint32_t family_mappings;    /**< of a root: live mappings of it and of all that lies on it */
	uint32_t mapping_count;
	uint32_t mapping_capacity;
	berth_mapping *mappings;
	void *user; /**< for the device that owns the table */
} berth_object;

typedef struct berth_objects berth_objects;

/** Called for each object that ends, children before parents; may free object->user. */
typedef void berth_object_end_fn(berth_object *object, void *userdata);

/**
 * @param[out] out  owned by the caller (berth_objects_destroy())
 * @param on_end    called when an object ends (last reference and last child
 *                  gone, or the table destroyed); may be NULL
 * @retval BERTH_OK, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_objects_create(berth_objects **out,
							     berth_object_end_fn *on_end,
							     void *userdata);

/** Ends every object, children first, and frees the table; NULL is fine. */
BERTH_API void berth_objects_destroy(berth_objects *objects);

/**
 * @return the object that the application may still name by @p id (references
 * > 0), or NULL. O(1).
 */
BERTH_API berth_object *berth_objects_find(const berth_objects *objects, uint64_t id);

/**
 * @return the SVM allocation that a host address lies in (R26, R136), or NULL. Only
 * those whose svm_alloc said in op.host_address where they are. O(log n).
 */
BERTH_API berth_object *berth_objects_find_svm(const berth_objects *objects, uint64_t address);

/**
 * @return an object that shares memory with @p object and has a live mapping that
 * @p meets finds to meet what it looks for; NULL when there is none. Costs nothing
 * while no relative is mapped, else one look at every object.
 */
BERTH_API const berth_object *
berth_objects_find_mapped_relative(const berth_objects *objects, const berth_object *object,
				   bool (*meets)(const berth_object *relative,
						 const berth_mapping *mapping, void *userdata),
				   void *userdata);

/** @return how many ids the application may name. */
BERTH_API size_t berth_objects_count(const berth_objects *objects);

/**
 * Apply an op that a device has accepted: creates and ends objects, counts
 * references, keeps mappings. Ops that change no object state do nothing.
 * The caller has checked the op (berth_rules_check()).
 *
 * @param[out] created  may be NULL; the new object of a create op, else NULL
 * @retval BERTH_OK
 * @retval BERTH_E_NOMEM  the table is unchanged
 * @retval BERTH_E_STATE  the id (of an object or a mapping) is reserved or exists
 *                        already, or the op's object, parent or mapping is not
 *                        known; the table is unchanged
 * @retval BERTH_E_OVERFLOW  the object's bytes do not fit 64 bits; the table is
 *                        unchanged
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_objects_apply(berth_objects *objects,
							    const berth_op *op,
							    berth_object **created);

/** @return the live mapping of @p object with @p id, or NULL. */
BERTH_API const berth_mapping *berth_object_find_mapping(const berth_object *object, uint64_t id);

/** Call @p visit for every object that exists, in no order. */
BERTH_API void berth_objects_each(const berth_objects *objects,
				  void (*visit)(berth_object *object, void *userdata),
				  void *userdata);

BERTH_END_DECLS

#endif
