/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate_alias.h"

#include <stdlib.h>
#include <string.h>

/* What kernels of a CPU driver may assume of memory that they are given. */
#define ALIGN ((size_t)4096)
#define HOST_FLAGS                                                                                 \
	((cl_mem_flags)(CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR))
#define ACCESS_FLAGS ((cl_mem_flags)(CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY))

/* Memory that objects lie on; freed with the last of them. */
struct alias_block {
	_Atomic uint32_t references;
	void *own; /* NULL: the program's */
};

static struct berth__handle_map aliases;

void berth__simulate_alias_forget(void)
{
	berth__handle_map_init(&aliases);
}

bool berth__simulate_alias_find(const void *object, struct alias *out)
{
	struct berth__handle *entry = object ? berth__handle_lock(&aliases, object) : NULL;

	if (!entry)
		return false;
	*out = *(const struct alias *)entry->extra;
	berth__handle_unlock(&aliases, object);
	return true;
}

static void let_go(struct alias_block *block)
{
	if (atomic_fetch_sub(&block->references, 1) == 1) {
		free(block->own);
		free(block);
	}
}

/* The driver has destroyed the object, and does not use its memory any more. */
static void CL_CALLBACK on_destroyed(cl_mem object, void *user_data)
{
	struct alias *alias = user_data;
	struct berth__handle *entry = berth__handle_lock(&aliases, alias->object), taken;
	bool current = entry && entry->extra == alias;

	(void)object;
	if (entry)
		berth__handle_unlock(&aliases, alias->object);
	if (current)
		berth__handle_release(&aliases, alias->object, &taken);
	let_go(alias->block);
	free(alias);
}

/* Takes one reference of the block over. An object that cannot be entered is as one without. */
static void enter(const struct alias *alias)
{
	struct berth__handle entry = { .handle = alias->object, .references = 1 }, replaced;
	struct alias *own = malloc(sizeof(*own));

	if (!own)
		return; /* and its memory is kept for good */
	*own = *alias;
	entry.extra = own;
	if (berth__handle_insert(&aliases, &entry, &replaced))
		berth__simulate_real.clSetMemObjectDestructorCallback(alias->object, on_destroyed,
								      own);
}

/* Whether objects of this context shall lie on memory of ours. */
static bool is_wanted(cl_context context)
{
	struct simulated *simulated = berth__simulate_of_context_handle(context);
	const berth_caps *caps = simulated ? &simulated->profile->caps : NULL;
	size_t offset;
	int tried;

	if (!simulated || !caps->image2d_from_buffer)
		return false;
	tried = atomic_load(&simulated->aliases);
	if (tried == ALIAS_NOT_TRIED) {
		offset = berth_caps_base_align_bytes(caps);
		tried = berth__simulate_real_has_images_on_buffers(simulated->device)
				? ALIAS_NOT_NEEDED
			: berth__simulate_alias_test(context, simulated->device, offset)
				? ALIAS_WORKS
				: ALIAS_FAILS;
		if (atomic_exchange(&simulated->aliases, tried) == ALIAS_NOT_TRIED &&
		    tried == ALIAS_FAILS)
			berth__simulate_say(
				"%s makes images on buffers, this machine's driver does not, nor "
				"can both be put on one piece of memory here: such images are "
				"refused",
				simulated->profile->name);
	}
	return tried == ALIAS_WORKS;
}

/* Where the buffer shall lie; NULL: no memory, or nothing to share. */
static struct alias_block *make_block(unsigned char **memory, cl_mem_flags flags, size_t size,
				      void *host_ptr)
{
	struct alias_block *block = calloc(1, sizeof(*block));

	if (!block || size == 0 || size > SIZE_MAX - ALIGN) {
		free(block);
		return NULL;
	}
	atomic_init(&block->references, 1);
	if (flags & CL_MEM_USE_HOST_PTR) {
		*memory = host_ptr;
		return block;
	}
	block->own = aligned_alloc(ALIGN, (size + ALIGN - 1) / ALIGN * ALIGN);
	if (!block->own) {
		free(block);
		return NULL;
	}
	if (flags & CL_MEM_COPY_HOST_PTR)
		memcpy(block->own, host_ptr, size);
	*memory = block->own;
	return block;
}

