/* SPDX-License-Identifier: Apache-2.0 */
#include "record_way.h"

#include "layer_path.h"
#include "print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <berth/record.h>

/* A program loads its OpenCL early or, as an interpreter, at any time: first often, then less. */
#define PAUSE_FIRST_NS UINT64_C(20000000)
#define PAUSE_MAX_NS UINT64_C(5000000000)

/* What the files of OpenCL loaders and drivers are called. */
static const char *const opencl_names[] = {
	"libOpenCL", "libnvidia-opencl", "libamdocl", "libigdrcl", "libintelocl", "libmali",
	"libPVROCL", "libpocl",		 "libRusticl", "libclvk",
};

/* "A:B", or A alone. False: it is too long. */
static bool join(char *out, size_t bytes, const char *first, const char *others)
{
	bool more = others && *others;

	return snprintf(out, bytes, "%s%s%s", first, more ? ":" : "", more ? others : "") <
	       (int)bytes;
}

/* The recorder first: ocl-icd 2.3.1 cuts the variable behind the first entry. */
static int prepare_layer(struct record_way *way)
{
	char path[PATH_MAX];

	if (layer_path_find(path) != BERTH_OK)
		return cmd_fail_detail("cannot record", NULL);
	if (strchr(path, ':'))
		return cmd_fail(CMD_EXIT_FAILED,
				"cannot record: the OpenCL loader cannot take a ':' in '%s'; "
				"BERTH_LAYER can name another path",
				path);
	way->variable = "OPENCL_LAYERS";
	if (!join(way->value, sizeof(way->value), path, getenv(way->variable)))
		return cmd_fail(CMD_EXIT_FAILED, "cannot record: OPENCL_LAYERS is too long");
	return CMD_EXIT_OK;
}

/* For the library path the folder, for the preload list the file. */
static int prepare_library(struct record_way *way)
{
	const char *chosen = getenv(BERTH_ENV_OPENCL);
	char path[PATH_MAX];

	if (layer_path_find_opencl(path, way->via == RECORD_VIA_PRELOAD) != BERTH_OK)
		return cmd_fail_detail("cannot record", NULL);
	snprintf(way->own, sizeof(way->own), "%s", path);
	way->variable = way->via == RECORD_VIA_PRELOAD ? "LD_PRELOAD" : "LD_LIBRARY_PATH";
	if (way->via == RECORD_VIA_LIBRARY)
		*strrchr(path, '/') = '\0';
	if (strpbrk(path, ": "))
		return cmd_fail(CMD_EXIT_FAILED,
				"cannot record: the dynamic linker cannot take ':' or a blank in "
				"'%s'",
				path);
	if (!join(way->value, sizeof(way->value), path, getenv(way->variable)))
		return cmd_fail(CMD_EXIT_FAILED, "cannot record: %s is too long", way->variable);
	if (chosen && *chosen)
		snprintf(way->opencl, sizeof(way->opencl), "%s", chosen);
	else if (way->via == RECORD_VIA_LIBRARY && !layer_path_find_real_opencl(way->opencl))
		return cmd_fail(CMD_EXIT_FAILED,
				"cannot record: there is no libOpenCL.so.1 behind the recording "
				"one; " BERTH_ENV_OPENCL " can name the library to use");
	return CMD_EXIT_OK;
}

int record_way_prepare(struct record_way *way, enum record_via via)
{
	memset(way, 0, sizeof(*way));
	way->via = via;
	return via == RECORD_VIA_LAYER ? prepare_layer(way) : prepare_library(way);
}

/* ---- when nothing is recorded ---- */

static bool is_opencl(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof(opencl_names) / sizeof(opencl_names[0]); i++)
		if (strncmp(name, opencl_names[i], strlen(opencl_names[i])) == 0)
			return true;
	return false;
}

static void read_maps(struct record_way *way, int pid)
{
	char path[64], line[PATH_MAX + 128];
	bool has_linker = false, any = false;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "r");
	while (maps && fgets(line, sizeof(line), maps)) {
		char *file = strchr(line, '/');

		line[strcspn(line, "\n")] = '\0';
		any = true;
		has_linker |= file && strstr(file, "/ld-");
		if (file && !*way->mapped && strcmp(file, way->own) != 0 && is_opencl(file))
			snprintf(way->mapped, sizeof(way->mapped), "%.*s", PATH_MAX - 1, file);
	}
	if (maps)
		fclose(maps);
	if (any)
		way->is_static = !has_linker;
}

void record_way_look(struct record_way *way, int pid)
{
	struct timespec time;
	uint64_t now_ns;

	if (*way->mapped)
		return;
	clock_gettime(CLOCK_MONOTONIC, &time);
	now_ns = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
	if (now_ns < way->look_at_ns)
		return;
	way->pause_ns = way->pause_ns ? way->pause_ns * 2 : PAUSE_FIRST_NS;
	if (way->pause_ns > PAUSE_MAX_NS)
		way->pause_ns = PAUSE_MAX_NS;
	way->look_at_ns = now_ns + way->pause_ns;
	read_maps(way, pid);
}

void record_way_explain(const struct record_way *way, const char *program)
{
	cmd_fail(0, "nothing recorded: '%s' made no OpenCL call %s", program,
		 way->via == RECORD_VIA_LAYER ? "through the OpenCL loader"
					      : "through the recording libOpenCL");
	if (*way->mapped && way->via == RECORD_VIA_LAYER)
		print_text(stderr,
			   "  it has loaded '%s', which may load no layers: try --via library, "
			   "or --via preload\n",
			   way->mapped);
	else if (*way->mapped)
		print_text(stderr,
			   "  it has loaded '%s' by another path than by name: try %s\n",
			   way->mapped,
			   way->via == RECORD_VIA_LIBRARY ? "--via preload" : "--via library");
	else if (way->is_static)
		fputs("  it is linked statically: there is no way in\n", stderr);
	else
		fputs("  no OpenCL library was seen in it; a process that it leaves running is\n"
		      "  recorded with --wait-children, a setuid program not at all;\n"
		      "  'berth devices' shows whether a driver is there\n",
		      stderr);
}
