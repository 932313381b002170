/* SPDX-License-Identifier: Apache-2.0 */
/* The checker on two scripted devices: what counts as a difference, and what is done about it. */
#include "alloc_fault.h"
#include "test_main.h"

#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#include <berth/checker.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define STORE_BYTES 64
#define ROW_BYTES 16 /* of the scripted devices' images and rects */

/* Answers what the test says, to the first op after it said so; then accepts everything. */
struct scripted {
	berth_device device;
	berth_status status;
	berth_result answer;
	berth_op seen;	    /* the first op after the answer was set */
	berth_op_kind undo; /* the kind of the one after it; 0: none */
	uint64_t used;	    /* the object of a use after the first op */
	unsigned executed;
	unsigned char store[STORE_BYTES]; /* what reads and maps give */
	unsigned char gap;		  /* what a read leaves between rows */
	uint64_t map_pitch_bytes;
};

static unsigned destroyed;

/* Rows of a box, wherever the op has them in host memory. */
static void read_rows(const struct scripted *self, const berth_op *op)
{
	uint64_t bytes = op->form == BERTH_FORM_IMAGE ? op->region.extent[0] * 4
						      : op->region.extent[0];
	unsigned char *host = op->host;

	if (op->form == BERTH_FORM_LINEAR) {
		memcpy(host, self->store + op->offset_bytes, op->bytes);
		return;
	}
	memset(host, self->gap, ROW_BYTES * (op->region.other_origin[1] + op->region.extent[1] - 1));
	host += op->region.other_origin[1] * ROW_BYTES + op->region.other_origin[0];
	for (uint64_t row = 0; row < op->region.extent[1]; row++)
		memcpy(host + row * ROW_BYTES, self->store + row * bytes, bytes);
}

static berth_status scripted_execute(berth_device *device, const berth_op *op,
				     berth_result *result)
{
	struct scripted *self = (struct scripted *)device;

	if (self->executed++ > 0) {
		self->undo = op->kind;
		if (op->kind == BERTH_OP_USE)
			self->used = op->uses[0].object;
		return BERTH_OK;
	}
	self->seen = *op;
	if (self->status != BERTH_OK)
		return berth_error_set(self->status, 0, "no answer from %s", device->name);
	*result = self->answer;
	if (result->cl_status != CL_SUCCESS)
		berth_error_set(BERTH_E_CL, result->cl_status, "%s refuses", device->name);
	else if (op->kind == BERTH_OP_READ && op->host)
		read_rows(self, op);
	else if (op->kind == BERTH_OP_MAP) {
		result->mapped = self->store;
		result->row_pitch_bytes = self->map_pitch_bytes;
	}
	return BERTH_OK;
}

static void scripted_memory(const berth_device *device, berth_memory *memory)
{
	memory->capacity_bytes = strcmp(device->name, "subject") == 0 ? 1 : 2;
}

static void scripted_destroy(berth_device *device)
{
	(void)device;
	destroyed++;
}

static const berth_device_ops scripted_ops = { BERTH_DEVICE_OPS_VERSION, scripted_execute,
					       scripted_memory, scripted_destroy, NULL };

static struct scripted subject, reference;
static berth_device *checker;
static berth_result result;

static bool open_checker(void)
{
	memset(&subject, 0, sizeof(subject));
	memset(&reference, 0, sizeof(reference));
	subject.device = (berth_device){ &scripted_ops, NULL, "subject" };
	reference.device = (berth_device){ &scripted_ops, NULL, "reference" };
	checker = NULL;
	ASSERT_OK(berth_checker_create(&checker, &subject.device, &reference.device));
	return checker != NULL;
}

static void close_checker(void)
{
	berth_device_destroy(checker);
	checker = NULL;
}

static void script(struct scripted *device, int32_t cl_status)
{
	device->status = BERTH_OK;
	device->answer = (berth_result){ .cl_status = cl_status };
	device->undo = (berth_op_kind)0;
	device->used = 0;
	device->executed = 0;
}

static void script_both(int32_t of_subject, int32_t of_reference)
{
	script(&subject, of_subject);
	script(&reference, of_reference);
}

