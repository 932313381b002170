/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Marks: an OpenCL program says in its recording where its phases begin, and what its memory
 * objects are called. This header is all there is: nothing to link but the OpenCL that the
 * program has already. When the program is not recorded a call is one look at a variable.
 *
 *	#include <berth/mark.h>
 *
 *	berth_mark_begin("load weights");
 *	weights = clCreateBuffer(...);
 *	berth_name_object(weights, "weights");
 *	berth_mark_end("load weights");
 *
 * The names stand in the trace as `label` ops, and `berth record --start-mark NAME` begins a
 * recording at one. Texts are copied; of long ones at most BERTH_MARK_TEXT_MAX bytes.
 *
 * A program that loads OpenCL while it runs says how functions are fetched, once and first:
 * berth_mark_use(clGetExtensionFunctionAddress as it was loaded).
 *
 * C99 or C++11, GCC or Clang. Threads: all functions may be called at any time, but
 * berth_mark_use().
 */
#ifndef BERTH_MARK_H
#define BERTH_MARK_H

#include <CL/cl.h>

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The function that fetches functions is deprecated, and the only one that needs no platform. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/** Bytes of a text that are kept. */
#define BERTH_MARK_TEXT_MAX 1000

/** What the recorder gives under the name BERTH_MARK_FUNCTIONS; not for callers. */
struct berth_mark_functions {
	void(CL_API_CALL *mark)(const char *text, int what); /* 0 mark, 1 begin, 2 end */
	void(CL_API_CALL *name_object)(cl_mem object, const char *name);
	void(CL_API_CALL *name_pointer)(const void *pointer, const char *name);
};
#define BERTH_MARK_FUNCTIONS "berth_mark_functions_1"

/** How functions are fetched: clGetExtensionFunctionAddress(). */
typedef void *(CL_API_CALL *berth_mark_getter)(const char *name);

/** One of these a source file: what is known after the first call. Not for callers. */
static struct {
	const struct berth_mark_functions *functions;
	berth_mark_getter getter;
	int known;
} berth_mark_state;

#ifndef BERTH_MARK_NO_LINK
/* Declared here too, since headers hide it from programs of OpenCL 1.2 and later. */
extern CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddress(const char *name);
#define BERTH_MARK_GETTER clGetExtensionFunctionAddress
#else
#define BERTH_MARK_GETTER NULL
#endif

/**
 * Fetch functions with @p getter: for programs that are not linked with OpenCL, which define
 * BERTH_MARK_NO_LINK as well.
 */
static inline void berth_mark_use(berth_mark_getter getter)
{
	berth_mark_state.getter = getter;
	berth_mark_state.known = 0;
}

/* Two threads may look at once: both find the same. */
static inline const struct berth_mark_functions *berth_mark_find(void)
{
	if (!__atomic_load_n(&berth_mark_state.known, __ATOMIC_ACQUIRE)) {
		berth_mark_getter getter =
			berth_mark_state.getter ? berth_mark_state.getter : BERTH_MARK_GETTER;

		if (getter && getenv("BERTH_SPOOL_DIR"))
			berth_mark_state.functions =
				(const struct berth_mark_functions *)getter(BERTH_MARK_FUNCTIONS);
		__atomic_store_n(&berth_mark_state.known, 1, __ATOMIC_RELEASE);
	}
	return berth_mark_state.functions;
}

/** A moment. */
static inline void berth_mark(const char *text)
{
	const struct berth_mark_functions *functions = berth_mark_find();

	if (functions)
		functions->mark(text, 0);
}

/** A phase begins. Phases may lie in one another, and in several threads. */
static inline void berth_mark_begin(const char *text)
{
	const struct berth_mark_functions *functions = berth_mark_find();

	if (functions)
		functions->mark(text, 1);
}

/** A phase ends. */
static inline void berth_mark_end(const char *text)
{
	const struct berth_mark_functions *functions = berth_mark_find();

	if (functions)
		functions->mark(text, 2);
}

/** Name a memory object; its last name counts. */
static inline void berth_name_object(cl_mem object, const char *name)
{
	const struct berth_mark_functions *functions = berth_mark_find();

	if (functions)
		functions->name_object(object, name);
}

/** Name shared virtual (or unified shared) memory by a pointer into it. */
static inline void berth_name_pointer(const void *pointer, const char *name)
{
	const struct berth_mark_functions *functions = berth_mark_find();

	if (functions)
		functions->name_pointer(pointer, name);
}

#pragma GCC diagnostic pop

#ifdef __cplusplus
}
#endif

#endif
