/* SPDX-License-Identifier: Apache-2.0 */
#include "layer_mark.h"

#include "layer_call.h"

#include <string.h>

#include <berth/mark.h>

/* As long as the program says, but not longer than a record may be. */
static uint32_t name_of(const char *text)
{
	char copy[BERTH_MARK_TEXT_MAX + 1];
	size_t bytes = strnlen(text, BERTH_MARK_TEXT_MAX);

	memcpy(copy, text, bytes);
	copy[bytes] = '\0';
	return berth__layer_name(copy);
}

static void label(uint64_t object, const char *text, uint16_t bits)
{
	struct berth__call call;

	if (!text)
		return;
	berth__call_begin(&call, BERTH_OP_LABEL, BERTH_FORM_NONE);
	call.op->object = object;
	call.op->bits = bits;
	call.op->name = name_of(text);
	berth__call_enter(&call);
	berth__call_leave(&call, CL_SUCCESS);
	berth__call_commit(&call);
}

static void CL_API_CALL mark(const char *text, int what)
{
	label(BERTH_ID_NONE, text,
	      (uint16_t)(what == 1   ? BERTH_OP_BEGINS
			 : what == 2 ? BERTH_OP_ENDS
				     : 0));
}

/* A handle that is none is named nothing. */
static void CL_API_CALL name_object(cl_mem object, const char *name)
{
	struct berth__handle entry;

	if (berth__layer_find_object(object, &entry))
		label(entry.id, name, 0);
}

static void CL_API_CALL name_pointer(const void *pointer, const char *name)
{
	struct berth__svm svm;

	if (berth__svm_map_find(&berth__layer.svm, pointer, &svm))
		label(svm.id, name, 0);
}

void *berth__mark_functions(const char *name)
{
	static const struct berth_mark_functions functions = { mark, name_object, name_pointer };

	return name && strcmp(name, BERTH_MARK_FUNCTIONS) == 0 ? (void *)(uintptr_t)&functions
							       : NULL;
}
