/* SPDX-License-Identifier: Apache-2.0 */
#include "command_list.h"

#include <stdlib.h>
#include <string.h>

struct command {
	const void *handle;
	struct berth_spool_op op;
	uint16_t parts;
	berth_region region;
	uint8_t digest[BERTH__DIGEST_BYTES];
	berth_object_use *uses; /* op.use_count of them */
};

/* On berth__handle.extra in berth__layer.command_buffers, and guarded by its shard. */
struct command_list {
	uint32_t queue, context; /* ids */
	size_t count, capacity;
	struct command *commands;
};

static void free_list(struct command_list *list)
{
	for (size_t i = 0; list && i < list->count; i++)
		free(list->commands[i].uses);
	if (list)
		free(list->commands);
	free(list);
}

static struct command_list *lock(const void *buffer)
{
	struct berth__handle *entry = berth__handle_lock(&berth__layer.command_buffers, buffer);

	return entry ? entry->extra : NULL;
}

static void unlock(const void *buffer)
{
	berth__handle_unlock(&berth__layer.command_buffers, buffer);
}

void berth__commands_enter(const void *buffer, cl_command_queue queue)
{
	struct command_list *list = calloc(1, sizeof(*list));
	struct berth__handle entry = { .handle = buffer, .references = 1, .extra = list };
	struct berth__handle known, replaced = { .handle = NULL };

	if (list && berth__handle_find(&berth__layer.queues, queue, &known)) {
		list->queue = (uint32_t)known.id;
		list->context = known.context;
	}
	if (!list || !berth__handle_insert(&berth__layer.command_buffers, &entry, &replaced)) {
		free_list(list);
		berth__spool_count_lost(&berth__layer.spool);
	} else if (replaced.handle) {
		free_list(replaced.extra);
	}
}

void berth__commands_retain(const void *buffer)
{
	struct berth__handle entry;

	berth__handle_retain(&berth__layer.command_buffers, buffer, &entry);
}

bool berth__commands_begin_release(const void *buffer, struct berth__handle *entry)
{
	return berth__handle_release(&berth__layer.command_buffers, buffer, entry);
}

void berth__commands_end_release(const struct berth__handle *entry, cl_int status)
{
	if (status != CL_SUCCESS)
		berth__handle_restore(&berth__layer.command_buffers, entry);
	else if (entry->references == 0)
		free_list(entry->extra);
}

static bool reserve_one(struct command_list *list)
{
	size_t capacity = list->capacity ? list->capacity * 2 : 16;
	struct command *commands;

	if (list->count < list->capacity)
		return true;
	commands = reallocarray(list->commands, capacity, sizeof(*commands));
	if (!commands)
		return false;
	list->commands = commands;
	list->capacity = capacity;
	return true;
}

/* False: no memory. */
static bool copy_call(struct command *command, const struct berth__call *call, const void *handle)
{
	size_t bytes = call->op->use_count * sizeof(*command->uses);

	*command = (struct command){
		.handle = handle,
		.op = *call->op,
		.parts = call->parts & (BERTH_SPOOL_PART_REGION | BERTH_SPOOL_PART_DIGEST |
					BERTH_SPOOL_PART_USES),
	};
	if (call->parts & BERTH_SPOOL_PART_REGION)
		command->region = call->region;
	if (call->parts & BERTH_SPOOL_PART_DIGEST)
		memcpy(command->digest, call->digest, sizeof(command->digest));
	if (bytes == 0)
		return true;
	command->uses = malloc(bytes);
	if (command->uses)
		memcpy(command->uses, call->uses, bytes);
	return command->uses;
}

void berth__commands_add(const void *buffer, const struct berth__call *call, const void *handle)
{
	struct command_list *list = lock(buffer);

	if (!list)
		return;
	if (reserve_one(list) && copy_call(&list->commands[list->count], call, handle))
		list->count++;
	else
		berth__spool_count_lost(&berth__layer.spool);
	unlock(buffer);
}

/* A new one has no place of its own: the list is made one longer. False: no memory. */
static bool set_use(struct command *command, uint32_t index, uint64_t object)
{
	uint32_t count = command->op.use_count, at = 0;
	berth_object_use *uses = command->uses;

	while (at < count && uses[at].arg_index != index)
		at++;
	if (at == count) {
		uses = reallocarray(uses, count + 1u, sizeof(*uses));
		if (!uses)
			return false;
		command->uses = uses;
		command->op.use_count++;
		command->parts |= BERTH_SPOOL_PART_USES;
	}
	uses[at] = (berth_object_use){ .object = object, .arg_index = index };
	return true;
}

void berth__commands_set_argument(const void *buffer, const void *handle, uint32_t index,
				  uint64_t object)
{
	struct command_list *list = lock(buffer);

	if (!list)
		return;
	for (size_t i = 0; i < list->count; i++)
		if (list->commands[i].handle == handle &&
		    !set_use(&list->commands[i], index, object))
			berth__spool_count_lost(&berth__layer.spool);
	unlock(buffer);
}

static void append(const struct command *command, uint32_t queue, uint32_t context)
{
	struct berth__call call;
	uint32_t thread;

	berth__call_begin(&call, command->op.kind, command->op.form);
	thread = call.op->thread;
	*call.op = command->op;
	call.op->thread = thread;
	call.op->queue = queue;
	call.op->context = context;
	call.parts = command->parts;
	call.region = command->region;
	memcpy(call.digest, command->digest, sizeof(call.digest));
	call.uses = command->uses;
	berth__call_enter(&call);
	berth__call_leave(&call, CL_SUCCESS);
	/* It runs when the buffer does; this is but the note of it. */
	call.op->duration_ns = 0;
	berth__call_commit(&call);
}

void berth__commands_append(const void *buffer, cl_command_queue queue)
{
	struct berth__handle known = { .handle = NULL };
	bool other = queue && berth__handle_find(&berth__layer.queues, queue, &known);
	struct command_list *list = lock(buffer);

	if (!list)
		return;
	for (size_t i = 0; i < list->count; i++)
		append(&list->commands[i], other ? (uint32_t)known.id : list->queue,
		       other ? known.context : list->context);
	unlock(buffer);
}
