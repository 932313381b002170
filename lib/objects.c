/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of objects: a hash by id over entries that come from chunks and go
 * back to a free list, so that create and release cost no malloc and all other
 * ops one probe. An object that is released while children hold it stays in the
 * hash with a count of 0: it is not found, and its id cannot be taken again.
 */
#include <berth/objects.h>

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "object.h"
#include "svm_index.h"

#define FIRST_SLOTS 64u /* a power of two */
#define CHUNK_ENTRIES 64u

struct entry {
	berth_object object; /* first: an object is its entry */
	struct entry *next_free;
};

struct chunk {
	struct chunk *next;
	struct entry entries[CHUNK_ENTRIES];
};

struct slot {
	uint64_t id; /* BERTH_ID_NONE: empty */
	struct entry *entry;
};

struct berth_objects {
	struct slot *slots;
	size_t slot_count; /* a power of two, at least twice `used` */
	unsigned shift;	   /* 64 - log2(slot_count) */
	size_t used;
	size_t named; /* objects with references > 0 */
	struct entry *free_list;
	struct chunk *chunks;
	struct berth__svm_index svm;
	berth_object_end_fn *on_end;
	void *userdata;
};

/* Fibonacci hashing: ids are mostly counted up, and then spread evenly. */
static size_t home_of(const berth_objects *objects, uint64_t id)
{
	return (size_t)((id * UINT64_C(0x9E3779B97F4A7C15)) >> objects->shift);
}

/* The slot that holds id, or the empty one where it belongs. */
static struct slot *probe(const berth_objects *objects, uint64_t id)
{
	size_t i = home_of(objects, id);

	while (objects->slots[i].id != BERTH_ID_NONE && objects->slots[i].id != id)
		i = (i + 1) & (objects->slot_count - 1);
	return &objects->slots[i];
}

static berth_status set_slots(berth_objects *objects, size_t count)
{
	struct slot *old = objects->slots;
	size_t old_count = objects->slot_count;
	struct slot *slots = calloc(count, sizeof(*slots));

	if (!slots)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a table of %zu objects",
				       count / 2);
	objects->slots = slots;
	objects->slot_count = count;
	objects->shift = 64u - (unsigned)__builtin_ctzll(count);
	for (size_t i = 0; i < old_count; i++)
		if (old[i].id != BERTH_ID_NONE)
			*probe(objects, old[i].id) = old[i];
	free(old);
	return BERTH_OK;
}

/* Close the gap: entries after it move back unless their home lies behind it. */
static void remove_slot(berth_objects *objects, uint64_t id)
{
	size_t mask = objects->slot_count - 1;
	size_t gap = (size_t)(probe(objects, id) - objects->slots);

	for (size_t i = (gap + 1) & mask; objects->slots[i].id != BERTH_ID_NONE;
	     i = (i + 1) & mask) {
		size_t home = home_of(objects, objects->slots[i].id);

		if (((i - home) & mask) >= ((i - gap) & mask)) {
			objects->slots[gap] = objects->slots[i];
			gap = i;
		}
	}
	objects->slots[gap].id = BERTH_ID_NONE;
	objects->used--;
}

static berth_status add_chunk(berth_objects *objects)
{
	struct chunk *chunk = calloc(1, sizeof(*chunk));

	if (!chunk)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for %u more objects",
				       CHUNK_ENTRIES);
	chunk->next = objects->chunks;
	objects->chunks = chunk;
	for (size_t i = CHUNK_ENTRIES; i-- > 0;) {
		chunk->entries[i].next_free = objects->free_list;
		objects->free_list = &chunk->entries[i];
	}
	return BERTH_OK;
}

berth_status berth_objects_create(berth_objects **out, berth_object_end_fn *on_end, void *userdata)
{
	berth_objects *objects = calloc(1, sizeof(*objects));

	if (!objects)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a table of objects");
	if (set_slots(objects, FIRST_SLOTS) != BERTH_OK) {
		free(objects);
		return BERTH_E_NOMEM;
	}
	objects->on_end = on_end;
	objects->userdata = userdata;
	*out = objects;
	return BERTH_OK;
}

/*
 * End an object that nobody holds, then each ancestor that only it held. The
 * entry keeps its mapping array for the next object.
 */
