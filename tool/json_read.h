/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a JSON object by SQLite's own functions. */
#ifndef BERTH_TOOL_JSON_READ_H
#define BERTH_TOOL_JSON_READ_H

#include <berth/status.h>

typedef struct json_reader json_reader;

/* @text: copied. BERTH_OK, BERTH_E_FORMAT: no JSON; BERTH_E_NOMEM. */
berth_status json_reader_open(json_reader **out, const char *text);
void json_reader_close(json_reader *reader);

/* The text at "$.key": free(); "" where there is none. NULL: no memory. */
char *json_read_text(json_reader *reader, const char *path);

/* False where there is no whole number from 0 on. */
bool json_read_number(json_reader *reader, uint64_t *out, const char *path);

#endif
