/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BERTH_TOOL_LAYER_PATH_H
#define BERTH_TOOL_LAYER_PATH_H

#include <limits.h>

#include <berth/status.h>

/*
 * Find the layer library: $BERTH_LAYER, else the one built beside this program,
 * else the installed one. Absolute.
 * BERTH_OK or BERTH_E_NOT_FOUND; the detail says where it was looked for.
 */
berth_status layer_path_find(char path[PATH_MAX]);

/* Likewise the recording libOpenCL, under its own name or under one to be preloaded. */
berth_status layer_path_find_opencl(char path[PATH_MAX], bool to_preload);

/* Likewise the layer that simulates; without a choice. */
berth_status layer_path_find_simulate(char path[PATH_MAX]);

/* The libOpenCL that programs get here; false: there is none. */
bool layer_path_find_real_opencl(char path[PATH_MAX]);

#endif