static void end_unheld(berth_objects *objects, berth_object *object)
{
	while (object && object->references == 0 && object->children == 0) {
		berth_object *parent = object->parent;
		struct entry *entry = (struct entry *)object;

		if (objects->on_end)
			objects->on_end(object, objects->userdata);
		if (object->kind == BERTH_OBJECT_SVM)
			berth__svm_index_remove(&objects->svm, object);
		if (object != object->root)
			object->root->family_mappings -= object->mapping_count;
		remove_slot(objects, object->id);
		entry->next_free = objects->free_list;
		objects->free_list = entry;
		if (parent)
			parent->children--;
		object = parent;
	}
}

void berth_objects_destroy(berth_objects *objects)
{
	if (!objects)
		return;
	for (struct chunk *chunk = objects->chunks; chunk; chunk = chunk->next) {
		for (size_t i = 0; i < CHUNK_ENTRIES; i++) {
			berth_object *object = &chunk->entries[i].object;

			/* Those without references are free, or end with their last child. */
			if (object->references > 0) {
				object->references = 0;
				end_unheld(objects, object);
			}
		}
	}
	assert(objects->used == 0);
	while (objects->chunks) {
		struct chunk *chunk = objects->chunks;

		objects->chunks = chunk->next;
		for (size_t i = 0; i < CHUNK_ENTRIES; i++)
			free(chunk->entries[i].object.mappings);
		free(chunk);
	}
	berth__svm_index_fini(&objects->svm);
	free(objects->slots);
	free(objects);
}

berth_object *berth_objects_find(const berth_objects *objects, uint64_t id)
{
	const struct slot *slot = probe(objects, id);

	if (slot->id == BERTH_ID_NONE || slot->entry->object.references == 0)
		return NULL;
	return &slot->entry->object;
}

berth_object *berth_objects_find_svm(const berth_objects *objects, uint64_t address)
{
	return berth__svm_index_find(&objects->svm, address);
}

static bool meets_any(const berth_object *relative,
		      bool (*meets)(const berth_object *relative, const berth_mapping *mapping,
				    void *userdata),
		      void *userdata)
{
	for (uint32_t i = 0; i < relative->mapping_count; i++)
		if (meets(relative, &relative->mappings[i], userdata))
			return true;
	return false;
}

const berth_object *
berth_objects_find_mapped_relative(const berth_objects *objects, const berth_object *object,
				   bool (*meets)(const berth_object *relative,
						 const berth_mapping *mapping, void *userdata),
				   void *userdata)
{
	if (object->root->family_mappings == object->mapping_count)
		return NULL;
	for (size_t i = 0; i < objects->slot_count; i++) {
		const berth_object *relative;

		if (objects->slots[i].id == BERTH_ID_NONE)
			continue;
		relative = &objects->slots[i].entry->object;
		if (relative != object && relative->root == object->root &&
		    meets_any(relative, meets, userdata))
			return relative;
	}
	return NULL;
}

size_t berth_objects_count(const berth_objects *objects)
{
	return objects->named;
}

void berth_objects_each(const berth_objects *objects,
			void (*visit)(berth_object *object, void *userdata), void *userdata)
{
	for (size_t i = 0; i < objects->slot_count; i++)
		if (objects->slots[i].id != BERTH_ID_NONE)
			visit(&objects->slots[i].entry->object, userdata);
}

static berth_status not_known(uint64_t id)
{
	return berth_error_set(BERTH_E_STATE, 0, "object %" PRIu64 " is not known", id);
}

static berth_status id_is_free(const berth_objects *objects, uint64_t id)
{
	if (id == BERTH_ID_NONE || id == BERTH_ID_UNKNOWN)
		return berth_error_set(BERTH_E_STATE, 0,
				       "%" PRIu64 " is reserved, not an id of an object", id);
	if (probe(objects, id)->id == id)
		return berth_error_set(BERTH_E_STATE, 0, "object %" PRIu64 " exists already", id);
	return BERTH_OK;
}

/* The object that a created one lies on; a buffer lies on none. */
static berth_status find_parent(berth_object **out, const berth_objects *objects,
				const berth_op *op)
{
	berth_object *parent = NULL;

	if (op->kind == BERTH_OP_SUBBUFFER_CREATE ||
	    (op->kind == BERTH_OP_IMAGE_CREATE && op->other != BERTH_ID_NONE)) {
		parent = berth_objects_find(objects, op->other);
		if (!parent)
			return not_known(op->other);
	}
	*out = parent;
	return BERTH_OK;
}

/* Room for one more, so that what follows cannot fail for memory. */
static berth_status reserve(berth_objects *objects)
{
	berth_status st;

	if (2 * (objects->used + 1) > objects->slot_count) {
		st = set_slots(objects, 2 * objects->slot_count);
		if (st != BERTH_OK)
			return st;
	}
	return objects->free_list ? BERTH_OK : add_chunk(objects);
}