static int32_t run(const berth_op *op)
{
	ASSERT_OK(berth_device_execute(checker, op, &result));
	return result.cl_status;
}

static berth_difference_kind difference(void)
{
	return berth_checker_last(checker)->kind;
}

/* An object that both have: 1 a buffer, 2 an image of 4 pixels of 4 bytes by 2. */
static void make_objects(void)
{
	berth_op op = { .kind = BERTH_OP_BUFFER_CREATE, .object = 1, .bytes = STORE_BYTES };

	script_both(CL_SUCCESS, CL_SUCCESS);
	ASSERT_INT(run(&op), CL_SUCCESS);
	op = (berth_op){ .kind = BERTH_OP_IMAGE_CREATE, .object = 2,
			 .image = { .type = CL_MEM_OBJECT_IMAGE2D, .order = CL_RGBA,
				    .channel_type = CL_UNORM_INT8, .width = 4, .height = 2 } };
	script_both(CL_SUCCESS, CL_SUCCESS);
	ASSERT_INT(run(&op), CL_SUCCESS);
	script_both(CL_SUCCESS, CL_SUCCESS);
}

static void codes(void)
{
	static const struct {
		const char *name;
		int32_t subject, reference, alternative, answer;
		bool differs, memory;
	} cases[] = {
		{ "both accept", 0, 0, 0, 0, false, false },
		{ "same refusal", CL_INVALID_VALUE, CL_INVALID_VALUE, 0, CL_INVALID_VALUE, false, false },
		{ "an alternative", CL_INVALID_OPERATION, CL_INVALID_VALUE, CL_INVALID_OPERATION,
		  CL_INVALID_OPERATION, false, false },
		{ "another code", CL_INVALID_OPERATION, CL_INVALID_VALUE, CL_INVALID_CONTEXT,
		  CL_INVALID_OPERATION, true, false },
		{ "subject refuses", CL_INVALID_VALUE, 0, 0, CL_INVALID_VALUE, true, false },
		{ "subject accepts", 0, CL_INVALID_VALUE, 0, 0, true, false },
		{ "subject out of memory", CL_MEM_OBJECT_ALLOCATION_FAILURE, 0, 0,
		  CL_MEM_OBJECT_ALLOCATION_FAILURE, false, true },
		{ "reference out of memory", 0, CL_OUT_OF_RESOURCES, 0, CL_OUT_OF_RESOURCES, false,
		  true },
		{ "both, in other words", CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES, 0,
		  CL_OUT_OF_HOST_MEMORY, false, false },
	};

	for (size_t i = 0; i < LENGTH(cases); i++) {
		berth_op op = { .kind = BERTH_OP_FILL, .form = BERTH_FORM_LINEAR, .object = 1 };
		const berth_check_counts *counts;

		test_case("%s", cases[i].name);
		if (!open_checker())
			return;
		script_both(cases[i].subject, cases[i].reference);
		if (cases[i].alternative) {
			reference.answer.code_count = 1;
			reference.answer.codes[0] = cases[i].alternative;
		}
		counts = berth_checker_counts(checker);
		ASSERT_INT(run(&op), cases[i].answer);
		ASSERT_INT(difference(),
			   cases[i].differs ? BERTH_DIFFERENCE_STATUS : BERTH_DIFFERENCE_NONE);
		ASSERT_INT(berth_checker_last(checker)->subject.cl_status, cases[i].subject);
		ASSERT_INT(berth_checker_last(checker)->reference.cl_status, cases[i].reference);
		ASSERT_INT(counts->ops, 1);
		ASSERT_INT(counts->differences, cases[i].differs);
		ASSERT_INT(counts->memory_failures, cases[i].memory);
		close_checker();
	}
}

