/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of root objects: their store, and moving boxes of them. */
#include "content.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* From here on mmap(): untouched pages cost nothing, and none need be there (NORESERVE). */
#define MAPPED_FROM_BYTES (UINT64_C(1) << 20)

bool berth__content_init(struct berth__content *content, uint64_t size_bytes)
{
	memset(content, 0, sizeof(*content));
	content->size_bytes = size_bytes;
	return berth__ranges_append(&content->unknown, 0, size_bytes);
}

void berth__content_use_host(struct berth__content *content, void *host)
{
	assert(content->store == BERTH__STORE_NONE);
	content->bytes = host;
	content->store = BERTH__STORE_HOST;
	berth__content_set_known(content);
}

static bool map_store(struct berth__content *content)
{
	void *bytes = mmap(NULL, content->size_bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (bytes == MAP_FAILED)
		return false;
	content->bytes = bytes;
	content->store = BERTH__STORE_MAPPED;
	return true;
}

bool berth__content_need(struct berth__content *content)
{
	if (content->store != BERTH__STORE_NONE)
		return true;
	if (content->size_bytes >= MAPPED_FROM_BYTES)
		return map_store(content);
	content->bytes = calloc(1, content->size_bytes);
	if (content->bytes)
		content->store = BERTH__STORE_HEAP;
	return content->bytes != NULL;
}

void berth__content_set_known(struct berth__content *content)
{
	content->unknown.count = 0;
}

void berth__content_set_unknown(struct berth__content *content)
{
	bool had_room;

	content->unknown.count = 0;
	if (content->size_bytes == 0)
		return;
	/* It held one range from the beginning. */
	had_room = berth__ranges_append(&content->unknown, 0, content->size_bytes);
	assert(had_room);
	(void)had_room;
}

void berth__content_free(struct berth__content *content)
{
	if (content->store == BERTH__STORE_HEAP)
		free(content->bytes);
	else if (content->store == BERTH__STORE_MAPPED)
		munmap(content->bytes, content->size_bytes);
	berth__ranges_free(&content->unknown);
	memset(content, 0, sizeof(*content));
}

void berth__copy_box(uint8_t *to, struct berth__box to_box, const uint8_t *from,
		     struct berth__box from_box)
{
	if (berth__box_is_empty(&from_box))
		return;
	berth__box_join(&to_box, &from_box);
	for (uint64_t slice = 0; slice < to_box.slices; slice++)
		for (uint64_t row = 0; row < to_box.rows; row++)
			/* A sub-buffer and its parent may overlap: no rule forbids it (R102). */
			memmove(to + berth__box_row_bytes_at(&to_box, slice, row),
				from + berth__box_row_bytes_at(&from_box, slice, row),
				to_box.row_bytes);
}

/* Doubling what is there already: a pattern of one byte fills as fast as memcpy(). */
static void fill_row(uint8_t *row, uint64_t row_bytes, const uint8_t *pattern, size_t pattern_bytes)
{
	uint64_t done = pattern_bytes < row_bytes ? pattern_bytes : row_bytes;

	memcpy(row, pattern, done);
	while (done < row_bytes) {
		uint64_t more = done < row_bytes - done ? done : row_bytes - done;

		memcpy(row + done, row, more);
		done += more;
	}
}

void berth__fill_box(uint8_t *to, const struct berth__box *box, const uint8_t *pattern,
		     size_t pattern_bytes)
{
	if (berth__box_is_empty(box))
		return;
	for (uint64_t slice = 0; slice < box->slices; slice++)
		for (uint64_t row = 0; row < box->rows; row++)
			fill_row(to + berth__box_row_bytes_at(box, slice, row), box->row_bytes,
				 pattern, pattern_bytes);
}
