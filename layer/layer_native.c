/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Native kernels: a driver may run them inside of the enqueue, and what they call is the
 * program's. OpenCL has no argument for a wrapper's own use, so it stands before the program's
 * arguments, in the block that the driver copies.
 */
#include "layer_native.h"

#include <stddef.h>
#include <string.h>

#include "layer_callback.h"

struct block {
	void(CL_CALLBACK *function)(void *);
	bool has_args;
	_Alignas(max_align_t) char args[]; /* as aligned as in a block of the program's */
};

static void CL_CALLBACK run(void *arguments)
{
	struct block *block = arguments;
	uint32_t depth = berth__callback_begin();

	block->function(block->has_args ? block->args : NULL);
	berth__callback_end(depth);
}

/* OpenCL's specification, clEnqueueNativeKernel: what is refused must stay as it is. */
static bool is_valid(const struct berth__native *program)
{
	uintptr_t begin = (uintptr_t)program->args;

	if (!program->function || !program->args != !program->args_bytes ||
	    program->args_bytes > SIZE_MAX - sizeof(struct block) ||
	    (program->object_count && (!program->args || !program->locations)))
		return false;
	for (cl_uint i = 0; i < program->object_count; i++) {
		uintptr_t at = (uintptr_t)program->locations[i];

		if (at < begin || at - begin >= program->args_bytes)
			return false;
	}
	return true;
}

struct berth__native berth__native_wrap(const struct berth__native *program)
{
	struct berth__native given = *program;
	struct block *block;

	if (!is_valid(program))
		return given;
	block = malloc(sizeof(*block) + program->args_bytes);
	given.locations = calloc(program->object_count + (size_t)1, sizeof(*given.locations));
	if (!block || !given.locations) {
		free(block);
		free(given.locations);
		return *program;
	}
	block->function = program->function;
	block->has_args = program->args != NULL;
	if (program->args)
		memcpy(block->args, program->args, program->args_bytes);
	for (cl_uint i = 0; i < program->object_count; i++)
		given.locations[i] = block->args + ((const char *)program->locations[i] -
						    (const char *)program->args);
	given.function = run;
	given.args = block;
	given.args_bytes = sizeof(*block) + program->args_bytes;
	return given;
}

void berth__native_free(struct berth__native *given, const struct berth__native *program)
{
	if (given->function == program->function)
		return;
	free(given->args);
	free(given->locations);
}