static void a_difference_in_words(void)
{
	berth_op op = { .kind = BERTH_OP_FILL, .form = BERTH_FORM_LINEAR, .object = 1, .bytes = 8 };
	const berth_difference *last;

	if (!open_checker())
		return;
	test_case("both codes, both reasons, the rule");
	script_both(CL_INVALID_OPERATION, CL_INVALID_VALUE);
	reference.answer.rule = "R105";
	reference.answer.code_count = 1;
	reference.answer.codes[0] = CL_INVALID_CONTEXT;
	ASSERT_INT(run(&op), CL_INVALID_OPERATION);
	last = berth_checker_last(checker);
	ASSERT_STRING(last->rule, "R105");
	ASSERT_CONTAINS(last->text, "fill linear object 1");
	ASSERT_CONTAINS(last->text, "subject gives CL_INVALID_OPERATION: subject refuses");
	ASSERT_CONTAINS(last->text, "reference gives CL_INVALID_VALUE: reference refuses");

	test_case("the answer has the reference's rule and codes");
	ASSERT_STRING(result.rule, "R105");
	ASSERT_INT(result.code_count, 2);
	ASSERT_INT(result.codes[0], CL_INVALID_CONTEXT);
	ASSERT_INT(result.codes[1], CL_INVALID_VALUE);
	ASSERT_CONTAINS(berth_error_get()->message, "subject refuses");

	test_case("the first stays the first");
	script_both(CL_INVALID_HOST_PTR, CL_SUCCESS);
	ASSERT_INT(run(&op), CL_INVALID_HOST_PTR);
	ASSERT_INT(berth_checker_last(checker)->op_index, 1);
	ASSERT_INT(berth_checker_first(checker)->op_index, 0);
	ASSERT_INT(berth_checker_first(checker)->subject.cl_status, CL_INVALID_OPERATION);
	close_checker();
}

static void one_sided_effects_are_taken_back(void)
{
	static const struct {
		berth_op_kind kind, undo;
	} cases[] = {
		{ BERTH_OP_BUFFER_CREATE, BERTH_OP_RELEASE },
		{ BERTH_OP_SUBBUFFER_CREATE, BERTH_OP_RELEASE },
		{ BERTH_OP_IMAGE_CREATE, BERTH_OP_RELEASE },
		{ BERTH_OP_RETAIN, BERTH_OP_RELEASE },
		{ BERTH_OP_RELEASE, BERTH_OP_RETAIN },
		{ BERTH_OP_MAP, BERTH_OP_UNMAP },
		{ BERTH_OP_MIGRATE, 0 },
	};
	static const struct {
		const char *name;
		int32_t subject, reference;
	} sides[] = {
		{ "subject accepts", CL_SUCCESS, CL_INVALID_VALUE },
		{ "reference accepts", CL_INVALID_VALUE, CL_SUCCESS },
		{ "reference runs out of memory", CL_SUCCESS, CL_OUT_OF_RESOURCES },
		{ "subject runs out of memory", CL_OUT_OF_RESOURCES, CL_SUCCESS },
	};

	for (size_t i = 0; i < LENGTH(cases); i++)
		for (size_t side = 0; side < LENGTH(sides); side++) {
			bool creates = cases[i].kind <= BERTH_OP_IMAGE_CREATE;
			berth_op op = { .kind = cases[i].kind, .form = BERTH_FORM_LINEAR,
					.object = creates ? 9 : 1, .other = creates ? 1 : 0,
					.mapping = 3, .bytes = 8 };

			test_case("%s: %s", berth_op_kind_string(op.kind), sides[side].name);
			if (!open_checker())
				return;
			make_objects();
			script_both(sides[side].subject, sides[side].reference);
			run(&op);
			ASSERT_INT(subject.undo,
				   sides[side].subject == CL_SUCCESS ? cases[i].undo : 0);
			ASSERT_INT(reference.undo,
				   sides[side].reference == CL_SUCCESS ? cases[i].undo : 0);
			close_checker();
		}
}