cl_mem CL_API_CALL berth__simulate_clCreateBuffer(cl_context context, cl_mem_flags flags,
						  size_t size, void *host_ptr, cl_int *status)
{
	struct alias alias = { .flags = flags,
			       .host_ptr = flags & CL_MEM_USE_HOST_PTR ? host_ptr : NULL };
	bool takes = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);

	if (takes == (host_ptr != NULL) && is_wanted(context))
		alias.block = make_block(&alias.memory, flags, size, host_ptr);
	if (!alias.block)
		return berth__simulate_real.clCreateBuffer(context, flags, size, host_ptr, status);
	alias.object = berth__simulate_real.clCreateBuffer(
		context, (flags & ~HOST_FLAGS) | CL_MEM_USE_HOST_PTR, size, alias.memory, status);
	if (alias.object)
		enter(&alias);
	else
		let_go(alias.block);
	return alias.object;
}

/* What is not said is the parent's. */
static cl_mem_flags inherited(cl_mem_flags flags, cl_mem_flags parent, cl_mem_flags group)
{
	return flags & group ? flags & group : parent & group;
}

#define HOST_ACCESS_FLAGS                                                                          \
	((cl_mem_flags)(CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS))

static cl_mem_flags child_flags(cl_mem_flags flags, cl_mem_flags parent)
{
	return inherited(flags, parent, ACCESS_FLAGS) |
	       inherited(flags, parent, HOST_ACCESS_FLAGS) | (parent & HOST_FLAGS);
}

cl_mem CL_API_CALL berth__simulate_clCreateSubBuffer(cl_mem parent, cl_mem_flags flags,
						     cl_buffer_create_type type, const void *info,
						     cl_int *status)
{
	cl_mem object = berth__simulate_real.clCreateSubBuffer(parent, flags, type, info, status);
	const cl_buffer_region *region = info;
	struct alias alias;

	if (!object || type != CL_BUFFER_CREATE_TYPE_REGION ||
	    !berth__simulate_alias_find(parent, &alias))
		return object;
	atomic_fetch_add(&alias.block->references, 1);
	alias.memory += region->origin;
	if (alias.host_ptr)
		alias.host_ptr = (unsigned char *)alias.host_ptr + region->origin;
	alias.flags = child_flags(flags, alias.flags);
	alias.object = object;
	alias.parent = NULL;
	enter(&alias);
	return object;
}

cl_mem CL_API_CALL berth__simulate_clCreateImage(cl_context context, cl_mem_flags flags,
						 const cl_image_format *format,
						 const cl_image_desc *desc, void *host_ptr,
						 cl_int *status)
{
	struct alias alias;
	cl_image_desc own;
	cl_mem_flags shown;

	if (!desc || !format || desc->image_type != CL_MEM_OBJECT_IMAGE2D ||
	    !berth__simulate_alias_find(desc->mem_object, &alias) || alias.parent)
		return berth__simulate_real.clCreateImage(context, flags, format, desc, host_ptr,
							  status);
	own = *desc;
	own.mem_object = NULL;
	own.image_row_pitch = berth__simulate_asked_row_pitch();
	shown = child_flags(flags, alias.flags);
	alias.object = berth__simulate_real.clCreateImage(
		context, (shown & ~HOST_FLAGS) | CL_MEM_USE_HOST_PTR, format, &own, alias.memory,
		status);
	if (!alias.object)
		return NULL;
	atomic_fetch_add(&alias.block->references, 1);
	alias.flags = shown;
	alias.parent = desc->mem_object;
	enter(&alias);
	return alias.object;
}
