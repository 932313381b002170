/* SPDX-License-Identifier: Apache-2.0 */
/* JSON by SQLite's own functions: they know how to quote. */
#ifndef BERTH_TOOL_JSON_H
#define BERTH_TOOL_JSON_H

#include <berth/status.h>

typedef struct json_builder json_builder;

/* NULL when memory ran out; the functions below then do nothing. */
json_builder *json_builder_create(void);
void json_builder_destroy(json_builder *builder);

/*
 * Set the value at @path ("$.first.seq", "$[#]" appends); objects and arrays on
 * the way must exist. Failures are kept and reported by json_print().
 */
void json_start_array(json_builder *builder);
void json_set_object(json_builder *builder, const char *path);
void json_set_array(json_builder *builder, const char *path);
void json_set_text(json_builder *builder, const char *path, const char *text); /* NULL: null */
void json_set_number(json_builder *builder, const char *path, uint64_t number);
void json_set_signed(json_builder *builder, const char *path, int64_t number);
void json_set_bool(json_builder *builder, const char *path, bool value);

/* What was built, on one line; NULL: it cannot be built. Borrowed from the builder. */
const char *json_text(const json_builder *builder);

/* Print what was built, and a newline, on stdout. BERTH_OK or BERTH_E_NOMEM. */
berth_status json_print(json_builder *builder);

#endif
