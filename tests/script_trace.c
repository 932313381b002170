/* SPDX-License-Identifier: Apache-2.0 */
#include "script_trace.h"

#include "replay/trace_write.h"

#include <berth/sim.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#define WORDS_MAX 32
#define NAMES_MAX 64

struct script {
	struct berth__trace_writer *writer;
	berth_caps caps;
	bool begun;
	int line;
	uint64_t t_ns, took_ns, queue, host_address;
	uint32_t thread;
	int32_t code;
	char names[NAMES_MAX][48];
	uint32_t name_count;
	/* The op of the line. */
	berth_trace_op row;
	berth_object_use uses[WORDS_MAX];
	uint32_t name;
	char *words[WORDS_MAX];
	int word_count;
};

static berth_status wrong(const struct script *script, const char *what, const char *word)
{
	return berth_error_set(BERTH_E_FORMAT, 0, "line %d: %s: '%s'", script->line, what,
			       word ? word : "");
}

static const char *word(const struct script *script, int index)
{
	return index < script->word_count ? script->words[index] : "";
}

static uint64_t number(const char *text)
{
	char *end;
	uint64_t value = strtoull(text, &end, 10);

	return value << (*end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0);
}

/* An id or an op's number: 0 for none, '?' for a handle that is not known. */
static uint64_t id(const char *text)
{
	return *text == '?' ? BERTH_ID_UNKNOWN : strtoull(text, NULL, 10);
}

static uint64_t flags(const struct script *script, int from)
{
	static const struct {
		const char *name;
		uint64_t flag;
	} list[] = {
		{ "read_only", CL_MEM_READ_ONLY },
		{ "use_host", CL_MEM_USE_HOST_PTR },
		{ "copy_host", CL_MEM_COPY_HOST_PTR },
		{ "alloc_host", CL_MEM_ALLOC_HOST_PTR },
	};
	uint64_t bits = 0;

	for (int i = from; i < script->word_count; i++)
		for (size_t j = 0; j < sizeof(list) / sizeof(list[0]); j++)
			if (strcmp(script->words[i], list[j].name) == 0)
				bits |= list[j].flag;
	return bits & CL_MEM_READ_ONLY ? bits : bits | CL_MEM_READ_WRITE;
}

static void host_of_flags(const struct script *script, berth_op *op)
{
	if (op->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR))
		op->host_address = script->host_address;
}

/* The number of a name, which is written when it is new. */
static berth_status name_id(struct script *script, const char *text)
{
	berth_status st;

	for (uint32_t i = 0; i < script->name_count; i++) {
		if (strcmp(script->names[i], text) == 0) {
			script->name = i + 1;
			return BERTH_OK;
		}
	}
	if (script->name_count == NAMES_MAX)
		return wrong(script, "too many names", text);
	snprintf(script->names[script->name_count++], sizeof(script->names[0]), "%s", text);
	st = berth__trace_write_name(script->writer, script->name_count, text);
	script->name = script->name_count;
	return st;
}

static void set_content(struct script *script, const char *text)
{
	if (!*text)
		return;
	script->row.has_digest = true;
	for (size_t i = 0; text[i] && i < sizeof(script->row.digest); i++)
		script->row.digest[i] = (uint8_t)text[i];
}

static berth_status make_buffer(struct script *script)
{
	berth_op *op = &script->row.op;

	op->kind = BERTH_OP_BUFFER_CREATE;
	op->object = id(word(script, 1));
	op->bytes = number(word(script, 2));
	op->flags = flags(script, 3);
	host_of_flags(script, op);
	script->row.result.bytes = op->bytes;
	return BERTH_OK;
}

static berth_status make_sub(struct script *script)
{
	berth_op *op = &script->row.op;

	op->kind = BERTH_OP_SUBBUFFER_CREATE;
	op->object = id(word(script, 1));
	op->other = id(word(script, 2));
	op->offset_bytes = number(word(script, 3));
	op->bytes = number(word(script, 4));
	op->flags = CL_MEM_READ_WRITE;
	script->row.result.bytes = op->bytes;
	return BERTH_OK;
}

