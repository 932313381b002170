/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

#include "digest.h"
#include "layer.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEPTH_MAX 128

struct known {
	uint64_t hash; /* of the addresses; 0: a free place */
	uint32_t id;
};

static struct {
	int (*walk)(void **addresses, int count);
	uint32_t depth; /* 0: none are taken */
	uintptr_t own_start, own_end; /* of this library */
	pthread_mutex_t lock;	      /* guards the rest */
	struct known *places;	      /* open addressing, a power of two of them */
	size_t capacity, count;
	unsigned long long loads; /* as the loader counted when modules were written */
} stacks = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- modules ---- */

struct range {
	uintptr_t start, end;
};

static struct range range_of(const struct dl_phdr_info *info)
{
	struct range range = { UINTPTR_MAX, 0 };

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + header->p_vaddr;

		if (header->p_type != PT_LOAD)
			continue;
		if (start < range.start)
			range.start = start;
		if (start + header->p_memsz > range.end)
			range.end = start + header->p_memsz;
	}
	return range;
}

/* The note that tells this build of the file from others. */
static void take_build_id(struct berth_spool_module *module, const struct dl_phdr_info *info)
{
	for (int i = 0; i < info->dlpi_phnum && !module->build_id_bytes; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		const unsigned char *at = (const unsigned char *)info->dlpi_addr + header->p_vaddr;
		const unsigned char *end = at + header->p_memsz;

		if (header->p_type != PT_NOTE)
			continue;
		while ((size_t)(end - at) >= sizeof(ElfW(Nhdr))) {
			const ElfW(Nhdr) *note = (const void *)at;
			const unsigned char *name = at + sizeof(*note);
			const unsigned char *value = name + ((note->n_namesz + 3) & ~3u);

			at = value + ((note->n_descsz + 3) & ~3u);
			if (at > end)
				break;
			if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
			    memcmp(name, "GNU", 4) == 0 &&
			    note->n_descsz <= sizeof(module->build_id)) {
				memcpy(module->build_id, value, note->n_descsz);
				module->build_id_bytes = note->n_descsz;
				break;
			}
		}
	}
}

static void append_module(const struct dl_phdr_info *info, const char *path)
{
	struct range range = range_of(info);
	struct berth_spool_module record = {
		.record.type = BERTH_SPOOL_MODULE,
		.start = range.start,
		.end = range.end,
		.bias = info->dlpi_addr,
		.path_bytes = (uint32_t)strlen(path) + 1,
	};
	struct berth__spool_message message = {
		.record = &record.record,
		.parts = { { &record, sizeof(record) }, { path, record.path_bytes } },
		.part_count = 2,
	};

	take_build_id(&record, info);
	berth__spool_append(&berth__layer.spool, &message);
}

/* The program itself has no name in the list; what the kernel maps has one without a slash. */
static int see_module(struct dl_phdr_info *info, size_t size, void *userdata)
{
	static const char self[] = "/proc/self/exe";
	bool *first = userdata;
	char path[PATH_MAX];

	(void)size;
	if (*first && !*info->dlpi_name) {
		ssize_t bytes = readlink(self, path, sizeof(path) - 1);

		path[bytes > 0 ? bytes : 0] = '\0';
		append_module(info, path);
	} else if (strchr(info->dlpi_name, '/')) {
		append_module(info, info->dlpi_name);
	}
	*first = false;
	return 0;
}

static int count_loads(struct dl_phdr_info *info, size_t size, void *userdata)
{
	(void)size;
	*(unsigned long long *)userdata = info->dlpi_adds + info->dlpi_subs;
	return 1;
}

/* With the lock. What was written before and is written again is the same. */
static void see_modules(void)
{
	unsigned long long loads = 0;
	bool first = true;

	dl_iterate_phdr(count_loads, &loads);
	if (loads == stacks.loads)
		return;
	stacks.loads = loads;
	dl_iterate_phdr(see_module, &first);
}

/* ---- stacks ---- */

static struct known *probe(struct known *places, size_t capacity, uint64_t hash)
{
	size_t at = (size_t)hash & (capacity - 1);

