/* SPDX-License-Identifier: Apache-2.0 */
#include "spool_reader.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <berth/caps.h>

#include "test_main.h"

static int is_first_segment(const struct dirent *entry)
{
	const char *dot = strchr(entry->d_name, '.');

	return dot && strcmp(dot, ".0" BERTH_SPOOL_SUFFIX) == 0;
}

size_t spool_count(const char *directory)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, is_first_segment, versionsort);

	for (int i = 0; i < count; i++)
		free(entries[i]);
	if (count >= 0)
		free(entries);
	return count > 0 ? (size_t)count : 0;
}

static bool map_segment(struct spool_reader *reader, uint32_t segment)
{
	char path[600];
	struct stat info;
	void *mapped;
	int file;

	snprintf(path, sizeof(path), "%s.%" PRIu32 BERTH_SPOOL_SUFFIX, reader->prefix, segment);
	file = open(path, O_RDWR | O_CLOEXEC);
	if (file < 0 || fstat(file, &info) != 0)
		return false;
	mapped = mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	if (mapped == MAP_FAILED)
		return false;
	reader->header = mapped;
	reader->segment = segment;
	reader->tail = 0;
	ASSERT_INT(reader->header->magic, BERTH_SPOOL_MAGIC);
	ASSERT_INT(reader->header->version, BERTH_SPOOL_VERSION);
	ASSERT_INT(reader->header->segment, segment);
	ASSERT_INT(reader->header->op_bytes, sizeof(struct berth_spool_op));
	ASSERT_INT(reader->header->caps_bytes, sizeof(berth_caps));
	ASSERT_INT(info.st_size, reader->header->header_bytes + reader->header->ring_bytes);
	return true;
}

bool spool_reader_open(struct spool_reader *reader, const char *directory, size_t index)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, is_first_segment, versionsort);
	bool found = count > 0 && index < (size_t)count;

	memset(reader, 0, sizeof(*reader));
	if (found)
		snprintf(reader->prefix, sizeof(reader->prefix), "%s/%.*s", directory,
			 (int)strcspn(entries[index]->d_name, "."), entries[index]->d_name);
	for (int i = 0; i < count; i++)
		free(entries[i]);
	if (count >= 0)
		free(entries);
	return found && map_segment(reader, 0);
}

void spool_reader_close(struct spool_reader *reader)
{
	if (reader->header)
		munmap(reader->header, reader->header->header_bytes + reader->header->ring_bytes);
	reader->header = NULL;
}

static size_t drain_segment(struct spool_reader *reader, spool_visit_fn *visit, void *userdata)
{
	struct berth_spool_header *header = reader->header;
	const unsigned char *ring = (const unsigned char *)header + header->header_bytes;
	uint64_t head = atomic_load(&header->head);
	size_t visited = 0;

	while (reader->tail < head) {
		uint64_t at = reader->tail & (header->ring_bytes - 1);
		const struct berth_spool_record *record = (const void *)(ring + at);
		bool sound = record->bytes >= sizeof(*record) && record->bytes % 8 == 0 &&
			     record->bytes <= header->ring_bytes - at;

		CU_ASSERT_FATAL(sound);
		if (record->type != BERTH_SPOOL_PAD) {
			visit(record, userdata);
			visited++;
		}
		reader->tail += record->bytes;
	}
	ASSERT_INT(reader->tail, head);
	atomic_store(&header->tail, reader->tail);
	return visited;
}

size_t spool_reader_drain(struct spool_reader *reader, spool_visit_fn *visit, void *userdata)
{
	size_t visited = 0;
	uint32_t next;

	/* `next` first: when it is set, `head` is final. */
	while ((next = atomic_load(&reader->header->next)) != 0) {
		visited += drain_segment(reader, visit, userdata);
		spool_reader_close(reader);
		CU_ASSERT_FATAL(map_segment(reader, next));
	}
	return visited + drain_segment(reader, visit, userdata);
}

static const unsigned char *take(void *out, const unsigned char *at, size_t bytes)
{
	memcpy(out, at, bytes);
	return at + (bytes + 7) / 8 * 8;
}

static struct spool_op *add_op(struct spool_op **ops, size_t *count, size_t *room)
{
	if (*count == *room) {
		*room = *room ? *room * 2 : 256;
		*ops = realloc(*ops, *room * sizeof(**ops));
		CU_ASSERT_FATAL(*ops != NULL);
	}
	memset(&(*ops)[*count], 0, sizeof(**ops));
	return &(*ops)[(*count)++];
}