static berth_status make_image(struct script *script)
{
	bool has_depth = strcmp(script->words[0], "image3d") == 0;
	berth_op *op = &script->row.op;
	berth_result *result = &script->row.result;
	uint32_t pixel;

	op->kind = BERTH_OP_IMAGE_CREATE;
	op->object = id(word(script, 1));
	op->image.type = has_depth ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D;
	if (sscanf(word(script, 2), "%" SCNu64 "x%" SCNu64 "x%" SCNu64, &op->image.width,
		   &op->image.height, &op->image.depth) != (has_depth ? 3 : 2))
		return wrong(script, "not a size", word(script, 2));
	if (berth_channel_order_parse(&op->image.order, word(script, 3)) != BERTH_OK ||
	    berth_channel_type_parse(&op->image.channel_type, word(script, 4)) != BERTH_OK)
		return wrong(script, "not a format", word(script, 3));
	op->flags = flags(script, 5);
	host_of_flags(script, op);
	if (strcmp(word(script, 5), "on") == 0) {
		op->other = id(word(script, 6));
		op->image.row_pitch_bytes = number(word(script, 7));
	}
	pixel = berth_format_element_bytes(op->image.order, op->image.channel_type);
	result->row_pitch_bytes =
		op->image.row_pitch_bytes ? op->image.row_pitch_bytes : op->image.width * pixel;
	result->bytes =
		result->row_pitch_bytes * op->image.height * (has_depth ? op->image.depth : 1);
	return BERTH_OK;
}

static berth_status transfer(struct script *script)
{
	berth_op *op = &script->row.op;

	op->kind = *script->words[0] == 'w' ? BERTH_OP_WRITE : BERTH_OP_READ;
	op->form = BERTH_FORM_LINEAR;
	op->bits = BERTH_OP_BLOCKING;
	op->object = id(word(script, 1));
	op->offset_bytes = number(word(script, 2));
	op->bytes = number(word(script, 3));
	op->host_address = 0x7f0000002000;
	op->queue = script->queue;
	set_content(script, word(script, 4));
	return BERTH_OK;
}

static berth_status transfer_image(struct script *script)
{
	berth_op *op = &script->row.op;

	op->kind = *script->words[0] == 'w' ? BERTH_OP_WRITE : BERTH_OP_READ;
	op->form = BERTH_FORM_IMAGE;
	op->bits = BERTH_OP_BLOCKING;
	op->object = id(word(script, 1));
	op->host_address = 0x7f0000002000;
	op->queue = script->queue;
	op->region.extent[2] = 1;
	if (sscanf(word(script, 2), "%" SCNu64 "x%" SCNu64, &op->region.extent[0],
		   &op->region.extent[1]) != 2)
		return wrong(script, "not a size", word(script, 2));
	set_content(script, word(script, 3));
	return BERTH_OK;
}

static berth_status copy(struct script *script)
{
	script->row.op.kind = BERTH_OP_COPY;
	script->row.op.form = BERTH_FORM_LINEAR;
	script->row.op.object = id(word(script, 1));
	script->row.op.other = id(word(script, 2));
	script->row.op.bytes = number(word(script, 3));
	script->row.op.queue = script->queue;
	return BERTH_OK;
}

static berth_status map(struct script *script)
{
	berth_op *op = &script->row.op;

	op->kind = BERTH_OP_MAP;
	op->form = BERTH_FORM_LINEAR;
	op->bits = BERTH_OP_BLOCKING;
	op->object = id(word(script, 1));
	op->mapping = id(word(script, 2));
	op->bytes = number(word(script, 3));
	op->flags = *word(script, 4) ? CL_MAP_WRITE : CL_MAP_READ;
	op->queue = script->queue;
	return BERTH_OK;
}

