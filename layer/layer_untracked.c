/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that touch memory but that no op describes: counted by name, so that a trace says what
 * it lacks.
 */
#include "layer_calls.h"

#include <stdlib.h>
#include <string.h>

static struct {
	pthread_mutex_t lock;
	uint32_t count;
	char *names[BERTH_SPOOL_UNTRACKED_MAX];
} known = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void append_untracked(uint32_t index, const char *name)
{
	struct berth_spool_untracked record = {
		.record.type = BERTH_SPOOL_UNTRACKED,
		.index = index,
		.text_bytes = (uint32_t)strlen(name) + 1,
	};
	struct berth__spool_message message = {
		.record = &record.record,
		.parts = { { &record, sizeof(record) }, { name, record.text_bytes } },
		.part_count = 2,
	};

	berth__spool_append(&berth__layer.spool, &message);
}

/* False: there is no counter left for it, or no memory. */
static bool find_index(uint32_t *out, const char *name)
{
	uint32_t index = 0;

	while (index < known.count && strcmp(known.names[index], name) != 0)
		index++;
	if (index == BERTH_SPOOL_UNTRACKED_MAX)
		return false;
	if (index == known.count) {
		known.names[index] = strdup(name);
		if (!known.names[index])
			return false;
		known.count++;
		append_untracked(index, name);
	}
	*out = index;
	return true;
}

void berth__layer_count_untracked(const char *name)
{
	uint32_t index;
	bool found;

	berth__layer_thread();
	pthread_mutex_lock(&known.lock);
	found = find_index(&index, name);
	pthread_mutex_unlock(&known.lock);
	if (found)
		berth__spool_count_untracked(&berth__layer.spool, index);
	else
		berth__spool_count_lost(&berth__layer.spool);
}

void berth__layer_forget_untracked(void)
{
	pthread_mutex_init(&known.lock, NULL);
	known.count = 0;
}