static berth_status apply_create(berth_objects *objects, const berth_op *op, berth_object **created)
{
	berth_object *parent = NULL;
	struct entry *entry;
	berth_status st;

	if ((st = id_is_free(objects, op->object)) != BERTH_OK ||
	    (st = find_parent(&parent, objects, op)) != BERTH_OK ||
	    (st = reserve(objects)) != BERTH_OK ||
	    (op->kind == BERTH_OP_SVM_ALLOC &&
	     (st = berth__svm_index_reserve(&objects->svm)) != BERTH_OK))
		return st;
	entry = objects->free_list;
	st = berth__object_init(&entry->object, parent, op);
	if (st != BERTH_OK)
		return st;
	objects->free_list = entry->next_free;
	*probe(objects, op->object) = (struct slot){ op->object, entry };
	objects->used++;
	objects->named++;
	if (parent)
		parent->children++;
	if (op->kind == BERTH_OP_SVM_ALLOC && op->host_address)
		berth__svm_index_add(&objects->svm, &entry->object);
	*created = &entry->object;
	return BERTH_OK;
}

static berth_status apply_retain(berth_objects *objects, const berth_op *op, berth_object **created)
{
	berth_object *object = berth_objects_find(objects, op->object);

	(void)created;
	if (!object)
		return not_known(op->object);
	if (object->references == UINT32_MAX)
		return berth_error_set(BERTH_E_STATE, 0,
				       "object %" PRIu64 " has %" PRIu32 " references, no more fit",
				       op->object, object->references);
	object->references++;
	return BERTH_OK;
}

static void let_go(berth_objects *objects, berth_object *object)
{
	if (--object->references == 0) {
		objects->named--;
		end_unheld(objects, object);
	}
}

static berth_status apply_release(berth_objects *objects, const berth_op *op,
				  berth_object **created)
{
	berth_object *object = berth_objects_find(objects, op->object);

	(void)created;
	if (!object)
		return not_known(op->object);
	let_go(objects, object);
	return BERTH_OK;
}

/* NULL and pointers to nothing known change nothing: clSVMFree says nothing about them. */
static berth_status apply_svm_free(berth_objects *objects, const berth_op *op,
				   berth_object **created)
{
	berth_object *object = berth_objects_find(objects, op->object);

	(void)created;
	if (object && object->kind == BERTH_OBJECT_SVM)
		let_go(objects, object);
	for (uint32_t i = 0; op->uses && i < op->use_count; i++) {
		object = berth_objects_find(objects, op->uses[i].object);
		if (object && object->kind == BERTH_OBJECT_SVM)
			let_go(objects, object);
	}
	return BERTH_OK;
}

static berth_status apply_map(berth_objects *objects, const berth_op *op, berth_object **created)
{
	berth_object *object = berth_objects_find(objects, op->object);

	(void)created;
	return object ? berth__object_map(object, op) : not_known(op->object);
}

static berth_status apply_unmap(berth_objects *objects, const berth_op *op, berth_object **created)
{
	berth_object *object = berth_objects_find(objects, op->object);

	(void)created;
	return object ? berth__object_unmap(object, op->mapping) : not_known(op->object);
}

typedef berth_status apply_fn(berth_objects *objects, const berth_op *op, berth_object **created);

/* Kinds that are not here change no object. */
/* clang-format off */
static apply_fn *const appliers[BERTH_OP_KIND_END] = {
	[BERTH_OP_BUFFER_CREATE] = apply_create,
	[BERTH_OP_SUBBUFFER_CREATE] = apply_create,
	[BERTH_OP_IMAGE_CREATE] = apply_create,
	[BERTH_OP_SVM_ALLOC] = apply_create,
	[BERTH_OP_SVM_FREE] = apply_svm_free,
	[BERTH_OP_PIPE_CREATE] = apply_create,
	[BERTH_OP_RETAIN] = apply_retain,
	[BERTH_OP_RELEASE] = apply_release,
	[BERTH_OP_MAP] = apply_map,
	[BERTH_OP_UNMAP] = apply_unmap,
};
/* clang-format on */

berth_status berth_objects_apply(berth_objects *objects, const berth_op *op, berth_object **created)
{
	apply_fn *apply = (unsigned)op->kind < BERTH_OP_KIND_END ? appliers[op->kind] : NULL;
	berth_object *object = NULL;
	berth_status st = apply ? apply(objects, op, &object) : BERTH_OK;

	if (st == BERTH_OK && created)
		*created = object;
	return st;
}
