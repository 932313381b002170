/* SPDX-License-Identifier: Apache-2.0 */
/* Not open_memstream(): this grows by our own allocations, which tests let fail. */
#include "text_stream.h"

#include <stdlib.h>
#include <string.h>

#define BYTES_FIRST 4096

static berth_status no_memory(size_t bytes)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "out of memory behind %zu bytes of text", bytes);
}

static ssize_t append(void *cookie, const char *piece, size_t bytes)
{
	struct berth__text_stream *text = cookie;
	size_t wanted = text->bytes + bytes + 1, capacity = text->capacity;

	while (capacity < wanted)
		capacity = capacity ? capacity * 2 : BYTES_FIRST;
	if (capacity > text->capacity) {
		char *larger = realloc(text->text, capacity);

		if (!larger)
			return 0;
		text->text = larger;
		text->capacity = capacity;
	}
	memcpy(text->text + text->bytes, piece, bytes);
	text->bytes += bytes;
	text->text[text->bytes] = 0;
	return (ssize_t)bytes;
}

berth_status berth__text_stream_begin(struct berth__text_stream *text)
{
	*text = (struct berth__text_stream){ 0 };
	text->stream = fopencookie(text, "w", (cookie_io_functions_t){ .write = append });
	return text->stream ? BERTH_OK : no_memory(0);
}

berth_status berth__text_stream_end(char **out, struct berth__text_stream *text, berth_status st)
{
	bool failed = ferror(text->stream);

	failed |= fclose(text->stream) != 0;
	if (st == BERTH_OK && (failed || !text->text))
		st = no_memory(text->bytes);
	if (st == BERTH_OK)
		*out = text->text;
	else
		free(text->text);
	return st;
}
