/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "layer_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LAYER_FILE "libberth-layer.so"

/* From the program's folder in a build tree; libtool may put the program in .libs. */
static const char *const in_build_tree[] = {
	"../layer/.libs/" LAYER_FILE,
	"../../layer/.libs/" LAYER_FILE,
};

static bool find_beside_program(char path[PATH_MAX])
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
	for (size_t i = 0; i < sizeof(in_build_tree) / sizeof(in_build_tree[0]); i++) {
		snprintf(candidate, sizeof(candidate), "%s/%s", program, in_build_tree[i]);
		if (realpath(candidate, path))
			return true;
	}
	return false;
}

berth_status layer_path_find(char path[PATH_MAX])
{
	const char *chosen = getenv("BERTH_LAYER");

	if (chosen && *chosen) {
		if (realpath(chosen, path))
			return BERTH_OK;
		return berth_error_set(BERTH_E_NOT_FOUND, 0,
				       "there is no layer library at '%s' (from BERTH_LAYER)", chosen);
	}
	if (find_beside_program(path) || realpath(BERTH_PKGLIBDIR "/" LAYER_FILE, path))
		return BERTH_OK;
#ifdef BERTH_WITH_OPENCL
	return berth_error_set(BERTH_E_NOT_FOUND, 0,
			       "there is no layer library at '%s'; BERTH_LAYER can name another",
			       BERTH_PKGLIBDIR "/" LAYER_FILE);
#else
	return berth_error_set(BERTH_E_NOT_FOUND, 0, "this Berth was built without OpenCL");
#endif
}