/* What one side wrote and the other did not is made unknown to the reference. */
static void one_sided_content_is_forgotten(void)
{
	static const struct {
		berth_op_kind kind;
		int32_t subject, reference;
		uint64_t forgotten; /* of 1, the op's object, and 2, the other */
	} cases[] = {
		{ BERTH_OP_WRITE, CL_SUCCESS, CL_INVALID_VALUE, 1 },
		{ BERTH_OP_WRITE, CL_INVALID_VALUE, CL_SUCCESS, 1 },
		{ BERTH_OP_WRITE, CL_SUCCESS, CL_SUCCESS, 0 },
		{ BERTH_OP_WRITE, CL_INVALID_VALUE, CL_INVALID_VALUE, 0 },
		{ BERTH_OP_FILL, CL_SUCCESS, CL_INVALID_VALUE, 1 },
		{ BERTH_OP_COPY, CL_SUCCESS, CL_INVALID_VALUE, 2 },
		{ BERTH_OP_READ, CL_SUCCESS, CL_INVALID_VALUE, 0 },
	};

	for (size_t i = 0; i < LENGTH(cases); i++) {
		berth_op op = { .kind = cases[i].kind, .form = BERTH_FORM_LINEAR, .object = 1,
				.other = 2 };

		test_case("%s, %d and %d", berth_op_kind_string(op.kind), cases[i].subject,
			  cases[i].reference);
		if (!open_checker())
			return;
		make_objects();
		script_both(cases[i].subject, cases[i].reference);
		run(&op);
		ASSERT_INT(reference.used, cases[i].forgotten);
		ASSERT_INT(subject.used, 0);
		close_checker();
	}
}

static void sizes_and_pitches(void)
{
	static const struct {
		const char *name;
		berth_op_kind kind;
		uint64_t bytes[2], row_pitch[2]; /* subject's, reference's */
		berth_difference_kind expected;
	} cases[] = {
		{ "same size", BERTH_OP_BUFFER_CREATE, { 8, 8 }, { 0, 0 }, BERTH_DIFFERENCE_NONE },
		{ "other size", BERTH_OP_BUFFER_CREATE, { 16, 8 }, { 0, 0 }, BERTH_DIFFERENCE_SIZE },
		{ "of a sub-buffer", BERTH_OP_SUBBUFFER_CREATE, { 64, 8 }, { 0, 0 },
		  BERTH_DIFFERENCE_SIZE },
		{ "bytes of an image are its own", BERTH_OP_IMAGE_CREATE, { 4096, 32 }, { 16, 16 },
		  BERTH_DIFFERENCE_NONE },
		{ "row pitch", BERTH_OP_IMAGE_CREATE, { 32, 32 }, { 64, 16 },
		  BERTH_DIFFERENCE_PITCH },
	};

	for (size_t i = 0; i < LENGTH(cases); i++) {
		berth_op op = { .kind = cases[i].kind, .object = 9, .bytes = 8,
				.image = { .type = CL_MEM_OBJECT_IMAGE2D, .order = CL_RGBA,
					   .channel_type = CL_UNORM_INT8, .width = 4,
					   .height = 2 } };

		if (cases[i].kind == BERTH_OP_SUBBUFFER_CREATE)
			op.other = 1;
		test_case("%s", cases[i].name);
		if (!open_checker())
			return;
		make_objects();
		subject.answer.bytes = cases[i].bytes[0];
		reference.answer.bytes = cases[i].bytes[1];
		subject.answer.row_pitch_bytes = cases[i].row_pitch[0];
		reference.answer.row_pitch_bytes = cases[i].row_pitch[1];
		ASSERT_INT(run(&op), CL_SUCCESS);
		ASSERT_INT(difference(), cases[i].expected);
		close_checker();
	}
}

