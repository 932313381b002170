/* SPDX-License-Identifier: Apache-2.0 */
/* The record layer in this process, on a made-up driver, and what it records. */
#ifndef BERTH_TESTS_LAYER_FIXTURE_H
#define BERTH_TESTS_LAYER_FIXTURE_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl_layer.h>

#include "spool_reader.h"

/* The calls as the program sees them. */
extern const cl_icd_dispatch *layer_cl;

/* What the layer exports. */
extern pfn_clInitLayer layer_init;
extern pfn_clGetLayerInfo layer_info;

/* New since the headers of 2023. */
typedef cl_int(CL_API_CALL *layer_init_with_properties_fn)(cl_uint, const cl_icd_dispatch *,
							   cl_uint *, const cl_icd_dispatch **,
							   const intptr_t *);
extern layer_init_with_properties_fn layer_init_with_properties;
extern cl_int(CL_API_CALL *layer_deinit)(void);

/* The spool directory, and what layer_recorded() read from it. */
extern char layer_directory[64];
extern struct spool_content layer_content;

/* Load the layer with a driver; false, and said on stderr: it cannot be. */
bool layer_fixture_load(const cl_icd_dispatch *driver);
void layer_fixture_unload(void);

/* The ops, or order ops, recorded since the last call of the same function: `expected` of them. */
const struct spool_op *layer_recorded(size_t expected);
const struct spool_op *layer_ordered(size_t expected);

/* How often a call was counted as not modelled; after layer_recorded(). */
uint32_t layer_untracked(const char *name);

#endif
