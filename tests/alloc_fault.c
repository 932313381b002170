/* SPDX-License-Identifier: Apache-2.0 */
#include "alloc_fault.h"

#include <stddef.h>

/* The linker's names for --wrap. */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);

static unsigned countdown; /* 0: not armed */
static bool hit;

void alloc_fault_arm(unsigned n)
{
	countdown = n;
	hit = false;
}

bool alloc_fault_disarm(void)
{
	countdown = 0;
	return hit;
}

static bool fails(void)
{
	if (countdown == 0 || --countdown > 0)
		return false;
	hit = true;
	return true;
}

void *__wrap_malloc(size_t bytes)
{
	return fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
	return fails() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
	return fails() ? NULL : __real_realloc(old, bytes);
}
