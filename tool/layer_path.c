/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "layer_path.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LAYER_FILE "libberth-layer.so"
#define SIMULATE_FILE "libberth-simulate-layer.so"
#define OPENCL_FILE "libOpenCL.so.1"
#define PRELOAD_FILE "libberth-opencl.so"

/* From the program's folder in a build tree; libtool may put the program in .libs. */
static const char *const build_folders[] = { "../layer", "../../layer" };

static bool find_beside_program(char path[PATH_MAX], const char *name)
{
	char program[PATH_MAX], candidate[2 * PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	char *slash;

	if (length <= 0)
		return false;
	program[length] = '\0';
	slash = strrchr(program, '/');
	if (!slash)
		return false;
	*slash = '\0';
	for (size_t i = 0; i < sizeof(build_folders) / sizeof(build_folders[0]); i++) {
		snprintf(candidate, sizeof(candidate), "%s/%s/%s", program, build_folders[i], name);
		if (realpath(candidate, path))
			return true;
	}
	return false;
}

static berth_status not_found(const char *installed, const char *variable)
{
#ifdef BERTH_WITH_OPENCL
	return berth_error_set(BERTH_E_NOT_FOUND, 0,
			       "there is no layer library at '%s'; %s can name another", installed,
			       variable);
#else
	(void)installed, (void)variable;
	return berth_error_set(BERTH_E_NOT_FOUND, 0, "this Berth was built without OpenCL");
#endif
}

berth_status layer_path_find(char path[PATH_MAX])
{
	const char *chosen = getenv("BERTH_LAYER");

	if (chosen && *chosen) {
		if (realpath(chosen, path))
			return BERTH_OK;
		return berth_error_set(BERTH_E_NOT_FOUND, 0,
				       "there is no layer library at '%s' (from BERTH_LAYER)",
				       chosen);
	}
	if (find_beside_program(path, ".libs/" LAYER_FILE) ||
	    realpath(BERTH_PKGLIBDIR "/" LAYER_FILE, path))
		return BERTH_OK;
	return not_found(BERTH_PKGLIBDIR "/" LAYER_FILE, "BERTH_LAYER");
}

berth_status layer_path_find_simulate(char path[PATH_MAX])
{
	if (find_beside_program(path, ".libs/" SIMULATE_FILE) ||
	    realpath(BERTH_PKGLIBDIR "/" SIMULATE_FILE, path))
		return BERTH_OK;
#ifdef BERTH_WITH_OPENCL
	return berth_error_set(BERTH_E_NOT_FOUND, 0, "there is no layer library at '%s'",
			       BERTH_PKGLIBDIR "/" SIMULATE_FILE);
#else
	return berth_error_set(BERTH_E_NOT_FOUND, 0, "this Berth was built without OpenCL");
#endif
}

berth_status layer_path_find_opencl(char path[PATH_MAX], bool to_preload)
{
	static const struct {
		const char *built, *installed;
	} places[] = {
		{ "opencl/.libs/" OPENCL_FILE, BERTH_PKGLIBDIR "/opencl/" OPENCL_FILE },
		{ ".libs/" PRELOAD_FILE, BERTH_PKGLIBDIR "/" PRELOAD_FILE },
	};

	if (find_beside_program(path, places[to_preload].built) ||
	    realpath(places[to_preload].installed, path))
		return BERTH_OK;
#ifndef BERTH_WITH_DROP_IN
	return berth_error_set(BERTH_E_NOT_FOUND, 0,
			       "this Berth was built without a recording libOpenCL, which there is "
			       "for x86-64 and AArch64");
#else
	return berth_error_set(BERTH_E_NOT_FOUND, 0, "there is no recording libOpenCL at '%s'",
			       places[to_preload].installed);
#endif
}

/* A library that this process can load, by the linker's own rules. */
bool layer_path_find_real_opencl(char path[PATH_MAX])
{
	void *library = dlopen(OPENCL_FILE, RTLD_LAZY | RTLD_LOCAL);
	struct link_map *map = NULL;

	if (!library || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || !map)
		return false;
	return realpath(map->l_name, path);
}
