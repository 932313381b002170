/* SPDX-License-Identifier: Apache-2.0 */
/* The objects of a call that has a list of them. */
#include "layer_kernel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* Of a longer list the rest is left out, and the call counted as not modelled. */
#define LIST_MAX 16384u

bool berth__uses_reserve(struct berth__uses *uses, uint32_t count)
{
	uses->count = 0;
	uses->list = uses->few;
	if (count > sizeof(uses->few) / sizeof(uses->few[0]))
		uses->list = calloc(count, sizeof(*uses->list));
	return uses->list != NULL;
}

void berth__uses_free(struct berth__uses *uses)
{
	if (uses->list != uses->few)
		free(uses->list);
}

/*
 * Copy handles from a list that the driver has not looked at: what it refuses for
 * another reason may point anywhere. Returns how many could be read.
 */
static cl_uint read_handles(cl_mem *out, const cl_mem *list, cl_uint count)
{
	const struct iovec to = { out, count * sizeof(*out) };
	const struct iovec from = { (void *)(uintptr_t)list, count * sizeof(*list) };
	int errno_of_program = errno;
	ssize_t bytes = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
	bool forbidden = bytes < 0 && errno != EFAULT;

	errno = errno_of_program;
	if (forbidden) {
		memcpy(out, list, count * sizeof(*list));
		return count;
	}
	return bytes < 0 ? 0 : (cl_uint)((size_t)bytes / sizeof(*out));
}

static void count_too_many(const char *call_name)
{
	char text[128];

	snprintf(text, sizeof(text), "%s of too many objects", call_name);
	berth__layer_count_untracked(text);
}

void berth__uses_list(struct berth__uses *uses, const cl_mem *objects, cl_uint count,
		      const char *call_name)
{
	cl_mem handles[64];
	const cl_uint room = sizeof(handles) / sizeof(handles[0]);

	if (count > LIST_MAX) {
		count_too_many(call_name);
		count = LIST_MAX;
	}
	if (!berth__uses_reserve(uses, objects ? count : 0))
		berth__spool_count_lost(&berth__layer.spool);
	if (!objects || !uses->list)
		return;
	while (uses->count < count) {
		cl_uint left = count - uses->count, part = left < room ? left : room;
		cl_uint got = read_handles(handles, objects + uses->count, part);

		for (cl_uint i = 0; i < got; i++, uses->count++)
			uses->list[uses->count] = (berth_object_use){
				.object = berth__layer_object(handles[i]),
				.arg_index = uses->count,
			};
		if (got < part)
			return;
	}
}

void berth__call_uses(struct berth__call *call, const struct berth__uses *uses)
{
	if (uses->count == 0)
		return;
	call->uses = uses->list;
	call->op->use_count = uses->count;
	call->parts |= BERTH_SPOOL_PART_USES;
}