static berth_status unmap(struct script *script)
{
	script->row.op.kind = BERTH_OP_UNMAP;
	script->row.op.object = id(word(script, 1));
	script->row.op.mapping = id(word(script, 2));
	script->row.op.queue = script->queue;
	return BERTH_OK;
}

static berth_status use(struct script *script)
{
	berth_op *op = &script->row.op;

	op->kind = BERTH_OP_USE;
	op->queue = script->queue;
	op->uses = script->uses;
	for (int i = 2; i < script->word_count; i++, op->use_count++) {
		const char *text = script->words[i];

		script->uses[op->use_count] = (berth_object_use){
			.object = id(text),
			.access = strchr(text, '!') ? BERTH_ACCESS_READ | BERTH_ACCESS_WRITE
						    : BERTH_ACCESS_READ,
		};
	}
	return name_id(script, word(script, 1));
}

static berth_status one_object(struct script *script)
{
	static const struct {
		const char *name;
		berth_op_kind kind;
	} kinds[] = { { "release", BERTH_OP_RELEASE }, { "retain", BERTH_OP_RETAIN } };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(script->words[0], kinds[i].name) == 0)
			script->row.op.kind = kinds[i].kind;
	script->row.op.object = id(word(script, 1));
	return BERTH_OK;
}

static berth_status label(struct script *script)
{
	script->row.op.kind = BERTH_OP_LABEL;
	script->row.op.object = id(word(script, 1));
	return name_id(script, word(script, 2));
}

static berth_status mark(struct script *script)
{
	script->row.op.kind = BERTH_OP_LABEL;
	script->row.op.bits = *script->words[0] == 'b'	 ? BERTH_OP_BEGINS
			      : *script->words[0] == 'e' ? BERTH_OP_ENDS
							 : 0;
	return name_id(script, word(script, 1));
}

static berth_status sync(struct script *script)
{
	script->row.op.kind = BERTH_OP_SYNC;
	script->row.op.queue = script->queue;
	return BERTH_OK;
}

static const struct {
	const char *name;
	int words_min;
	berth_status (*make)(struct script *script);
} ops[] = {
	{ "buffer", 3, make_buffer },
	{ "sub", 5, make_sub },
	{ "image", 5, make_image },
	{ "image3d", 5, make_image },
	{ "write", 4, transfer },
	{ "read", 4, transfer },
	{ "write_image", 3, transfer_image },
	{ "read_image", 3, transfer_image },
	{ "copy", 4, copy },
	{ "map", 4, map },
	{ "unmap", 3, unmap },
	{ "use", 2, use },
	{ "release", 2, one_object },
	{ "retain", 2, one_object },
	{ "label", 3, label },
	{ "mark", 2, mark },
	{ "begin", 2, mark },
	{ "end", 2, mark },
	{ "sync", 1, sync },
};

static berth_status begin(struct script *script)
{
	berth_status st;

	if (script->begun)
		return BERTH_OK;
	script->begun = true;
	st = berth__trace_write_device(script->writer, 1, &script->caps);
	for (uint32_t queue = 1; st == BERTH_OK && queue <= 4; queue++)
		st = berth__trace_write_queue(script->writer, queue, 1, 1, 0);
	return st;
}

static berth_status write_op(struct script *script, size_t index)
{
	berth_status st = begin(script);

	if (script->word_count < ops[index].words_min)
		return wrong(script, "too few words", script->words[0]);
	memset(&script->row, 0, sizeof(script->row));
	script->name = 0;
	script->row.t_ns = script->t_ns;
	script->row.thread = script->thread;
	script->row.context = 1;
	script->row.answered = true;
	if (st == BERTH_OK)
		st = ops[index].make(script);
	script->row.result.duration_ns = script->took_ns;
	script->row.result.cl_status = script->code;
	if (script->code != CL_SUCCESS && berth_op_kind_creates(script->row.op.kind))
		script->row.op.object = BERTH_ID_NONE;
	if (st == BERTH_OK)
		st = berth__trace_write_op(script->writer, &script->row, script->name);
	script->t_ns += script->took_ns + 1000;
	return st;
}