	while (places[at].hash && places[at].hash != hash)
		at = (at + 1) & (capacity - 1);
	return &places[at];
}

static bool reserve_one(void)
{
	size_t capacity = stacks.capacity ? stacks.capacity * 2 : 256;
	struct known *places;

	if ((stacks.count + 1) * 2 <= stacks.capacity)
		return true;
	places = calloc(capacity, sizeof(*places));
	if (!places)
		return false;
	for (size_t i = 0; i < stacks.capacity; i++)
		if (stacks.places[i].hash)
			*probe(places, capacity, stacks.places[i].hash) = stacks.places[i];
	free(stacks.places);
	stacks.places = places;
	stacks.capacity = capacity;
	return true;
}

static void append_stack(uint32_t id, const uint64_t *addresses, uint32_t count)
{
	struct berth_spool_stack record = {
		.record.type = BERTH_SPOOL_STACK,
		.stack = id,
		.frame_count = count,
	};
	struct berth__spool_message message = {
		.record = &record.record,
		.parts = { { &record, sizeof(record) }, { addresses, count * sizeof(*addresses) } },
		.part_count = 2,
	};

	see_modules();
	berth__spool_append(&berth__layer.spool, &message);
}

/* The lock is held over the append: no other thread may use the id before its record. */
static uint32_t intern(const uint64_t *addresses, uint32_t count)
{
	uint64_t hash = berth__digest_short(addresses, count * sizeof(*addresses));
	struct known *known;
	uint32_t id = 0;

	pthread_mutex_lock(&stacks.lock);
	if (reserve_one()) {
		known = probe(stacks.places, stacks.capacity, hash ? hash : 1);
		if (!known->hash) {
			known->hash = hash ? hash : 1;
			known->id = (uint32_t)++stacks.count;
			append_stack(known->id, addresses, count);
		}
		id = known->id;
	}
	pthread_mutex_unlock(&stacks.lock);
	return id;
}

uint32_t berth__stack_take(void)
{
	void *walked[DEPTH_MAX + 8];
	uint64_t addresses[DEPTH_MAX];
	uint32_t count = 0;
	int errno_of_program, frames, at = 0;

	if (stacks.depth == 0)
		return 0;
	errno_of_program = errno;
	frames = stacks.walk(walked, DEPTH_MAX + 8);
	/* The innermost are ours. */
	while (at < frames && (uintptr_t)walked[at] >= stacks.own_start &&
	       (uintptr_t)walked[at] < stacks.own_end)
		at++;
	for (; at < frames && count < stacks.depth && walked[at]; at++)
		addresses[count++] = (uint64_t)(uintptr_t)walked[at];
	if (count > 0)
		count = intern(addresses, count);
	errno = errno_of_program;
	return count;
}

void berth__stack_forget(void)
{
	pthread_mutex_init(&stacks.lock, NULL);
	stacks.places = NULL;
	stacks.capacity = stacks.count = 0;
	stacks.loads = 0;
}

static int find_own(struct dl_phdr_info *info, size_t size, void *userdata)
{
	uintptr_t here = (uintptr_t)&berth__stack_take;
	struct range range = range_of(info);

	(void)size, (void)userdata;
	if (here < range.start || here >= range.end)
		return 0;
	stacks.own_start = range.start;
	stacks.own_end = range.end;
	return 1;
}

/*
 * libunwind remembers how each function is unwound, and so walks a stack in a tenth of the
 * time; where it is not installed the C library does it. Either is warmed up here: the first
 * walk may load a library.
 */
void berth__stack_start(uint32_t depth)
{
	void *library, *warm[4];

	stacks.depth = depth < DEPTH_MAX ? depth : DEPTH_MAX;
	if (depth == 0 || stacks.walk)
		return;
	library = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL);
	if (library)
		*(void **)&stacks.walk = dlsym(library, "unw_backtrace");
	if (!stacks.walk)
		stacks.walk = backtrace;
	stacks.walk(warm, 4);
	dl_iterate_phdr(find_own, NULL);
}
