/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that a program fetches by name. Those of the dispatch table come from the loader,
 * and so through this layer; the others come straight from the driver, and the program gets
 * wrappers of ours. A program that fetched one that moves memory and is not wrapped may use it:
 * its trace says so.
 */
#include "layer_extension.h"

#include "layer_calls.h"
#include "layer_mark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Drivers in one process that have functions of their own; more are not wrapped. */
#define DRIVERS_MAX 8

/* Parts of the names of functions that make, free or touch memory. */
static const char *const memory_words[] = {
	"Alloc", "Buffer", "Image", "Mem", "SVM", "Import", "Acquire", "Pipe", "Mipmap",
};

/* Names that have such a part but ask or command something else. */
static const char *const harmless_prefixes[] = { "clGet", "clEnqueueBarrier",
						 "clFinalizeCommandBuffer",
						 "clCommandBarrier" };

static const char *const table_names[] = {
#define X(name) #name,
	BERTH__LAYER_CALLS(X)
#undef X
};

static const struct {
	const char *name;
	void *wrapper;
} wrappers[BERTH__EXTENSION_COUNT] = {
#define X(name) [BERTH__EXTENSION_##name] = { #name, (void *)berth__##name },
	BERTH__EXTENSION_CALLS(X)
#undef X
};

/*
 * The drivers' functions. An object of a driver begins with the address of its dispatch table
 * (the ICD loader's contract), and so does its platform: that tells drivers apart. Entries are
 * added and never taken away; `function` is stored last.
 */
static struct {
	const void *dispatch; /* NULL: fetched without a platform */
	_Atomic(void *) function;
} functions[BERTH__EXTENSION_COUNT][DRIVERS_MAX];
static pthread_mutex_t functions_lock = PTHREAD_MUTEX_INITIALIZER;

static const void *dispatch_of(const void *handle)
{
	const void *dispatch = NULL;

	if (handle)
		memcpy(&dispatch, handle, sizeof(dispatch));
	return dispatch;
}

/* The place for a driver's function, or NULL: there are too many. With the lock. */
static bool store(enum berth__extension extension, const void *dispatch, void *function)
{
	for (int i = 0; i < DRIVERS_MAX; i++) {
		bool is_free = !atomic_load(&functions[extension][i].function);

		if (!is_free && functions[extension][i].dispatch != dispatch)
			continue;
		functions[extension][i].dispatch = dispatch;
		atomic_store(&functions[extension][i].function, function);
		return true;
	}
	return false;
}

void *berth__extension_find(enum berth__extension extension, const void *handle)
{
	void *first = atomic_load(&functions[extension][0].function);
	const void *dispatch;

	/* Mostly there is one: then the handle, which may be none, is not looked at. */
	if (!atomic_load(&functions[extension][1].function))
		return first;
	dispatch = dispatch_of(handle);
	for (int i = 0; i < DRIVERS_MAX; i++) {
		void *function = atomic_load(&functions[extension][i].function);

		if (function && functions[extension][i].dispatch == dispatch)
			return function;
	}
	return first;
}

static bool is_one_of(const char *name, const char *const *names, size_t count, bool prefixes)
{
	for (size_t i = 0; i < count; i++)
		if (prefixes ? strncmp(name, names[i], strlen(names[i])) == 0
			     : strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static bool concerns_memory(const char *name)
{
	if (is_one_of(name, table_names, sizeof(table_names) / sizeof(table_names[0]), false) ||
	    is_one_of(name, harmless_prefixes,
		      sizeof(harmless_prefixes) / sizeof(harmless_prefixes[0]), true))
		return false;
	for (size_t i = 0; i < sizeof(memory_words) / sizeof(memory_words[0]); i++)
		if (strstr(name, memory_words[i]))
			return true;
	return false;
}

/*
 * Whether the driver's commands of command buffers have the parameters that are wrapped here.
 * Revision 0.9.5 gave each one more, under the same name.
 */
static bool has_old_commands(cl_platform_id platform)
{
	const cl_icd_dispatch *target = &berth__layer.target;
	cl_name_version versions[128];
	cl_device_id device;
	size_t bytes = 0;

	if (!platform || !target->clGetDeviceIDs || !target->clGetDeviceInfo ||
	    target->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
		return false;
	/* Drivers of before OpenCL 3.0 cannot say, and are older than the change. */
	if (target->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof(versions),
				    versions, &bytes) != CL_SUCCESS)
		return bytes == 0;
	for (size_t i = 0; i < bytes / sizeof(versions[0]); i++)
		if (strcmp(versions[i].name, "cl_khr_command_buffer") == 0)
			return versions[i].version < CL_MAKE_VERSION(0, 9, 5);
	return true;
}

static bool is_wrapped(const char *name, cl_platform_id platform)
{
	bool is_command = strncmp(name, "clCommand", strlen("clCommand")) == 0 ||
			  strcmp(name, "clUpdateMutableCommandsKHR") == 0;

	return !is_command || has_old_commands(platform);
}

static void count_fetched(const char *name)
{
	char text[128];

	if (!concerns_memory(name))
		return;
	snprintf(text, sizeof(text), "%s (fetched)", name);
	berth__layer_count_untracked(text);
}

void *berth__extension_wrap(const char *name, cl_platform_id platform, void *function)
{
	size_t extension = 0;
	bool stored;

	if (!function || !name)
		return function;
	while (extension < BERTH__EXTENSION_COUNT && strcmp(name, wrappers[extension].name) != 0)
		extension++;
	if (extension == BERTH__EXTENSION_COUNT || !is_wrapped(name, platform)) {
		count_fetched(name);
		return function;
	}
	/* A layer between us and the driver, or a loader that has it: it is not wrapped twice. */
	if (function == wrappers[extension].wrapper)
		return function;
	pthread_mutex_lock(&functions_lock);
	stored = store((enum berth__extension)extension, dispatch_of(platform), function);
	pthread_mutex_unlock(&functions_lock);
	if (!stored)
		count_fetched(name);
	return stored ? wrappers[extension].wrapper : function;
}

void *CL_API_CALL berth__clGetExtensionFunctionAddress(const char *name)
{
	BERTH__PASS_INSIDE(clGetExtensionFunctionAddress, name);

	void *marks = berth__mark_functions(name);

	if (marks)
		return marks;
	return berth__extension_wrap(name, NULL,
				     berth__layer.target.clGetExtensionFunctionAddress(name));
}

void *CL_API_CALL berth__clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
								  const char *name)
{
	BERTH__PASS_INSIDE(clGetExtensionFunctionAddressForPlatform, platform, name);

	void *marks = berth__mark_functions(name);

	if (marks)
		return marks;
	return berth__extension_wrap(
		name, platform,
		berth__layer.target.clGetExtensionFunctionAddressForPlatform(platform, name));
}
