/* SPDX-License-Identifier: Apache-2.0 */
#include "layer_fixture.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <berth/record.h>

#include "test_main.h"

#define LAYER TEST_LAYER_DIR "/libberth-layer.so"
#define SLOTS (sizeof(cl_icd_dispatch) / sizeof(void *))

const cl_icd_dispatch *layer_cl;
pfn_clInitLayer layer_init;
pfn_clGetLayerInfo layer_info;
layer_init_with_properties_fn layer_init_with_properties;
cl_int(CL_API_CALL *layer_deinit)(void);
char layer_directory[64];
struct spool_content layer_content;

static size_t ops_before, orders_before;

bool layer_fixture_load(const cl_icd_dispatch *driver)
{
	cl_uint count = 0;
	void *library;

	if (!scratch_make(layer_directory))
		return false;
	setenv(BERTH_ENV_SPOOL_DIR, layer_directory, 1);
	library = dlopen(LAYER, RTLD_LAZY | RTLD_LOCAL);
	if (!library) {
		fprintf(stderr, "layer_fixture: %s\n", dlerror());
		return false;
	}
	*(void **)&layer_init = dlsym(library, "clInitLayer");
	*(void **)&layer_info = dlsym(library, "clGetLayerInfo");
	*(void **)&layer_init_with_properties = dlsym(library, "clInitLayerWithProperties");
	*(void **)&layer_deinit = dlsym(library, "clDeinitLayer");
	return layer_init && layer_info && layer_init_with_properties && layer_deinit &&
	       layer_init(SLOTS, driver, &count, &layer_cl) == CL_SUCCESS && count == SLOTS;
}

void layer_fixture_unload(void)
{
	spool_content_free(&layer_content);
	scratch_remove(layer_directory);
}

static void read_all(void)
{
	spool_content_free(&layer_content);
	CU_ASSERT_FATAL(spool_content_read(&layer_content, layer_directory, 0));
}

static const struct spool_op *since(size_t *before, const struct spool_op *ops, size_t count,
				    size_t expected)
{
	size_t first = *before;

	ASSERT_INT(count - first, expected);
	CU_ASSERT_FATAL(count - first == expected);
	*before = count;
	return ops + first;
}

const struct spool_op *layer_recorded(size_t expected)
{
	read_all();
	return since(&ops_before, layer_content.ops, layer_content.op_count, expected);
}

const struct spool_op *layer_ordered(size_t expected)
{
	read_all();
	return since(&orders_before, layer_content.orders, layer_content.order_count, expected);
}

uint32_t layer_untracked(const char *name)
{
	for (size_t i = 0; i < 32; i++)
		if (strcmp(layer_content.untracked[i].name, name) == 0)
			return layer_content.untracked[i].count;
	return 0;
}