/* Reads of bytes that are equal on both sides but for store[@differs]. */
static void content(void)
{
	static const struct {
		const char *name;
		berth_op_form form;
		uint64_t object, bytes, extent[3], host_origin[3];
		unsigned differs;
		uint64_t unknown;
		bool host;
		berth_difference_kind expected;
		const char *text;
	} cases[] = {
		{ "linear", BERTH_FORM_LINEAR, 1, 8, { 0 }, { 0 }, 7, 0, true,
		  BERTH_DIFFERENCE_CONTENT, "byte 7 of row 0, slice 0 is 0xff on subject, 0x07" },
		{ "linear, beyond it", BERTH_FORM_LINEAR, 1, 8, { 0 }, { 0 }, 8, 0, true,
		  BERTH_DIFFERENCE_NONE, NULL },
		/* two rows of 5 bytes: store[6] is byte 1 of row 1 */
		{ "rect", BERTH_FORM_RECT, 1, 0, { 5, 2, 1 }, { 3, 1, 0 }, 6, 0, true,
		  BERTH_DIFFERENCE_CONTENT, "byte 1 of row 1" },
		{ "rect, only the gaps", BERTH_FORM_RECT, 1, 0, { 5, 2, 1 }, { 3, 1, 0 }, 10, 0, true,
		  BERTH_DIFFERENCE_NONE, NULL },
		/* rows of 2 pixels of 4 bytes: store[15] is byte 7 of row 1 */
		{ "image", BERTH_FORM_IMAGE, 2, 0, { 2, 2, 1 }, { 0 }, 15, 0, true,
		  BERTH_DIFFERENCE_CONTENT, "byte 7 of row 1" },
		{ "image, only the gaps", BERTH_FORM_IMAGE, 2, 0, { 2, 2, 1 }, { 0 }, 16, 0, true,
		  BERTH_DIFFERENCE_NONE, NULL },
		{ "unknown in part", BERTH_FORM_LINEAR, 1, 8, { 0 }, { 0 }, 7, 1, true,
		  BERTH_DIFFERENCE_NONE, NULL },
		{ "no bytes", BERTH_FORM_LINEAR, 1, 8, { 0 }, { 0 }, 7, 0, false,
		  BERTH_DIFFERENCE_NONE, NULL },
	};

	for (size_t i = 0; i < LENGTH(cases); i++) {
		unsigned char host[4 * ROW_BYTES];
		berth_op op = { .kind = BERTH_OP_READ, .form = cases[i].form,
				.object = cases[i].object, .bytes = cases[i].bytes,
				.host_address = 0x1000,
				.region = { .other_row_pitch_bytes = ROW_BYTES } };
		bool compared = cases[i].unknown == 0 && cases[i].host;

		memcpy(op.region.extent, cases[i].extent, sizeof(op.region.extent));
		memcpy(op.region.other_origin, cases[i].host_origin,
		       sizeof(op.region.other_origin));
		test_case("%s", cases[i].name);
		if (!open_checker())
			return;
		make_objects();
		for (unsigned at = 0; at < STORE_BYTES; at++)
			subject.store[at] = reference.store[at] = (unsigned char)at;
		subject.store[cases[i].differs] = 0xff;
		subject.gap = 0xaa;
		reference.gap = 0xbb;
		reference.answer.unknown_bytes = cases[i].unknown;
		if (cases[i].host)
			berth_op_set_host(&op, host);
		ASSERT_INT(run(&op), CL_SUCCESS);
		ASSERT_INT(difference(), cases[i].expected);
		if (cases[i].text)
			ASSERT_CONTAINS(berth_checker_last(checker)->text, cases[i].text);
		ASSERT_INT(berth_checker_counts(checker)->content_compared, compared);
		ASSERT_INT(berth_checker_counts(checker)->content_unknown, !compared);
		ASSERT_INT(result.unknown_bytes, cases[i].unknown);
		CU_ASSERT(subject.seen.bits & BERTH_OP_BLOCKING);
		close_checker();
	}
}

static void maps_are_compared(void)
{
	static const struct {
		const char *name;
		uint64_t flags;
		berth_difference_kind expected;
		unsigned compared;
	} cases[] = {
		{ "read", CL_MAP_READ, BERTH_DIFFERENCE_CONTENT, 1 },
		{ "write", CL_MAP_WRITE, BERTH_DIFFERENCE_CONTENT, 1 },
		{ "invalidate", CL_MAP_WRITE_INVALIDATE_REGION, BERTH_DIFFERENCE_NONE, 0 },
	};

	for (size_t i = 0; i < LENGTH(cases); i++) {
		berth_op op = { .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 1,
				.mapping = 3, .flags = cases[i].flags, .bytes = 8 };

		test_case("%s", cases[i].name);
		if (!open_checker())
			return;
		make_objects();
		subject.store[0] = 1;
		ASSERT_INT(run(&op), CL_SUCCESS);
		CU_ASSERT_PTR_EQUAL(result.mapped, subject.store);
		ASSERT_INT(difference(), cases[i].expected);
		ASSERT_INT(berth_checker_counts(checker)->content_compared, cases[i].compared);
		close_checker();
	}
}

