/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A libOpenCL with the layer in it, for programs whose own does not load layers: an old or a
 * bundled loader, a vendor's library that is linked directly. It exports what a loader does.
 * Each function jumps through a table, whose slot is filled at the first call: with the layer's
 * wrapper, or with the function of the real library. Not at the start of the process, since the
 * real library may be loaded later, and most processes never call OpenCL.
 *
 * The real library is BERTH_OPENCL where that is set, else the next one that is loaded, else
 * what the system calls libOpenCL.so.1.
 */
#include "layer_calls.h"
#include "loader_calls.h"

#include <CL/cl_layer.h>

#include <assert.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <berth/record.h>

#define SLOT_COUNT (sizeof(cl_icd_dispatch) / sizeof(void *))

/* Where each function goes; NULL: not asked for yet. */
void *berth__loader_table[SLOT_COUNT] __attribute__((visibility("hidden")));

void *berth__loader_resolve(size_t slot) __attribute__((visibility("hidden")));

#define X(name, slot)                                                                              \
	static_assert(offsetof(cl_icd_dispatch, name) == (slot) * sizeof(void *),                  \
		      "a slot of the dispatch table");
BERTH__LOADER_CALLS(X)
#undef X

/*
 * NAME: jump to where its slot says; else ask, with all arguments kept, and jump there. No
 * function of OpenCL has floating-point arguments.
 */
#if defined(__x86_64__)
__asm__(".text\n"
	".hidden berth__loader_lazy\n"
	".type berth__loader_lazy, @function\n"
	"berth__loader_lazy:\n" /* the slot is on the stack, above it the return address */
	"	pushq %rdi; pushq %rsi; pushq %rdx; pushq %rcx; pushq %r8; pushq %r9\n"
	"	movq 48(%rsp), %rdi\n"
	"	call berth__loader_resolve\n"
	"	movq %rax, %r11\n"
	"	popq %r9; popq %r8; popq %rcx; popq %rdx; popq %rsi; popq %rdi\n"
	"	addq $8, %rsp\n"
	"	jmp *%r11\n"
	".size berth__loader_lazy, . - berth__loader_lazy\n");
#define X(name, slot)                                                                              \
	__asm__(".globl " #name "\n"                                                               \
		".type " #name ", @function\n"                                                     \
		#name ":\n"                                                                        \
		"	movq berth__loader_table + 8 * " #slot "(%rip), %r11\n"                    \
		"	testq %r11, %r11\n"                                                        \
		"	je 1f\n"                                                                   \
		"	jmp *%r11\n"                                                               \
		"1:	pushq $" #slot "\n"                                                        \
		"	jmp berth__loader_lazy\n"                                                  \
		".size " #name ", . - " #name "\n");
#elif defined(__aarch64__)
__asm__(".text\n"
	".hidden berth__loader_lazy\n"
	".type berth__loader_lazy, %function\n"
	"berth__loader_lazy:\n" /* the slot is in x16 */
	"	stp x29, x30, [sp, #-80]!\n"
	"	stp x0, x1, [sp, #16]\n"
	"	stp x2, x3, [sp, #32]\n"
	"	stp x4, x5, [sp, #48]\n"
	"	stp x6, x7, [sp, #64]\n"
	"	mov x0, x16\n"
	"	bl berth__loader_resolve\n"
	"	mov x16, x0\n"
	"	ldp x0, x1, [sp, #16]\n"
	"	ldp x2, x3, [sp, #32]\n"
	"	ldp x4, x5, [sp, #48]\n"
	"	ldp x6, x7, [sp, #64]\n"
	"	ldp x29, x30, [sp], #80\n"
	"	br x16\n"
	".size berth__loader_lazy, . - berth__loader_lazy\n");
#define X(name, slot)                                                                              \
	__asm__(".globl " #name "\n"                                                               \
		".type " #name ", %function\n"                                                     \
		#name ":\n"                                                                        \
		"	adrp x16, berth__loader_table + 8 * " #slot "\n"                           \
		"	ldr x16, [x16, #:lo12:berth__loader_table + 8 * " #slot "]\n"              \
		"	cbz x16, 1f\n"                                                             \
		"	br x16\n"                                                                  \
		"1:	mov x16, #" #slot "\n"                                                     \
		"	b berth__loader_lazy\n"                                                    \
		".size " #name ", . - " #name "\n");
#else
#error "no trampolines for this processor: configure leaves this library out"
#endif
BERTH__LOADER_CALLS(X)
#undef X

/* ---- the real library ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static cl_icd_dispatch real;

/* Never this library, which has the same name. */
static void *open_library(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	void *function = library ? dlsym(library, "clGetPlatformIDs") : NULL;
	Dl_info own, other;

	if (function && dladdr(berth__loader_table, &own) && dladdr(function, &other) &&
	    own.dli_fbase != other.dli_fbase)
		return library;
	if (library)
		dlclose(library);
	return NULL;
}

/* RTLD_NEXT: one that is loaded behind this one has the functions. */
static void *find_library(void)
{
	const char *path = secure_getenv(BERTH_ENV_OPENCL);
	void *library = NULL;

	if (path && *path && !(library = open_library(path)))
		fprintf(stderr, "berth: cannot use '%s' as OpenCL: %s\n", path, dlerror());
	if (!library && dlsym(RTLD_NEXT, "clGetPlatformIDs"))
		return RTLD_NEXT;
	return library ? library : open_library("libOpenCL.so.1");
}

static void fill_real(void *library)
{
	static const struct {
		const char *name;
		size_t slot;
	} calls[] = {
#define X(name, slot) { #name, slot },
		BERTH__LOADER_CALLS(X)
#undef X
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		void *function = dlsym(library, calls[i].name);

		memcpy((unsigned char *)&real + calls[i].slot * sizeof(void *), &function,
		       sizeof(function));
	}
}

/* As a loader would: the layer gets the target's table, and gives its own. */
static void start(void)
{
	void *library = find_library();
	const cl_icd_dispatch *layer = NULL;
	cl_uint count = 0;

	if (!library) {
		fputs("berth: there is no OpenCL library behind the recording one; "
		      "set " BERTH_ENV_OPENCL " to its path\n",
		      stderr);
		return;
	}
	fill_real(library);
	if (clInitLayer(SLOT_COUNT, &real, &count, &layer) != CL_SUCCESS)
		layer = NULL;
	for (size_t slot = 0; slot < SLOT_COUNT; slot++) {
		void *function = NULL;

		if (layer)
			memcpy(&function,
			       (const unsigned char *)layer + slot * sizeof(function),
			       sizeof(function));
		if (!function)
			memcpy(&function, (const unsigned char *)&real + slot * sizeof(function),
			       sizeof(function));
		__atomic_store_n(&berth__loader_table[slot], function, __ATOMIC_RELEASE);
	}
}

/* There is no answer that every function could give. */
static void missing(void)
{
	fputs("berth: the OpenCL library lacks a function that the program calls\n", stderr);
	abort();
}

void *berth__loader_resolve(size_t slot)
{
	void *function;

	pthread_once(&once, start);
	function = __atomic_load_n(&berth__loader_table[slot], __ATOMIC_ACQUIRE);
	return function ? function : (void *)missing;
}