static void visit_op(struct spool_content *content, const struct berth_spool_record *record)
{
	const unsigned char *at = (const unsigned char *)record;
	bool is_order = ((const struct berth_spool_op *)(const void *)record)->kind ==
			BERTH_OP_ORDER;
	struct spool_op *op =
		is_order ? add_op(&content->orders, &content->order_count, &content->order_room)
			 : add_op(&content->ops, &content->op_count, &content->op_room);

	at = take(&op->op, at, sizeof(op->op));
	if (op->op.parts & BERTH_SPOOL_PART_REGION)
		at = take(&op->region, at, sizeof(op->region));
	if (op->op.parts & BERTH_SPOOL_PART_IMAGE)
		at = take(&op->image, at, sizeof(op->image));
	if (op->op.parts & BERTH_SPOOL_PART_RESULT)
		at = take(&op->result, at, sizeof(op->result));
	if (op->op.parts & BERTH_SPOOL_PART_DIGEST)
		at = take(op->digest, at, sizeof(op->digest));
	if (op->op.parts & BERTH_SPOOL_PART_USES) {
		size_t count = op->op.use_count < 16 ? op->op.use_count : 16;

		take(op->uses, at, count * sizeof(op->uses[0]));
		at += op->op.use_count * sizeof(op->uses[0]);
	}
	if (op->op.parts & BERTH_SPOOL_PART_EVENTS) {
		CU_ASSERT_FATAL(op->op.event_count <= 8);
		at = take(op->events, at, op->op.event_count * sizeof(op->events[0]));
	}
	ASSERT_INT(at - (const unsigned char *)record, record->bytes);
	CU_ASSERT_FATAL(op->op.kind < BERTH_OP_KIND_END);
	content->counts[op->op.kind]++;
}

static void visit_content(const struct berth_spool_record *record, void *userdata)
{
	struct spool_content *content = userdata;

	switch ((enum berth_spool_type)record->type) {
	case BERTH_SPOOL_PROCESS:
		memcpy(&content->process, record, sizeof(content->process));
		break;
	case BERTH_SPOOL_DEVICE:
		content->device_count++;
		break;
	case BERTH_SPOOL_QUEUE: {
		const struct berth_spool_queue *queue = (const void *)record;

		CU_ASSERT_FATAL(queue->queue < 8);
		content->queues[queue->queue] = *queue;
		break;
	}
	case BERTH_SPOOL_NAME: {
		const struct berth_spool_name *name = (const void *)record;

		CU_ASSERT_FATAL(name->name < 64);
		snprintf(content->names[name->name], 64, "%s", (const char *)(name + 1));
		break;
	}
	case BERTH_SPOOL_UNTRACKED: {
		const struct berth_spool_untracked *untracked = (const void *)record;

		CU_ASSERT_FATAL(untracked->index < 32);
		snprintf(content->untracked[untracked->index].name, 64, "%s",
			 (const char *)(untracked + 1));
		break;
	}
	case BERTH_SPOOL_OP:
		visit_op(content, record);
		break;
	case BERTH_SPOOL_DIGEST:
		content->later_count++;
		content->later = *(const struct berth_spool_digest *)(const void *)record;
		break;
	case BERTH_SPOOL_PAYLOAD:
		content->payload_count++;
		break;
	case BERTH_SPOOL_TIME:
		content->time_count++;
		content->time = *(const struct berth_spool_time *)(const void *)record;
		break;
	case BERTH_SPOOL_STACK:
		content->stack_count++;
		break;
	case BERTH_SPOOL_MODULE:
		content->module_count++;
		break;
	case BERTH_SPOOL_PAD:
		break;
	}
}

static void take_pending(struct spool_content *content, struct berth_spool_header *header)
{
	for (size_t i = 0; i < BERTH_SPOOL_PENDING_SLOTS; i++)
		if (atomic_load(&header->pending[i].in_call))
			content->pending[content->pending_count++] = header->pending[i].op;
}

bool spool_content_read(struct spool_content *out, const char *directory, size_t index)
{
	struct spool_reader reader;

	memset(out, 0, sizeof(*out));
	if (!spool_reader_open(&reader, directory, index))
		return false;
	spool_reader_drain(&reader, visit_content, out);
	take_pending(out, reader.header);
	out->closed = atomic_load(&reader.header->closed) != 0;
	out->lost = atomic_load(&reader.header->lost);
	for (size_t i = 0; i < 32; i++)
		out->untracked[i].count = atomic_load(&reader.header->untracked[i]);
	spool_reader_close(&reader);
	return true;
}

void spool_content_free(struct spool_content *content)
{
	free(content->ops);
	free(content->orders);
	content->ops = NULL;
}

bool scratch_make(char path[64])
{
	strcpy(path, "/tmp/berth-test-XXXXXX");
	return mkdtemp(path) != NULL;
}

void scratch_remove(const char *path)
{
	DIR *directory = opendir(path);
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		unlinkat(dirfd(directory), entry->d_name, 0);
	if (directory)
		closedir(directory);
	rmdir(path);
}