/* What is written through the subject's pointer is in the reference after the unmap. */
static void mapped_writes_are_carried_over(void)
{
	static const struct {
		const char *name;
		uint64_t flags;
		bool carried;
	} cases[] = {
		{ "write", CL_MAP_WRITE, true },
		{ "invalidate", CL_MAP_WRITE_INVALIDATE_REGION, true },
		{ "read only", CL_MAP_READ, false },
	};

	for (size_t i = 0; i < LENGTH(cases); i++) {
		berth_op map = { .kind = BERTH_OP_MAP, .form = BERTH_FORM_IMAGE, .object = 2,
				 .mapping = 3, .flags = cases[i].flags,
				 .region = { .extent = { 2, 2, 1 } } };
		berth_op unmap = { .kind = BERTH_OP_UNMAP, .object = 2, .mapping = 3 };

		test_case("%s", cases[i].name);
		if (!open_checker())
			return;
		make_objects();
		/* two rows of 8 bytes, 32 apart here and 16 there */
		subject.map_pitch_bytes = 32;
		reference.map_pitch_bytes = 16;
		ASSERT_INT(run(&map), CL_SUCCESS);
		ASSERT_INT(result.row_pitch_bytes, 32);
		memset(subject.store, 0x11, 12);
		memset(subject.store + 32, 0x22, 12);
		script_both(CL_SUCCESS, CL_SUCCESS);
		ASSERT_INT(run(&unmap), CL_SUCCESS);
		ASSERT_INT(reference.store[7], cases[i].carried ? 0x11 : 0);
		ASSERT_INT(reference.store[8], 0); /* the gap */
		ASSERT_INT(reference.store[16], cases[i].carried ? 0x22 : 0);
		ASSERT_INT(reference.store[24], 0);
		close_checker();
	}
}

