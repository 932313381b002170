/* SPDX-License-Identifier: Apache-2.0 */
#include "alloc_fault.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>

/* The linker's names for --wrap. */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__real_reallocarray(void *old, size_t count, size_t bytes);
void __real_free(void *memory);
char *__real_strdup(const char *text);
int __real_posix_memalign(void **out, size_t alignment, size_t bytes);
void *__real_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
int __real_munmap(void *at, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_reallocarray(void *old, size_t count, size_t bytes);
void __wrap_free(void *memory);
char *__wrap_strdup(const char *text);
int __wrap_posix_memalign(void **out, size_t alignment, size_t bytes);
int __wrap_asprintf(char **out, const char *format, ...);
int __wrap___asprintf_chk(char **out, int flag, const char *format, ...);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
int __wrap_munmap(void *at, size_t bytes);

static unsigned countdown; /* 0: not armed */
static bool hit;
static long live;

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

long alloc_fault_live(void)
{
	return live;
}

static bool is_due(void)
{
	if (countdown == 0 || --countdown > 0)
		return false;
	hit = true;
	errno = ENOMEM;
	return true;
}

static void *counted(void *memory)
{
	live += memory != NULL;
	return memory;
}

void *__wrap_malloc(size_t bytes)
{
	return is_due() ? NULL : counted(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes)
{
	return is_due() ? NULL : counted(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *old, size_t bytes)
{
	void *memory = is_due() ? NULL : __real_realloc(old, bytes);

	return old ? memory : counted(memory);
}

void *__wrap_reallocarray(void *old, size_t count, size_t bytes)
{
	void *memory = is_due() ? NULL : __real_reallocarray(old, count, bytes);

	return old ? memory : counted(memory);
}

void __wrap_free(void *memory)
{
	live -= memory != NULL;
	__real_free(memory);
}

char *__wrap_strdup(const char *text)
{
	return is_due() ? NULL : counted(__real_strdup(text));
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t bytes)
{
	int error = is_due() ? ENOMEM : __real_posix_memalign(out, alignment, bytes);

	live += error == 0;
	return error;
}

static int print(char **out, const char *format, va_list args)
{
	int length = is_due() ? -1 : vasprintf(out, format, args);

	live += length >= 0;
	return length;
}

int __wrap_asprintf(char **out, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = print(out, format, args);
	va_end(args);
	return length;
}

/* What asprintf() is called with _FORTIFY_SOURCE. */
int __wrap___asprintf_chk(char **out, int flag, const char *format, ...)
{
	va_list args;
	int length;

	(void)flag;
	va_start(args, format);
	length = print(out, format, args);
	va_end(args);
	return length;
}

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
	void *memory = MAP_FAILED;

	if (!is_due())
		memory = __real_mmap(at, bytes, protection, flags, file, offset);
	live += memory != MAP_FAILED;
	return memory;
}

int __wrap_munmap(void *at, size_t bytes)
{
	live--;
	return __real_munmap(at, bytes);
}
