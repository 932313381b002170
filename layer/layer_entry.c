/* SPDX-License-Identifier: Apache-2.0 */
/* What the loader sees of the layer: the four functions that layer.map exports. */
#include "layer_below.h"
#include "layer_calls.h"
#include "payload.h"
#include "stack.h"

#include <CL/cl_layer.h>

#include <berth/record.h>

#include <stdlib.h>
#include <string.h>

#define LAYER_NAME "berth record"
#define SLOT_COUNT (sizeof(cl_icd_dispatch) / sizeof(void *))

/* New since the headers of 2023. */
typedef intptr_t cl_layer_properties;
BERTH_API cl_int CL_API_CALL clInitLayerWithProperties(cl_uint num_entries,
						       const cl_icd_dispatch *target_dispatch,
						       cl_uint *num_entries_ret,
						       const cl_icd_dispatch **layer_dispatch_ret,
						       const cl_layer_properties *properties);
BERTH_API cl_int CL_API_CALL clDeinitLayer(void);

static const cl_icd_dispatch wrappers = {
#define X(name) .name = berth__##name,
	BERTH__LAYER_CALLS(X)
#undef X
};

/* What the loader gets: a NULL slot is inherited from the target. */
static cl_icd_dispatch table;

static berth_status start_recording(void)
{
	const char *directory = secure_getenv(BERTH_ENV_SPOOL_DIR);
	const char *digest = secure_getenv(BERTH_ENV_DIGEST);
	const char *split_waits = secure_getenv(BERTH_ENV_SPLIT_WAITS);
	const char *payload = secure_getenv(BERTH_ENV_PAYLOAD);
	const char *stacks = secure_getenv(BERTH_ENV_STACKS);
	berth_status st;

	if (!directory || !*directory) {
		if (!berth__layer_below)
			return BERTH_E_STATE;
		directory = "";
	}
	berth__layer.digests = *directory && (!digest || strcmp(digest, "0") != 0);
	berth__layer.split_waits = split_waits && strcmp(split_waits, "1") == 0;
	berth__payload_start(payload ? strtoull(payload, NULL, 10) : 0);
	berth__stack_start(stacks ? (uint32_t)strtoul(stacks, NULL, 10) : 0);
	st = berth__layer_start(directory);
	if (st == BERTH_OK || !berth__layer_below || !*directory)
		return st;
	/* What cannot be recorded is simulated all the same; the recorder says why there is no trace. */
	berth__layer.digests = false;
	return berth__layer_start("");
}

/* Wrap what the target has; what it lacks stays missing, as the program sees it without us. */
static void fill_table(const cl_icd_dispatch *target, size_t slots)
{
	static const void *const none = NULL;
	unsigned char *to = (unsigned char *)&table;
	const unsigned char *from = (const unsigned char *)&wrappers;

	memset(&berth__layer.target, 0, sizeof(berth__layer.target));
	memcpy(&berth__layer.target, target, slots * sizeof(void *));
	for (size_t at = 0; at < slots * sizeof(none); at += sizeof(none))
		if (memcmp((const unsigned char *)target + at, &none, sizeof(none)) != 0)
			memcpy(to + at, from + at, sizeof(none));
	if (berth__layer_below)
		berth__layer_below->join(&berth__layer.target, &table);
}

BERTH_API cl_int CL_API_CALL clInitLayer(cl_uint num_entries,
					 const cl_icd_dispatch *target_dispatch,
					 cl_uint *num_entries_ret,
					 const cl_icd_dispatch **layer_dispatch_ret)
{
	size_t slots = num_entries < SLOT_COUNT ? num_entries : SLOT_COUNT;

	if (!target_dispatch || !num_entries_ret || !layer_dispatch_ret || num_entries == 0)
		return CL_INVALID_VALUE;
	memset(&table, 0, sizeof(table));
	if (start_recording() == BERTH_OK)
		fill_table(target_dispatch, slots);
	*layer_dispatch_ret = &table;
	*num_entries_ret = (cl_uint)slots;
	return CL_SUCCESS;
}

BERTH_API cl_int CL_API_CALL clInitLayerWithProperties(cl_uint num_entries,
						       const cl_icd_dispatch *target_dispatch,
						       cl_uint *num_entries_ret,
						       const cl_icd_dispatch **layer_dispatch_ret,
						       const cl_layer_properties *properties)
{
	(void)properties; /* none is defined that a recorder has to obey */
	return clInitLayer(num_entries, target_dispatch, num_entries_ret, layer_dispatch_ret);
}

BERTH_API cl_int CL_API_CALL clDeinitLayer(void)
{
	berth__layer_stop();
	return CL_SUCCESS;
}

BERTH_API cl_int CL_API_CALL clGetLayerInfo(cl_layer_info param_name, size_t param_value_size,
					    void *param_value, size_t *param_value_size_ret)
{
	static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
	static const struct {
		cl_layer_info name;
		const void *value;
		size_t bytes;
	} infos[] = {
		{ CL_LAYER_API_VERSION, &version, sizeof(version) },
		{ CL_LAYER_NAME, LAYER_NAME, sizeof(LAYER_NAME) },
	};

	for (size_t i = 0; i < sizeof(infos) / sizeof(infos[0]); i++) {
		if (infos[i].name != param_name)
			continue;
		if (param_value && param_value_size < infos[i].bytes)
			return CL_INVALID_VALUE;
		if (param_value)
			memcpy(param_value, infos[i].value, infos[i].bytes);
		if (param_value_size_ret)
			*param_value_size_ret = infos[i].bytes;
		return CL_SUCCESS;
	}
	return CL_INVALID_VALUE;
}

/*
 * Runs after the program's atexit handlers and static destructors, which may
 * still release objects; an atexit handler of ours would be too early.
 */
__attribute__((destructor)) static void at_unload(void)
{
	berth__layer_stop();
}
