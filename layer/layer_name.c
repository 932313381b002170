/* SPDX-License-Identifier: Apache-2.0 */
/* Texts in the spool: each kernel name is written once, and named by number. */
#include "layer.h"

#include "digest.h"

#include <stdlib.h>
#include <string.h>

struct name {
	char *text;
	uint32_t id;
};

static struct {
	pthread_mutex_t lock;
	struct name *names; /* open addressing, a power of two of them */
	size_t capacity;
	size_t count;
} table = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct name *probe(struct name *names, size_t capacity, const char *text)
{
	size_t at = (size_t)berth__digest_short(text, strlen(text)) & (capacity - 1);

	while (names[at].text && strcmp(names[at].text, text) != 0)
		at = (at + 1) & (capacity - 1);
	return &names[at];
}

static bool reserve_one(void)
{
	size_t capacity = table.capacity ? table.capacity * 2 : 64;
	struct name *names;

	if ((table.count + 1) * 4 <= table.capacity * 3)
		return true;
	names = calloc(capacity, sizeof(*names));
	if (!names)
		return false;
	for (size_t i = 0; i < table.capacity; i++)
		if (table.names[i].text)
			*probe(names, capacity, table.names[i].text) = table.names[i];
	free(table.names);
	table.names = names;
	table.capacity = capacity;
	return true;
}

static void append_name(const struct name *name)
{
	struct berth_spool_name record = {
		.record.type = BERTH_SPOOL_NAME,
		.name = name->id,
		.text_bytes = (uint32_t)strlen(name->text) + 1,
	};
	struct berth__spool_message message = {
		.record = &record.record,
		.parts = { { &record, sizeof(record) }, { name->text, record.text_bytes } },
		.part_count = 2,
	};

	berth__spool_append(&berth__layer.spool, &message);
}

static uint32_t intern_locked(const char *text)
{
	struct name *name;

	if (!reserve_one())
		return 0;
	name = probe(table.names, table.capacity, text);
	if (!name->text) {
		name->text = strdup(text);
		if (!name->text)
			return 0;
		name->id = (uint32_t)++table.count;
		append_name(name);
	}
	return name->id;
}

uint32_t berth__layer_name(const char *text)
{
	uint32_t id;

	if (!text)
		return 0;
	/* Held over the append: no other thread may use the id before its record. */
	pthread_mutex_lock(&table.lock);
	id = intern_locked(text);
	pthread_mutex_unlock(&table.lock);
	return id;
}

void berth__layer_forget_names(void)
{
	pthread_mutex_init(&table.lock, NULL);
	table.names = NULL;
	table.capacity = 0;
	table.count = 0;
}