static berth_status set_device(struct script *script, const char *settings)
{
	berth_profile *profile = malloc(sizeof(*profile));
	berth_status st;

	if (!profile)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory");
	berth_profile_init_reference(profile, &script->caps);
	st = berth_profile_override(profile, settings);
	script->caps = profile->caps;
	free(profile);
	return st;
}

static berth_status do_line(struct script *script)
{
	const char *first = script->words[0];

	script->code = CL_SUCCESS;
	if (strcmp(first, "device") == 0)
		return set_device(script, word(script, 1));
	if (strcmp(first, "at") == 0)
		script->t_ns = number(word(script, 1)) * 1000000;
	else if (strcmp(first, "took") == 0)
		script->took_ns = number(word(script, 1)) * 1000;
	else if (strcmp(first, "host") == 0)
		script->host_address = number(word(script, 1));
	else if (strcmp(first, "queue") == 0)
		script->queue = number(word(script, 1));
	else if (strcmp(first, "thread") == 0)
		script->thread = (uint32_t)number(word(script, 1));
	else
		goto op;
	return BERTH_OK;
op:
	if (strcmp(first, "fail") == 0 && script->word_count > 2) {
		script->code = (int32_t)strtol(script->words[1], NULL, 10);
		memmove(script->words, script->words + 2,
			sizeof(script->words[0]) * (WORDS_MAX - 2));
		script->word_count -= 2;
	}
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (strcmp(script->words[0], ops[i].name) == 0)
			return write_op(script, i);
	return wrong(script, "not an op", script->words[0]);
}

static berth_status do_lines(struct script *script, FILE *file)
{
	char line[512], *rest;
	berth_status st = BERTH_OK;

	while (st == BERTH_OK && fgets(line, sizeof(line), file)) {
		script->line++;
		line[strcspn(line, "#\n")] = '\0';
		script->word_count = 0;
		for (char *text = strtok_r(line, " \t", &rest);
		     text && script->word_count < WORDS_MAX; text = strtok_r(NULL, " \t", &rest))
			script->words[script->word_count++] = text;
		if (script->word_count > 0)
			st = do_line(script);
	}
	return st;
}

/* Nothing that a test asks for should fail on the device that it was recorded on. */
static void init_caps(berth_caps *caps)
{
	berth_caps_init_minimum(caps, 300);
	strcpy(caps->name, "Script GPU");
	strcpy(caps->platform, "Script Platform");
	caps->global_mem_bytes = UINT64_C(64) << 30;
	caps->max_alloc_bytes = UINT64_C(64) << 30;
	caps->base_addr_align_bits = 8;
	caps->image2d_max_width = caps->image2d_max_height = 32768;
	caps->image2d_from_buffer = true;
	caps->image_pitch_align = caps->image_base_align = 1;
}

berth_status script_trace_write(const char *path, FILE *file)
{
	struct script *script = calloc(1, sizeof(*script));
	berth_status st;

	if (!script)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory");
	script->thread = script->queue = 1;
	script->took_ns = 1000;
	script->host_address = 0x7f0000001000;
	init_caps(&script->caps);
	st = berth__trace_writer_open(&script->writer, path);
	if (st == BERTH_OK)
		st = berth__trace_writer_begin(script->writer);
	if (st == BERTH_OK)
		st = berth__trace_write_text(script->writer, "program", "/usr/bin/script");
	if (st == BERTH_OK)
		st = berth__trace_write_text(script->writer, "command", "script");
	if (st == BERTH_OK)
		st = do_lines(script, file);
	if (st == BERTH_OK)
		st = begin(script);
	if (st == BERTH_OK)
		st = berth__trace_writer_finish(script->writer, "exit");
	if (st == BERTH_OK)
		st = berth__trace_writer_seal(script->writer);
	berth__trace_writer_close(script->writer);
	free(script);
	return st;
}