static void lent_memory_is_copied(void)
{
	unsigned char host[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	berth_op op = { .kind = BERTH_OP_BUFFER_CREATE, .object = 9, .bytes = 8,
			.flags = CL_MEM_USE_HOST_PTR };

	if (!open_checker())
		return;
	script_both(CL_SUCCESS, CL_SUCCESS);
	subject.answer.bytes = reference.answer.bytes = 8;
	berth_op_set_host(&op, host);
	test_case("USE_HOST_PTR: two stores, one address");
	ASSERT_INT(run(&op), CL_SUCCESS);
	CU_ASSERT_PTR_EQUAL(subject.seen.host, host);
	CU_ASSERT_PTR_NOT_EQUAL(reference.seen.host, host);
	CU_ASSERT(memcmp(reference.seen.host, host, 8) == 0);
	ASSERT_INT(reference.seen.host_address, op.host_address);

	test_case("COPY_HOST_PTR: the same bytes");
	op.object = 10;
	op.flags = CL_MEM_COPY_HOST_PTR;
	script_both(CL_SUCCESS, CL_SUCCESS);
	ASSERT_INT(run(&op), CL_SUCCESS);
	CU_ASSERT_PTR_EQUAL(reference.seen.host, host);
	close_checker();
}

static void sides_without_an_answer(void)
{
	berth_op op = { .kind = BERTH_OP_BUFFER_CREATE, .object = 9, .bytes = 8 };

	if (!open_checker())
		return;
	test_case("the subject: the reference is not asked");
	script_both(CL_SUCCESS, CL_SUCCESS);
	subject.status = BERTH_E_UNSUPPORTED;
	ASSERT_INT(berth_device_execute(checker, &op, &result), BERTH_E_UNSUPPORTED);
	ASSERT_INT(reference.executed, 0);
	ASSERT_CONTAINS(berth_error_get()->message, "no answer from subject");

	test_case("the reference: the subject's object is taken back");
	script_both(CL_SUCCESS, CL_SUCCESS);
	reference.status = BERTH_E_NOMEM;
	ASSERT_INT(berth_device_execute(checker, &op, &result), BERTH_E_NOMEM);
	ASSERT_INT(subject.undo, BERTH_OP_RELEASE);
	ASSERT_CONTAINS(berth_error_get()->message, "no answer from reference");
	ASSERT_INT(berth_checker_counts(checker)->ops, 0);
	close_checker();
}

/* Each allocation of an op fails in turn: both sides are as before. */
static void allocations_fail(void)
{
	static unsigned char host[8];
	static const berth_op cases[] = {
		{ .kind = BERTH_OP_BUFFER_CREATE, .object = 9, .bytes = 8 },
		{ .kind = BERTH_OP_BUFFER_CREATE, .object = 9, .bytes = 8,
		  .flags = CL_MEM_USE_HOST_PTR, .host = host, .host_address = 1 },
		{ .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 1, .mapping = 3,
		  .flags = CL_MAP_WRITE, .bytes = 8 },
	};

	for (size_t i = 0; i < LENGTH(cases); i++) {
		berth_op_kind undo =
			cases[i].kind == BERTH_OP_MAP ? BERTH_OP_UNMAP : BERTH_OP_RELEASE;
		berth_status st;
		unsigned n = 0;
		bool failed;

		if (!open_checker())
			return;
		/* else the checker's table is empty, and grows with the first object */
		if (cases[i].kind == BERTH_OP_MAP)
			make_objects();
		do {
			test_case("case %zu, allocation %u", i, ++n);
			script_both(CL_SUCCESS, CL_SUCCESS);
			alloc_fault_arm(n);
			st = berth_device_execute(checker, &cases[i], &result);
			failed = alloc_fault_disarm();
			ASSERT_INT(st, failed ? BERTH_E_NOMEM : BERTH_OK);
			if (failed && subject.executed > 0)
				ASSERT_INT(subject.undo, undo);
			if (failed && reference.executed > 0)
				ASSERT_INT(reference.undo, undo);
		} while (failed);
		CU_ASSERT(n > 1);
		close_checker();
	}
}

static void creation_and_others(void)
{
	berth_memory memory;

	test_case("two devices are needed");
	if (!open_checker())
		return;
	ASSERT_INT(berth_checker_create(&checker, NULL, &reference.device), BERTH_E_INVAL);
	ASSERT_INT(berth_checker_create(&checker, &subject.device, NULL), BERTH_E_INVAL);
	ASSERT_INT(berth_checker_create(&checker, &subject.device, &subject.device),
		   BERTH_E_INVAL);

	test_case("it speaks for the subject");
	ASSERT_STRING(berth_device_name(checker), "check(subject, reference)");
	berth_device_memory(checker, &memory);
	ASSERT_INT(memory.capacity_bytes, 1);
	ASSERT_INT(berth_checker_first(checker)->kind, BERTH_DIFFERENCE_NONE);

	test_case("other devices are no checkers");
	CU_ASSERT_PTR_NULL(berth_checker_last(&subject.device));
	CU_ASSERT_PTR_NULL(berth_checker_first(&subject.device));
	CU_ASSERT_PTR_NULL(berth_checker_counts(&subject.device));

	test_case("it takes both with it");
	destroyed = 0;
	close_checker();
	ASSERT_INT(destroyed, 2);
}

int main(void)
{
	static const struct test tests[] = {
		{ "codes", codes },
		{ "a difference in words", a_difference_in_words },
		{ "one-sided effects are taken back", one_sided_effects_are_taken_back },
		{ "one-sided content is forgotten", one_sided_content_is_forgotten },
		{ "sizes and pitches", sizes_and_pitches },
		{ "content", content },
		{ "maps are compared", maps_are_compared },
		{ "mapped writes are carried over", mapped_writes_are_carried_over },
		{ "lent memory is copied", lent_memory_is_copied },
		{ "sides without an answer", sides_without_an_answer },
		{ "allocations fail", allocations_fail },
		{ "creation, and other devices", creation_and_others },
		{ NULL, NULL },
	};

	return test_main("checker", tests);
}
