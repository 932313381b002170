/* SPDX-License-Identifier: Apache-2.0 */
#include "finding_story.h"

#include "scratch.h"
#include "test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#define OPS_MAX 4096

static struct fixture_op ops[OPS_MAX];
static berth_object_use uses[OPS_MAX]; /* of ops with one object */
static size_t op_count;

void story_begin(void)
{
	op_count = 0;
}

berth_trace_op *story_add(const berth_op *op)
{
	struct fixture_op *one = &ops[op_count];

	if (op_count == OPS_MAX)
		abort();
	*one = (struct fixture_op){ .row = { .t_ns = op_count * STORY_MS,
					     .thread = 1,
					     .context = 1,
					     .answered = true,
					     .op = *op } };
	one->row.result.duration_ns = STORY_CALL_NS;
	if (op->kind == BERTH_OP_USE)
		one->name_id = 1;
	op_count++;
	return &one->row;
}

berth_trace_op *story_buffer(uint64_t id, uint64_t bytes, uint64_t flags)
{
	return story_add(&(berth_op){
		.kind = BERTH_OP_BUFFER_CREATE, .object = id, .flags = flags, .bytes = bytes });
}

berth_trace_op *story_subbuffer(uint64_t id, uint64_t on, uint64_t offset, uint64_t bytes)
{
	return story_add(&(berth_op){ .kind = BERTH_OP_SUBBUFFER_CREATE,
				      .object = id,
				      .other = on,
				      .offset_bytes = offset,
				      .bytes = bytes });
}

berth_trace_op *story_image(uint64_t id, uint64_t width, uint64_t height, uint64_t on,
			    uint64_t pitch)
{
	berth_trace_op *row = story_add(&(berth_op){
		.kind = BERTH_OP_IMAGE_CREATE,
		.object = id,
		.other = on,
		.image = { .type = CL_MEM_OBJECT_IMAGE2D,
			   .order = CL_RGBA,
			   .channel_type = CL_HALF_FLOAT,
			   .width = width,
			   .height = height,
			   .row_pitch_bytes = pitch },
	});

	row->result.row_pitch_bytes = pitch ? pitch : width * 8;
	row->result.bytes = row->result.row_pitch_bytes * height;
	return row;
}

berth_trace_op *story_release(uint64_t id)
{
	return story_add(&(berth_op){ .kind = BERTH_OP_RELEASE, .object = id });
}

berth_trace_op *story_content(berth_trace_op *row, unsigned char content)
{
	row->has_digest = content != 0;
	memset(row->digest, content, sizeof(row->digest));
	return row;
}

berth_trace_op *story_write(uint64_t id, uint64_t bytes, unsigned char content)
{
	return story_content(story_add(&(berth_op){ .kind = BERTH_OP_WRITE,
						    .form = BERTH_FORM_LINEAR,
						    .object = id,
						    .queue = 1,
						    .bytes = bytes }),
			     content);
}

berth_trace_op *story_read(uint64_t id, uint64_t bytes, uint32_t bits)
{
	return story_add(&(berth_op){ .kind = BERTH_OP_READ,
				      .form = BERTH_FORM_LINEAR,
				      .bits = bits,
				      .object = id,
				      .queue = 1,
				      .bytes = bytes });
}

berth_trace_op *story_use(uint64_t id, uint32_t access)
{
	berth_object_use *use = &uses[op_count];

	*use = (berth_object_use){ .object = id, .access = access };
	return story_add(
		&(berth_op){ .kind = BERTH_OP_USE, .queue = 1, .uses = use, .use_count = 1 });
}

berth_trace_op *story_sync(void)
{
	return story_add(&(berth_op){ .kind = BERTH_OP_SYNC, .queue = 1 });
}

/* SET of the row of a device, if there is something to set. */
static void set_device(int id, const char *sql)
{
	char text[512];

	if (!sql)
		return;
	snprintf(text, sizeof(text), "UPDATE device SET %s WHERE id = %d", sql, id);
	trace_fixture_sql(scratch_path("story.db"), text);
}

static berth_findings *find(const berth_caps *on)
{
	berth_findings_options options = BERTH_FINDINGS_OPTIONS_INIT;
	berth_findings *findings = NULL;
	berth_trace *trace = NULL;

	options.caps = on;
	ASSERT_OK(berth_trace_open(&trace, scratch_path("story.db")));
	ASSERT_OK(berth_findings_find(&findings, trace, &options));
	berth_trace_close(trace);
	return findings;
}

berth_findings *story_find(const char *device_sql, const berth_caps *on)
{
	berth_findings *findings;

	scratch_make();
	trace_fixture_write(scratch_path("story.db"), ops, op_count);
	set_device(1, device_sql);
	findings = find(on);
	scratch_remove();
	return findings;
}

berth_findings *story_find_changed(const char *sql)
{
	berth_findings *findings;

	scratch_make();
	trace_fixture_write(scratch_path("story.db"), ops, op_count);
	trace_fixture_sql(scratch_path("story.db"), sql);
	findings = find(NULL);
	scratch_remove();
	return findings;
}

berth_findings *story_find_on_two(const char *device_sql, const char *second_sql)
{
	berth_findings *findings;

	scratch_make();
	trace_fixture_write(scratch_path("story.db"), ops, op_count);
	set_device(1, device_sql);
	trace_fixture_sql(scratch_path("story.db"),
			  "CREATE TEMP TABLE second AS SELECT * FROM device;"
			  "UPDATE second SET id = 2; INSERT INTO device SELECT * FROM second;"
			  "CREATE TEMP TABLE more AS SELECT * FROM format;"
			  "UPDATE more SET device = 2; INSERT INTO format SELECT * FROM more;"
			  "CREATE TEMP TABLE rest AS SELECT * FROM capability;"
			  "UPDATE rest SET device = 2; INSERT INTO capability SELECT * FROM rest");
	set_device(2, second_sql);
	findings = find(NULL);
	scratch_remove();
	return findings;
}

const berth_finding *story_rule(const berth_findings *findings, const char *rule)
{
	const berth_finding *finding;

	for (size_t i = 0; (finding = berth_findings_at(findings, i)); i++)
		if (strcmp(finding->rule->id, rule) == 0)
			return finding;
	return NULL;
}
