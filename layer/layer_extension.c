/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that a program fetches by name. Those of the dispatch table come from
 * the loader, and so through this layer; the others go straight to the driver.
 * A program that fetched one that moves memory may use it: its trace says so.
 */
#include "layer_calls.h"

#include <stdio.h>
#include <string.h>

/* Parts of the names of functions that make, free or touch memory. */
static const char *const memory_words[] = {
	"Alloc", "Buffer", "Image", "Mem", "SVM", "Import", "Acquire", "Pipe", "Mipmap",
};

/* Names that have such a part but ask or command something else. */
static const char *const harmless_prefixes[] = { "clGet", "clEnqueueBarrier" };

static const char *const table_names[] = {
#define X(name) #name,
	BERTH__LAYER_CALLS(X)
#undef X
};

static bool concerns_memory(const char *name)
{
	for (size_t i = 0; i < sizeof(table_names) / sizeof(table_names[0]); i++)
		if (strcmp(name, table_names[i]) == 0)
			return false;
	for (size_t i = 0; i < sizeof(harmless_prefixes) / sizeof(harmless_prefixes[0]); i++)
		if (strncmp(name, harmless_prefixes[i], strlen(harmless_prefixes[i])) == 0)
			return false;
	for (size_t i = 0; i < sizeof(memory_words) / sizeof(memory_words[0]); i++)
		if (strstr(name, memory_words[i]))
			return true;
	return false;
}

static void see_function(const char *name, const void *function)
{
	char text[128];

	if (!function || !name || !concerns_memory(name))
		return;
	snprintf(text, sizeof(text), "%s (fetched)", name);
	berth__layer_count_untracked(text);
}

void *CL_API_CALL berth__clGetExtensionFunctionAddress(const char *name)
{
	void *function = berth__layer.target.clGetExtensionFunctionAddress(name);

	see_function(name, function);
	return function;
}

void *CL_API_CALL berth__clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
								  const char *name)
{
	void *function =
		berth__layer.target.clGetExtensionFunctionAddressForPlatform(platform, name);

	see_function(name, function);
	return function;
}
