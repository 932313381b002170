/* SPDX-License-Identifier: Apache-2.0 */
/* The record layer in live_program, on PoCL: what the program did is what the spool says. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "spool_reader.h"
#include "test_main.h"

#include <berth/record.h>

#define LINKED TEST_BUILD_DIR "/live_program"
#define LOADED TEST_BUILD_DIR "/live_program_dlopen"
#define LAYER TEST_LAYER_DIR "/libberth-layer.so"

static char directory[64];

/* A program under the layer; its standard output comes through `output`. */
struct run {
	pid_t pid;
	FILE *output;
};

/* Not an assertion: have_pocl() runs outside of any test. */
static void must(bool holds)
{
	if (holds)
		return;
	perror("test_layer: cannot run a program");
	exit(99);
}

static void start(struct run *run, const char *program, const char *mode)
{
	int ends[2];

	must(pipe(ends) == 0);
	fflush(stdout);
	run->pid = fork();
	must(run->pid >= 0);
	if (run->pid == 0) {
		setenv("OPENCL_LAYERS", LAYER, 1);
		setenv(BERTH_ENV_SPOOL_DIR, directory, 1);
		dup2(ends[1], STDOUT_FILENO);
		execl(program, program, mode, (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	run->output = fdopen(ends[0], "r");
	must(run->output != NULL);
}

static int end(struct run *run, char *last_line, size_t room)
{
	char line[64];
	int status = -1;

	last_line[0] = 0;
	while (fgets(line, sizeof(line), run->output))
		if (strchr(line, '\n'))
			snprintf(last_line, room, "%.*s", (int)strcspn(line, "\n"), line);
	fclose(run->output);
	waitpid(run->pid, &status, 0);
	return status;
}

/* Run a mode to its end, and read the spool of its process `index`. */
static int record(struct spool_content *content, const char *program, const char *mode)
{
	struct run run;
	char last_line[64];
	int status;

	CU_ASSERT_FATAL(scratch_make(directory));
	start(&run, program, mode);
	status = end(&run, last_line, sizeof(last_line));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		ASSERT_STRING(last_line, "ok");
	CU_ASSERT_FATAL(spool_content_read(content, directory, 0));
	return status;
}

static void forget(struct spool_content *content)
{
	spool_content_free(content);
	scratch_remove(directory);
}

/* What plain() in live_program.c does, in its order. Ids are given in order of creation. */
static const struct expected {
	berth_op_kind kind;
	berth_op_form form;
	uint64_t object, other, mapping, offset, bytes;
	int32_t status;
	bool digest;
} plain_ops[] = {
	{ BERTH_OP_BUFFER_CREATE, 0, 1, 0, 0, 0, 4096, 0, false },
	{ BERTH_OP_BUFFER_CREATE, 0, 2, 0, 0, 0, 1024, 0, true },
	{ BERTH_OP_SUBBUFFER_CREATE, 0, 3, 1, 0, 1024, 512, 0, false },
	{ BERTH_OP_IMAGE_CREATE, 0, 4, 0, 0, 0, 0, 0, false },
	{ BERTH_OP_IMAGE_CREATE, 0, 5, 0, 0, 0, 0, 0, false },
	{ BERTH_OP_RETAIN, 0, 1, 0, 0, 0, 0, 0, false },
	{ BERTH_OP_RELEASE, 0, 1, 0, 0, 0, 0, 0, false },
	{ BERTH_OP_BUFFER_CREATE, 0, 6, 0, 0, 0, 0, CL_INVALID_BUFFER_SIZE, false },
	{ BERTH_OP_RELEASE, 0, BERTH_ID_NONE, 0, 0, 0, 0, CL_INVALID_MEM_OBJECT, false },
	{ BERTH_OP_WRITE, BERTH_FORM_LINEAR, 1, 0, 0, 128, 64, 0, true },
	{ BERTH_OP_READ, BERTH_FORM_LINEAR, 1, 0, 0, 128, 64, 0, true },
	{ BERTH_OP_WRITE, BERTH_FORM_RECT, 1, 0, 0, 0, 0, 0, true },
	{ BERTH_OP_READ, BERTH_FORM_RECT, 1, 0, 0, 0, 0, 0, true },
	{ BERTH_OP_WRITE, BERTH_FORM_IMAGE, 4, 0, 0, 0, 0, 0, true },
	{ BERTH_OP_READ, BERTH_FORM_IMAGE, 4, 0, 0, 0, 0, 0, true },
	{ BERTH_OP_COPY, BERTH_FORM_LINEAR, 1, 2, 0, 0, 256, 0, false },
	{ BERTH_OP_COPY, BERTH_FORM_RECT, 1, 2, 0, 0, 0, 0, false },
	{ BERTH_OP_COPY, BERTH_FORM_IMAGE, 4, 5, 0, 0, 0, 0, false },
	{ BERTH_OP_COPY, BERTH_FORM_IMAGE_TO_BUFFER, 4, 2, 0, 0, 0, 0, false },
	{ BERTH_OP_COPY, BERTH_FORM_BUFFER_TO_IMAGE, 2, 4, 0, 64, 0, 0, false },
	{ BERTH_OP_FILL, BERTH_FORM_LINEAR, 1, 0, 0, 16, 32, 0, true },
	{ BERTH_OP_FILL, BERTH_FORM_IMAGE, 4, 0, 0, 0, 0, 0, true },
	{ BERTH_OP_MAP, BERTH_FORM_LINEAR, 1, 0, 1, 256, 64, 0, true },
	{ BERTH_OP_MAP, BERTH_FORM_LINEAR, 1, 0, 2, 256, 64, 0, true },
	{ BERTH_OP_UNMAP, 0, 1, 0, 0, 0, 0, 0, false }, /* which of the two is open */
	{ BERTH_OP_UNMAP, 0, 1, 0, 0, 0, 0, 0, false },
	{ BERTH_OP_MAP, BERTH_FORM_IMAGE, 4, 0, 3, 0, 0, 0, true },
	{ BERTH_OP_UNMAP, 0, 4, 0, 3, 0, 0, 0, false },
	{ BERTH_OP_MIGRATE, 0, 0, 0, 0, 0, 0, 0, false },
	{ BERTH_OP_USE, 0, 0, 0, 0, 0, 0, 0, false },
	{ BERTH_OP_SYNC, 0, 0, 0, 0, 0, 0, 0, false },
	{ BERTH_OP_MIGRATE, 0, 0, 0, 0, 0, 0, CL_INVALID_COMMAND_QUEUE, false },
	{ BERTH_OP_RELEASE, 0, 3, 0, 0, 0, 0, 0, false },
	{ BERTH_OP_RELEASE, 0, 1, 0, 0, 0, 0, 0, false },
	{ BERTH_OP_RELEASE, 0, 2, 0, 0, 0, 0, 0, false },
	{ BERTH_OP_RELEASE, 0, 4, 0, 0, 0, 0, 0, false },
	{ BERTH_OP_RELEASE, 0, 5, 0, 0, 0, 0, 0, false },
	{ BERTH_OP_SYNC, 0, 0, 0, 0, 0, 0, 0, false },
};

#define PLAIN_OPS (sizeof(plain_ops) / sizeof(plain_ops[0]))

static void check_plain_op(const struct spool_op *op, const struct expected *expected)
{
	static const unsigned char none[16];

	ASSERT_INT(op->op.kind, expected->kind);
	ASSERT_INT(op->op.form, expected->form);
	ASSERT_INT(op->op.object, expected->object);
	ASSERT_INT(op->op.other, expected->other);
	if (expected->mapping)
		ASSERT_INT(op->op.mapping, expected->mapping);
	ASSERT_INT(op->op.offset_bytes, expected->offset);
	ASSERT_INT(op->op.bytes, expected->bytes);
	ASSERT_INT(op->op.cl_status, expected->status);
	ASSERT_INT(op->op.absent, 0);
	ASSERT_INT(memcmp(op->digest, none, sizeof(none)) != 0, expected->digest);
	CU_ASSERT(op->op.t_ns != 0);
	CU_ASSERT(op->op.thread != 0);
}

static void check_digest(const struct spool_op *op, const void *bytes, size_t count)
{
	XXH128_canonical_t expected;

	XXH128_canonicalFromHash(&expected, XXH3_128bits(bytes, count));
	CU_ASSERT(memcmp(op->digest, expected.digest, 16) == 0);
}

/* The i-th row of `count` bytes, in host memory that holds 7 * i at byte i. */
static void take_row(unsigned char *out, size_t first, size_t count)
{
	for (size_t i = 0; i < count; i++)
		out[i] = (unsigned char)(7 * (first + i));
}

static void check_digests(const struct spool_op *ops)
{
	unsigned char bytes[1024] = { 5 };
	const unsigned pattern = 0x01020304;

	check_digest(&ops[1], bytes, 1024); /* COPY_HOST_PTR */
	take_row(bytes, 0, 64);
	check_digest(&ops[9], bytes, 64);
	check_digest(&ops[10], bytes, 64);
	/* Host origin (2, 1) at pitch 16: rows of 8 from 18, 34 and 50. */
	for (size_t row = 0; row < 3; row++)
		take_row(bytes + 8 * row, 18 + 16 * row, 8);
	check_digest(&ops[11], bytes, 24);
	/* Rows of 4 pixels of 4 bytes at pitch 20. */
	take_row(bytes, 0, 16);
	take_row(bytes + 16, 20, 16);
	check_digest(&ops[13], bytes, 32);
	check_digest(&ops[14], bytes, 32);
	check_digest(&ops[20], &pattern, 4);
}

static void check_details(const struct spool_content *content)
{
	const struct spool_op *ops = content->ops;

	ASSERT_INT(content->device_count, 1);
	ASSERT_INT(content->queues[1].context, 1);
	ASSERT_INT(content->queues[1].device, 1);
	ASSERT_INT(ops[0].op.flags, CL_MEM_READ_WRITE);
	ASSERT_INT(ops[0].op.context, 1);
	ASSERT_INT(ops[0].result.bytes, 4096);
	ASSERT_INT(ops[2].op.context, 1);
	ASSERT_INT(ops[3].image.type, CL_MEM_OBJECT_IMAGE2D);
	ASSERT_INT(ops[3].image.order, CL_RGBA);
	ASSERT_INT(ops[3].image.channel_type, CL_UNORM_INT8);
	ASSERT_INT(ops[3].image.width, 16);
	ASSERT_INT(ops[3].image.height, 8);
	CU_ASSERT(ops[3].result.bytes >= 16 * 8 * 4);
	ASSERT_INT(ops[3].result.row_pitch_bytes, 64);
	ASSERT_INT(ops[9].op.queue, 1);
	ASSERT_INT(ops[9].op.bits, BERTH_OP_BLOCKING);
	CU_ASSERT(ops[9].op.host_address != 0);
	ASSERT_INT(ops[11].region.origin[0], 4);
	ASSERT_INT(ops[11].region.other_origin[0], 2);
	ASSERT_INT(ops[11].region.extent[1], 3);
	ASSERT_INT(ops[11].region.row_pitch_bytes, 32);
	ASSERT_INT(ops[11].region.other_row_pitch_bytes, 16);
	ASSERT_INT(ops[13].region.origin[1], 2);
	ASSERT_INT(ops[13].region.other_row_pitch_bytes, 20);
	ASSERT_INT(ops[15].op.other_offset_bytes, 512);
	ASSERT_INT(ops[18].op.other_offset_bytes, 64);
	ASSERT_INT(ops[19].region.extent[0], 8);
	ASSERT_INT(ops[20].op.pattern_bytes, 4);
	ASSERT_INT(ops[22].op.flags, CL_MAP_READ);
	/* The two maps of one region may have one pointer: each is unmapped once. */
	ASSERT_INT(ops[24].op.mapping + ops[25].op.mapping, 3);
	CU_ASSERT(ops[26].result.row_pitch_bytes >= 64);
	ASSERT_INT(ops[28].op.flags, CL_MIGRATE_MEM_OBJECT_HOST);
	ASSERT_INT(ops[28].op.use_count, 2);
	ASSERT_INT(ops[28].uses[1].object, 2);
	ASSERT_STRING(content->names[ops[29].op.name], "twice");
	ASSERT_INT(ops[29].op.use_count, 2);
	ASSERT_INT(ops[29].uses[0].object, 1);
	ASSERT_INT(ops[29].uses[0].arg_index, 0);
	ASSERT_INT(ops[29].uses[1].object, 2);
	ASSERT_INT(ops[29].uses[1].arg_index, 2);
}

static void plain(void)
{
	static const char *const programs[] = { LINKED, LOADED };

	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		struct spool_content content;

		test_case("%s", programs[i]);
		ASSERT_INT(record(&content, programs[i], "plain"), 0);
		ASSERT_INT(content.op_count, PLAIN_OPS);
		for (size_t n = 0; n < PLAIN_OPS && n < content.op_count; n++) {
			test_case("%s, op %zu", programs[i], n);
			check_plain_op(&content.ops[n], &plain_ops[n]);
		}
		if (content.op_count == PLAIN_OPS) {
			check_details(&content);
			check_digests(content.ops);
		}
		ASSERT_INT(content.lost, 0);
		ASSERT_INT(content.pending_count, 0);
		CU_ASSERT(content.closed);
		ASSERT_INT(content.process.argc, 2);
		forget(&content);
	}
}

static void no_digests(void)
{
	struct spool_content content;

	setenv(BERTH_ENV_DIGEST, "0", 1);
	ASSERT_INT(record(&content, LINKED, "plain"), 0);
	unsetenv(BERTH_ENV_DIGEST);
	ASSERT_INT(content.op_count, PLAIN_OPS);
	for (size_t i = 0; i < content.op_count; i++)
		ASSERT_INT(content.ops[i].op.parts & BERTH_SPOOL_PART_DIGEST, 0);
	forget(&content);
}

/* 8 threads, each 200 objects that live at the same time as those of the others. */
static void threads(void)
{
	static unsigned char seen[1601];
	struct spool_content content;
	uint32_t thread_of[1601] = { 0 };

	/* PoCL 3.1's basic device deadlocks when threads share a queue, recorded or not. */
	setenv("POCL_DEVICES", "pthread", 1);
	ASSERT_INT(record(&content, LINKED, "threads"), 0);
	setenv("POCL_DEVICES", "basic", 1);
	ASSERT_INT(content.counts[BERTH_OP_BUFFER_CREATE], 1600);
	ASSERT_INT(content.counts[BERTH_OP_WRITE], 1600);
	ASSERT_INT(content.counts[BERTH_OP_RELEASE], 1600);
	memset(seen, 0, sizeof(seen));
	for (size_t i = 0; i < content.op_count; i++) {
		const struct berth_spool_op *op = &content.ops[i].op;

		if (op->kind == BERTH_OP_SYNC)
			continue;
		CU_ASSERT_FATAL(op->object >= 1 && op->object <= 1600);
		/* Create, write, release, all by the thread that made it. */
		ASSERT_INT(op->kind, seen[op->object] == 0   ? BERTH_OP_BUFFER_CREATE
				     : seen[op->object] == 1 ? BERTH_OP_WRITE
							     : BERTH_OP_RELEASE);
		if (seen[op->object]++ == 0)
			thread_of[op->object] = op->thread;
		ASSERT_INT(op->thread, thread_of[op->object]);
	}
	ASSERT_INT(content.lost, 0);
	forget(&content);
}

static void check_forked(const char *mode)
{
	struct spool_content contents[2];
	const struct spool_content *parent, *child;

	ASSERT_INT(record(&contents[0], LINKED, mode), 0);
	ASSERT_INT(spool_count(directory), 2);
	CU_ASSERT_FATAL(spool_content_read(&contents[1], directory, 1));
	parent = &contents[contents[0].process.forked ? 1 : 0];
	child = &contents[contents[0].process.forked ? 0 : 1];
	ASSERT_INT(child->process.forked, 1);
	ASSERT_INT(child->process.parent_pid, parent->process.pid);
	ASSERT_INT(parent->op_count, 7); /* twice create, write, release; finish */
	ASSERT_INT(child->op_count, 4);	 /* twice create, release; it left by _exit */
	CU_ASSERT(parent->closed);
	CU_ASSERT(!child->closed);
	if (child->op_count == 4) {
		ASSERT_INT(child->ops[0].op.bytes, 100);
		ASSERT_INT(child->ops[0].op.object, 1);
		ASSERT_INT(child->ops[3].op.object, 2);
	}
	spool_content_free(&contents[1]);
	forget(&contents[0]);
}

static void forked(void)
{
	check_forked("fork");
	check_forked("bare-fork");
}

static void ends_badly(void)
{
	static const struct {
		const char *mode;
		int signal, code;
		size_t ops;
		bool closed;
	} cases[] = {
		{ "abort", SIGABRT, 0, 3, false },
		{ "exit", 0, 7, 3, false },
		{ "late", 0, 0, 2, true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct spool_content content;
		int status;

		test_case("%s", cases[i].mode);
		status = record(&content, LINKED, cases[i].mode);
		ASSERT_INT(WIFSIGNALED(status) ? WTERMSIG(status) : 0, cases[i].signal);
		ASSERT_INT(WIFEXITED(status) ? WEXITSTATUS(status) : 0, cases[i].code);
		ASSERT_INT(content.op_count, cases[i].ops);
		if (content.op_count)
			ASSERT_INT(content.ops[content.op_count - 1].op.kind, BERTH_OP_RELEASE);
		ASSERT_INT(content.closed, cases[i].closed);
		ASSERT_INT(content.lost, 0);
		forget(&content);
	}
}

static void killed(void)
{
	static const int signals[] = { SIGKILL, SIGTERM };

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct spool_content content;
		struct run run;
		char line[64] = "", last_line[64];
		unsigned long said = 0;

		test_case("signal %d", signals[i]);
		CU_ASSERT_FATAL(scratch_make(directory));
		start(&run, LINKED, "kill");
		while (said < 200 && fgets(line, sizeof(line), run.output))
			said = strtoul(line, NULL, 10);
		kill(run.pid, signals[i]);
		ASSERT_INT(WTERMSIG(end(&run, last_line, sizeof(last_line))), signals[i]);
		said = *last_line ? strtoul(last_line, NULL, 10) : said;
		CU_ASSERT(said >= 200);
		CU_ASSERT_FATAL(spool_content_read(&content, directory, 0));
		CU_ASSERT(content.counts[BERTH_OP_RELEASE] >= said);
		CU_ASSERT(content.op_count + content.pending_count >= 3 * said);
		for (size_t n = 0; n < content.op_count; n++)
			ASSERT_INT(content.ops[n].op.object, n / 3 + 1);
		CU_ASSERT(!content.closed);
		forget(&content);
	}
}

static void call_that_never_returned(void)
{
	struct spool_content content;
	struct run run;
	char line[64] = "";

	CU_ASSERT_FATAL(scratch_make(directory));
	start(&run, LINKED, "wait");
	CU_ASSERT(fgets(line, sizeof(line), run.output) != NULL);
	ASSERT_STRING(line, "waiting\n");
	content.pending_count = 0;
	/* It says so before it waits: look until it does. */
	for (int i = 0; i < 1000 && content.pending_count == 0; i++) {
		usleep(10000);
		CU_ASSERT_FATAL(spool_content_read(&content, directory, 0));
		spool_content_free(&content);
	}
	kill(run.pid, SIGKILL);
	end(&run, line, sizeof(line));
	CU_ASSERT_FATAL(spool_content_read(&content, directory, 0));
	ASSERT_INT(content.op_count, 0);
	ASSERT_INT(content.pending_count, 1);
	ASSERT_INT(content.pending[0].kind, BERTH_OP_SYNC);
	ASSERT_INT(content.pending[0].thread, run.pid);
	CU_ASSERT(content.pending[0].t_ns != 0);
	forget(&content);
}

/* Without a folder, or with one that is not there, the program runs as ever. */
static void does_not_record(void)
{
	static const char *const folders[] = { "", "/nonexistent/folder" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		struct run run;
		char last_line[64];

		test_case("'%s'", folders[i]);
		snprintf(directory, sizeof(directory), "%s", folders[i]);
		start(&run, LINKED, "plain");
		ASSERT_INT(end(&run, last_line, sizeof(last_line)), 0);
		ASSERT_STRING(last_line, "ok");
	}
}

/* PoCL's basic device: no threads of its own, so that a forked child can use it. */
static bool have_pocl(void)
{
	struct run run;
	char last_line[64];
	int status;

	setenv("OCL_ICD_VENDORS", "pocl.icd", 1);
	setenv("POCL_DEVICES", "basic", 1);
	directory[0] = 0;
	start(&run, LINKED, "late");
	status = end(&run, last_line, sizeof(last_line));
	return status == 0 && strcmp(last_line, "ok") == 0;
}

int main(void)
{
	static const struct test tests[] = {
		{ "plain, linked and loaded", plain },
		{ "no digests", no_digests },
		{ "threads", threads },
		{ "forked", forked },
		{ "ends badly", ends_badly },
		{ "killed", killed },
		{ "call that never returned", call_that_never_returned },
		{ "does not record", does_not_record },
		{ NULL, NULL },
	};

	if (!have_pocl()) {
		puts("SKIP: no OpenCL platform of PoCL");
		return 77;
	}
	return test_main("layer", tests);
}
