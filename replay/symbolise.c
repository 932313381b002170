/* SPDX-License-Identifier: Apache-2.0 */
#include "symbolise.h"

#include "config.h"

#if HAVE_LIBDW

#include "db.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <elfutils/libdwfl.h>

/* A module's file, opened for the frames in it. */
struct file {
	Dwfl *dwfl;
	Dwfl_Module *module;
	Dwarf_Addr bias;
};

static char *debug_path;

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debug_path,
};

static void close_file(struct file *file)
{
	if (file->dwfl)
		dwfl_end(file->dwfl);
	memset(file, 0, sizeof(*file));
}

/* Whether the file has the build id that was recorded; without one it is taken on trust. */
static bool is_same_build(const struct file *file, const char *recorded)
{
	const unsigned char *id;
	GElf_Addr at;
	int bytes = dwfl_module_build_id(file->module, &id, &at);
	char text[2 * 64 + 1] = "";

	if (!recorded || !*recorded)
		return true;
	for (int i = 0; i < bytes && i < 64; i++)
		snprintf(text + 2 * i, 3, "%02x", id[i]);
	return bytes > 0 && strcmp(text, recorded) == 0;
}

/* False: it cannot be read, or is another one now. */
static bool open_file(struct file *file, const char *path, const char *build_id)
{
	file->dwfl = dwfl_begin(&callbacks);
	if (!file->dwfl)
		return false;
	dwfl_report_begin(file->dwfl);
	file->module = dwfl_report_offline(file->dwfl, path, path, -1);
	dwfl_report_end(file->dwfl, NULL, NULL);
	if (file->module && dwfl_module_getelf(file->module, &file->bias) &&
	    is_same_build(file, build_id))
		return true;
	close_file(file);
	return false;
}

typedef char *demangle_fn(const char *name, char *out, size_t *bytes, int *status);

/* Of the C++ library; NULL where it is not installed. */
static demangle_fn *find_demangler(void)
{
	void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
	demangle_fn *demangle = NULL;

	if (library)
		*(void **)&demangle = dlsym(library, "__cxa_demangle");
	return demangle;
}

/* C++ names as people write them; free(). */
static char *readable_name(const char *name, demangle_fn *demangle)
{
	char *readable = NULL;
	int status = 0;

	if (demangle && strncmp(name, "_Z", 2) == 0)
		readable = demangle(name, NULL, NULL, &status);
	return readable ? readable : strdup(name);
}

static berth_status write_frame(sqlite3_stmt *update, uint64_t id, const struct file *file,
				uint64_t address, demangle_fn *demangle)
{
	/* Where the call was made: the byte before the one that it returns to. */
	Dwarf_Addr at = address + file->bias - 1;
	const char *function = dwfl_module_addrname(file->module, at);
	Dwfl_Line *line = dwfl_module_getsrc(file->module, at);
	char *readable = function ? readable_name(function, demangle) : NULL;
	int number = 0;
	const char *source = line ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
	berth_status st;

	berth__db_bind_text(update, 1, readable);
	berth__db_bind_text(update, 2, source);
	if (source)
		sqlite3_bind_int(update, 3, number);
	else
		sqlite3_bind_null(update, 3);
	berth__db_bind(update, 4, id);
	st = berth__db_run(update);
	free(readable);
	return st;
}

/* Frames come in order of their module. */
static berth_status name_frames(sqlite3 *db, sqlite3_stmt *frames, sqlite3_stmt *update)
{
	struct file file = { NULL, NULL, 0 };
	demangle_fn *demangle = find_demangler();
	uint64_t module = 0;
	berth_status st = BERTH_OK;
	int code;

	while (st == BERTH_OK && (code = sqlite3_step(frames)) == SQLITE_ROW) {
		if (berth__db_column(frames, 1) != module) {
			const char *path = (const char *)sqlite3_column_text(frames, 3);

			close_file(&file);
			module = berth__db_column(frames, 1);
			if (path)
				open_file(&file, path,
					  (const char *)sqlite3_column_text(frames, 4));
		}
		if (file.module)
			st = write_frame(update, berth__db_column(frames, 0), &file,
					 berth__db_column(frames, 2), demangle);
	}
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(db, "name the frames of call stacks");
	close_file(&file);
	return st;
}

berth_status berth__symbolise(sqlite3 *db)
{
	sqlite3_stmt *frames = NULL, *update = NULL;
	berth_status st;

	if ((st = berth__db_prepare(&frames, db,
				    "SELECT frame.id, module, address, path, build_id"
				    " FROM frame JOIN module ON module.id = frame.module"
				    " ORDER BY module")) == BERTH_OK &&
	    (st = berth__db_prepare(&update, db,
				    "UPDATE frame SET function = ?, file = ?, line = ?"
				    " WHERE id = ?")) == BERTH_OK)
		st = name_frames(db, frames, update);
	sqlite3_finalize(frames);
	sqlite3_finalize(update);
	return st;
}

#else

berth_status berth__symbolise(sqlite3 *db)
{
	(void)db;
	return BERTH_OK;
}

#endif
