/* SPDX-License-Identifier: Apache-2.0 */
/* The table of objects: lifetime, inheritance, pitches, mappings, many objects. */
#include "alloc_fault.h"
#include "test_main.h"

#include <berth/objects.h>

#include <CL/cl.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The order in which objects end. */
struct ended {
	size_t count;
	uint64_t ids[16];
};

static void note_end(berth_object *object, void *userdata)
{
	struct ended *ended = userdata;

	if (ended->count < COUNT(ended->ids))
		ended->ids[ended->count] = object->id;
	ended->count++;
}

static berth_objects *make_table(struct ended *ended)
{
	berth_objects *objects = NULL;

	ASSERT_OK(berth_objects_create(&objects, ended ? note_end : NULL, ended));
	return objects;
}

static berth_object *apply(berth_objects *objects, const berth_op *op)
{
	berth_object *created = NULL;

	ASSERT_OK(berth_objects_apply(objects, op, &created));
	return created;
}

static berth_object *make_buffer(berth_objects *objects, uint64_t id, uint64_t bytes, uint64_t flags)
{
	return apply(objects, &(berth_op){ .kind = BERTH_OP_BUFFER_CREATE, .object = id,
					   .bytes = bytes, .flags = flags });
}

static berth_object *make_subbuffer(berth_objects *objects, uint64_t id, uint64_t parent,
				    uint64_t origin, uint64_t bytes, uint64_t flags)
{
	return apply(objects, &(berth_op){ .kind = BERTH_OP_SUBBUFFER_CREATE, .object = id,
					   .other = parent, .offset_bytes = origin, .bytes = bytes,
					   .flags = flags });
}

static berth_object *make_image(berth_objects *objects, uint64_t id, uint64_t parent,
				const berth_image *image)
{
	return apply(objects, &(berth_op){ .kind = BERTH_OP_IMAGE_CREATE, .object = id,
					   .other = parent, .image = *image });
}

static void change(berth_objects *objects, berth_op_kind kind, uint64_t id)
{
	CU_ASSERT_PTR_NULL(apply(objects, &(berth_op){ .kind = kind, .object = id }));
}

static const berth_image rgba8 = { .type = CL_MEM_OBJECT_IMAGE2D, .order = CL_RGBA,
				   .channel_type = CL_UNORM_INT8, .width = 8, .height = 4 };

static void create_and_find(void)
{
	berth_objects *objects = make_table(NULL);
	berth_object *buffer = make_buffer(objects, 5, 100, 0);

	CU_ASSERT_PTR_EQUAL(berth_objects_find(objects, 5), buffer);
	CU_ASSERT_PTR_NULL(berth_objects_find(objects, 4));
	CU_ASSERT_PTR_NULL(berth_objects_find(objects, BERTH_ID_NONE));
	CU_ASSERT_PTR_NULL(berth_objects_find(objects, BERTH_ID_UNKNOWN));
	ASSERT_INT(buffer->id, 5);
	ASSERT_INT(buffer->kind, BERTH_OBJECT_BUFFER);
	ASSERT_INT(buffer->bytes, 100);
	ASSERT_INT(buffer->references, 1);
	CU_ASSERT_PTR_NULL(buffer->parent);
	CU_ASSERT_PTR_EQUAL(buffer->root, buffer);
	ASSERT_INT(berth_objects_count(objects), 1);
	berth_objects_destroy(objects);
	berth_objects_destroy(NULL);
}

/* R130, R132: a count of 0 ends the name; children keep the object. */
static void released_parent_stays_for_its_children(void)
{
	struct ended ended = { 0 };
	berth_objects *objects = make_table(&ended);
	berth_object *child;

	make_buffer(objects, 1, 4096, 0);
	child = make_subbuffer(objects, 2, 1, 1024, 512, 0);
	make_image(objects, 3, 2, &rgba8);
	ASSERT_INT(child->children, 1);
	change(objects, BERTH_OP_RETAIN, 1);
	change(objects, BERTH_OP_RELEASE, 1);
	ASSERT_INT(berth_objects_count(objects), 3);
	change(objects, BERTH_OP_RELEASE, 1);
	change(objects, BERTH_OP_RELEASE, 2);
	ASSERT_INT(berth_objects_count(objects), 1);
	ASSERT_INT(ended.count, 0);
	CU_ASSERT_PTR_NULL(berth_objects_find(objects, 1));
	ASSERT_INT(child->parent->id, 1);
	ASSERT_INT(child->parent->references, 0);

	test_case("an id that is held by children only is not free");
	ASSERT_INT(berth_objects_apply(objects, &(berth_op){ .kind = BERTH_OP_BUFFER_CREATE,
							     .object = 1, .bytes = 1 }, NULL),
		   BERTH_E_STATE);
	change(objects, BERTH_OP_RELEASE, 3);
	ASSERT_INT(ended.count, 3);
	ASSERT_INT(ended.ids[0], 3);
	ASSERT_INT(ended.ids[1], 2);
	ASSERT_INT(ended.ids[2], 1);
	berth_objects_destroy(objects);
	ASSERT_INT(ended.count, 3);
}

static void destroy_ends_children_first(void)
{
	struct ended ended = { 0 };
	berth_objects *objects = make_table(&ended);

	make_buffer(objects, 1, 4096, 0);
	make_subbuffer(objects, 2, 1, 0, 2048, 0);
	make_image(objects, 3, 2, &rgba8);
	make_buffer(objects, 4, 4096, 0);
	make_subbuffer(objects, 5, 4, 0, 2048, 0);
	change(objects, BERTH_OP_RELEASE, 4);
	berth_objects_destroy(objects);
	ASSERT_INT(ended.count, 5);
	for (size_t i = 0; i < 5; i++)
		for (size_t j = i + 1; j < 5; j++)
			CU_ASSERT_FALSE((ended.ids[i] == 1 && ended.ids[j] <= 3) ||
					(ended.ids[i] == 2 && ended.ids[j] == 3) ||
					(ended.ids[i] == 4 && ended.ids[j] == 5));
}

/* Flags: R10 without a parent, R34 and R77 on one. */
static void flags_are_inherited(void)
{
	static const struct {
		const char *name;
		uint64_t parent, child, effective;
	} cases[] = {
		{ "default", 0, 0, CL_MEM_READ_WRITE },
		{ "access", CL_MEM_READ_ONLY, 0, CL_MEM_READ_ONLY },
		{ "access given", CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_WRITE_ONLY },
		{ "host access", CL_MEM_HOST_READ_ONLY, CL_MEM_READ_ONLY,
		  CL_MEM_HOST_READ_ONLY | CL_MEM_READ_ONLY },
		{ "host access given", CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS,
		  CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS },
		{ "host pointer, always",
		  CL_MEM_WRITE_ONLY | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, CL_MEM_WRITE_ONLY,
		  CL_MEM_WRITE_ONLY | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		berth_objects *objects = make_table(NULL);

		test_case("%s", cases[i].name);
		make_buffer(objects, 1, 4096, cases[i].parent);
		ASSERT_INT(make_subbuffer(objects, 2, 1, 0, 4096, cases[i].child)->flags,
			   cases[i].effective);
		ASSERT_INT(apply(objects, &(berth_op){ .kind = BERTH_OP_IMAGE_CREATE, .object = 3,
						       .other = 1, .flags = cases[i].child,
						       .image = rgba8 })->flags,
			   cases[i].effective);
		berth_objects_destroy(objects);
	}
}

static void offsets_lie_in_the_root(void)
{
	berth_objects *objects = make_table(NULL);
	berth_object *buffer, *child, *image;

	buffer = apply(objects, &(berth_op){ .kind = BERTH_OP_BUFFER_CREATE, .object = 1,
					     .bytes = 8192, .flags = CL_MEM_USE_HOST_PTR,
					     .host_address = 0x10000 });
	child = make_subbuffer(objects, 2, 1, 1024, 4096, 0);
	image = make_image(objects, 3, 2, &rgba8);
	ASSERT_INT(child->offset_bytes, 1024);
	ASSERT_INT(image->offset_bytes, 1024);
	CU_ASSERT_PTR_EQUAL(image->parent, child);
	CU_ASSERT_PTR_EQUAL(image->root, buffer);
	/* R84: parent's pointer + origin */
	ASSERT_INT(buffer->host_address, 0x10000);
	ASSERT_INT(child->host_address, 0x10400);
	ASSERT_INT(image->host_address, 0x10400);

	test_case("COPY_HOST_PTR keeps no pointer");
	ASSERT_INT(apply(objects, &(berth_op){ .kind = BERTH_OP_BUFFER_CREATE, .object = 4,
					       .bytes = 8, .flags = CL_MEM_COPY_HOST_PTR,
					       .host_address = 0x10000 })->host_address, 0);
	berth_objects_destroy(objects);
}

/* R56, R61, R90, R91. RGBA float pixels: 16 bytes. */
static void image_pitches(void)
{
	static const struct {
		const char *name;
		uint32_t type;
		uint64_t width, height, depth, array, row, slice;
		uint64_t row_pitch, slice_pitch, bytes;
	} cases[] = {
		{ "2D", CL_MEM_OBJECT_IMAGE2D, 10, 3, 9, 9, 0, 0, 160, 0, 480 },
		{ "2D, pitch", CL_MEM_OBJECT_IMAGE2D, 10, 3, 0, 0, 256, 0, 256, 0, 768 },
		{ "2D, slice pitch ignored", CL_MEM_OBJECT_IMAGE2D, 10, 3, 0, 0, 0, 999, 160, 0, 480 },
		{ "1D", CL_MEM_OBJECT_IMAGE1D, 10, 7, 7, 7, 0, 0, 160, 0, 160 },
		{ "1D buffer, pitch ignored", CL_MEM_OBJECT_IMAGE1D_BUFFER, 10, 0, 0, 0, 999, 0, 160,
		  0, 160 },
		{ "1D array", CL_MEM_OBJECT_IMAGE1D_ARRAY, 10, 7, 7, 4, 0, 0, 160, 160, 640 },
		{ "1D array, slice", CL_MEM_OBJECT_IMAGE1D_ARRAY, 10, 0, 0, 4, 0, 320, 160, 320, 1280 },
		{ "2D array", CL_MEM_OBJECT_IMAGE2D_ARRAY, 10, 3, 7, 4, 0, 0, 160, 480, 1920 },
		{ "3D", CL_MEM_OBJECT_IMAGE3D, 10, 3, 2, 7, 0, 0, 160, 480, 960 },
		{ "3D, pitches", CL_MEM_OBJECT_IMAGE3D, 10, 3, 2, 0, 256, 1024, 256, 1024, 2048 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		berth_objects *objects = make_table(NULL);
		berth_object *image;

		test_case("%s", cases[i].name);
		image = make_image(objects, 1, BERTH_ID_NONE, &(berth_image){
			.type = cases[i].type, .order = CL_RGBA, .channel_type = CL_FLOAT,
			.width = cases[i].width, .height = cases[i].height, .depth = cases[i].depth,
			.array_size = cases[i].array, .row_pitch_bytes = cases[i].row,
			.slice_pitch_bytes = cases[i].slice });
		ASSERT_INT(image->element_bytes, 16);
		ASSERT_INT(image->row_pitch_bytes, cases[i].row_pitch);
		ASSERT_INT(image->slice_pitch_bytes, cases[i].slice_pitch);
		ASSERT_INT(image->bytes, cases[i].bytes);
		berth_objects_destroy(objects);
	}
}

static void mappings(void)
{
	berth_objects *objects = make_table(NULL);
	berth_object *buffer = make_buffer(objects, 1, 100, 0);
	berth_op map = { .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 1,
			 .flags = CL_MAP_WRITE, .offset_bytes = 10, .bytes = 20 };
	berth_op unmap = { .kind = BERTH_OP_UNMAP, .object = 1 };

	for (map.mapping = 1; map.mapping <= 9; map.mapping++)
		apply(objects, &map);
	ASSERT_INT(buffer->mapping_count, 9);
	for (uint64_t id = 1; id <= 9; id++) {
		const berth_mapping *mapping = berth_object_find_mapping(buffer, id);

		CU_ASSERT_PTR_NOT_NULL_FATAL(mapping);
		ASSERT_INT(mapping->flags, CL_MAP_WRITE);
		ASSERT_INT(mapping->offset_bytes, 10);
		ASSERT_INT(mapping->bytes, 20);
		CU_ASSERT_TRUE(mapping->linear);
	}
	unmap.mapping = 4;
	apply(objects, &unmap);
	CU_ASSERT_PTR_NULL(berth_object_find_mapping(buffer, 4));
	CU_ASSERT_PTR_NOT_NULL(berth_object_find_mapping(buffer, 9));
	ASSERT_INT(buffer->mapping_count, 8);

	test_case("wrong ids");
	ASSERT_INT(berth_objects_apply(objects, &unmap, NULL), BERTH_E_STATE);
	map.mapping = 9;
	ASSERT_INT(berth_objects_apply(objects, &map, NULL), BERTH_E_STATE);
	map.mapping = BERTH_ID_NONE;
	ASSERT_INT(berth_objects_apply(objects, &map, NULL), BERTH_E_STATE);
	ASSERT_INT(buffer->mapping_count, 8);

	test_case("the next object has none");
	change(objects, BERTH_OP_RELEASE, 1);
	ASSERT_INT(make_buffer(objects, 2, 1, 0)->mapping_count, 0);
	berth_objects_destroy(objects);
}

static void image_mapping_keeps_its_region(void)
{
	berth_objects *objects = make_table(NULL);
	berth_object *image = make_image(objects, 1, BERTH_ID_NONE, &rgba8);
	const berth_mapping *mapping;

	apply(objects, &(berth_op){ .kind = BERTH_OP_MAP, .form = BERTH_FORM_IMAGE, .object = 1,
				    .mapping = 3, .flags = CL_MAP_READ,
				    .region = { .origin = { 1, 2 }, .extent = { 3, 2, 1 } } });
	mapping = berth_object_find_mapping(image, 3);
	CU_ASSERT_PTR_NOT_NULL_FATAL(mapping);
	CU_ASSERT_FALSE(mapping->linear);
	ASSERT_INT(mapping->origin[1], 2);
	ASSERT_INT(mapping->extent[0], 3);
	berth_objects_destroy(objects);
}

/* Each of these fails, and leaves the table as it was. */
static void failures_leave_the_table(void)
{
	static const struct {
		const char *name;
		berth_op op;
		berth_status status;
		const char *message;
	} cases[] = {
		{ "id exists", { .kind = BERTH_OP_BUFFER_CREATE, .object = 1, .bytes = 9 },
		  BERTH_E_STATE, "object 1 exists already" },
		{ "id 0", { .kind = BERTH_OP_BUFFER_CREATE, .object = BERTH_ID_NONE, .bytes = 9 },
		  BERTH_E_STATE, "reserved" },
		{ "id unknown", { .kind = BERTH_OP_BUFFER_CREATE, .object = BERTH_ID_UNKNOWN },
		  BERTH_E_STATE, "reserved" },
		{ "parent not known", { .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 2, .other = 7 },
		  BERTH_E_STATE, "object 7 is not known" },
		{ "no parent", { .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 2 },
		  BERTH_E_STATE, "object 0 is not known" },
		{ "image on nothing known", { .kind = BERTH_OP_IMAGE_CREATE, .object = 2, .other = 7 },
		  BERTH_E_STATE, "object 7 is not known" },
		{ "retain", { .kind = BERTH_OP_RETAIN, .object = 7 },
		  BERTH_E_STATE, "object 7 is not known" },
		{ "release", { .kind = BERTH_OP_RELEASE, .object = 7 },
		  BERTH_E_STATE, "object 7 is not known" },
		{ "map", { .kind = BERTH_OP_MAP, .object = 7, .mapping = 1 },
		  BERTH_E_STATE, "object 7 is not known" },
		{ "unmap", { .kind = BERTH_OP_UNMAP, .object = 1, .mapping = 5 },
		  BERTH_E_STATE, "no mapping 5" },
		{ "end does not fit", { .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 2, .other = 1,
					.offset_bytes = UINT64_MAX, .bytes = 9 },
		  BERTH_E_OVERFLOW, "18446744073709551615" },
		{ "rows do not fit", { .kind = BERTH_OP_IMAGE_CREATE, .object = 2,
				       .image = { .type = CL_MEM_OBJECT_IMAGE2D, .order = CL_RGBA,
						  .channel_type = CL_FLOAT, .width = UINT64_MAX / 16,
						  .height = 2 } },
		  BERTH_E_OVERFLOW, "1152921504606846975 x 2" },
		{ "slices do not fit", { .kind = BERTH_OP_IMAGE_CREATE, .object = 2,
					 .image = { .type = CL_MEM_OBJECT_IMAGE3D, .order = CL_RGBA,
						    .channel_type = CL_FLOAT, .width = UINT64_MAX / 32,
						    .height = 4, .depth = 1 } },
		  BERTH_E_OVERFLOW, "576460752303423487 x 4" },
	};
	struct ended ended = { 0 };
	berth_objects *objects = make_table(&ended);
	berth_object *buffer = make_buffer(objects, 1, 4096, 0);

	for (size_t i = 0; i < COUNT(cases); i++) {
		berth_object *created = buffer;

		test_case("%s", cases[i].name);
		ASSERT_INT(berth_objects_apply(objects, &cases[i].op, &created), cases[i].status);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].message);
		CU_ASSERT_PTR_EQUAL(created, buffer);
		CU_ASSERT_PTR_EQUAL(berth_objects_find(objects, 1), buffer);
		ASSERT_INT(berth_objects_count(objects), 1);
		ASSERT_INT(buffer->references, 1);
		ASSERT_INT(buffer->children, 0);
		ASSERT_INT(buffer->mapping_count, 0);
	}
	ASSERT_INT(ended.count, 0);
	berth_objects_destroy(objects);
}

/* Apply an op; when memory ran out, see that nothing changed, and apply it again. */
static void apply_with_retry(berth_objects *objects, const berth_op *op, bool *failed)
{
	size_t count = berth_objects_count(objects);
	const berth_object *object = berth_objects_find(objects, op->object);
	uint32_t mappings = object ? object->mapping_count : 0;
	berth_status st = berth_objects_apply(objects, op, NULL);

	if (st == BERTH_E_NOMEM) {
		*failed = true;
		ASSERT_INT(berth_objects_count(objects), count);
		CU_ASSERT_PTR_EQUAL(berth_objects_find(objects, op->object), object);
		ASSERT_INT(object ? object->mapping_count : 0, mappings);
		st = berth_objects_apply(objects, op, NULL);
	}
	ASSERT_OK(st);
}

/* A table that grows in each of its ways; true when the allocation that fails came. */
static bool grow_with_failure(unsigned allocation)
{
	struct ended ended = { 0 };
	berth_objects *objects = NULL;
	bool failed = false;

	alloc_fault_arm(allocation);
	if (berth_objects_create(&objects, note_end, &ended) == BERTH_E_NOMEM) {
		failed = true;
		CU_ASSERT_PTR_NULL(objects);
		objects = make_table(&ended);
	}
	for (uint64_t id = 1; id <= 100; id++)
		apply_with_retry(objects, &(berth_op){ .kind = BERTH_OP_BUFFER_CREATE, .object = id,
						       .bytes = 16 }, &failed);
	for (uint64_t id = 1; id <= 5; id++)
		apply_with_retry(objects, &(berth_op){ .kind = BERTH_OP_MAP, .object = 1,
						       .form = BERTH_FORM_LINEAR, .bytes = 4,
						       .mapping = id }, &failed);
	CU_ASSERT_EQUAL(alloc_fault_disarm(), failed);
	ASSERT_INT(berth_objects_count(objects), 100);
	berth_objects_destroy(objects);
	ASSERT_INT(ended.count, 100);
	return failed;
}

static void running_out_of_memory_leaves_the_table(void)
{
	long before = alloc_fault_live();
	unsigned allocation = 1;

	while (grow_with_failure(allocation))
		test_case("allocation %u", ++allocation);
	/* table and slots; 2 chunks; slots for 64 and for 128 objects; mappings for 4 and 8 */
	ASSERT_INT(allocation - 1, 8);
	ASSERT_INT(alloc_fault_live(), before);
}

static void other_ops_change_nothing(void)
{
	static const berth_op_kind kinds[] = { BERTH_OP_WRITE, BERTH_OP_READ, BERTH_OP_COPY,
					       BERTH_OP_FILL, BERTH_OP_MIGRATE, BERTH_OP_USE,
					       BERTH_OP_SYNC, BERTH_OP_LABEL };
	berth_objects *objects = make_table(NULL);

	for (size_t i = 0; i < COUNT(kinds); i++) {
		test_case("%s", berth_op_kind_string(kinds[i]));
		change(objects, kinds[i], 1);
		ASSERT_INT(berth_objects_count(objects), 0);
	}
	berth_objects_destroy(objects);
}

static void count_visit(berth_object *object, void *userdata)
{
	*(uint64_t *)userdata += object->id;
}

/* Many objects, ended in an order unlike that of their creation: the hash stays whole. */
static void many_objects(void)
{
	enum { MANY = 10007 };
	struct ended ended = { 0 };
	berth_objects *objects = make_table(&ended);
	uint64_t sum = 0;

	for (uint64_t id = 1; id <= MANY; id++)
		make_buffer(objects, id * 64, id, 0);
	ASSERT_INT(berth_objects_count(objects), MANY);
	/* 3571 and 10007 are primes: i * 3571 mod 10007 meets each object once */
	for (uint64_t i = 0; i < MANY / 2; i++)
		change(objects, BERTH_OP_RELEASE, (i * 3571 % MANY + 1) * 64);
	ASSERT_INT(ended.count, MANY / 2);
	for (uint64_t i = 0; i < MANY; i++) {
		uint64_t id = (i * 3571 % MANY + 1) * 64;
		berth_object *object = berth_objects_find(objects, id);

		if (i < MANY / 2)
			CU_ASSERT_PTR_NULL(object)
		else
			CU_ASSERT_TRUE(object && object->id == id && object->bytes == id / 64);
	}
	berth_objects_each(objects, count_visit, &sum);
	for (uint64_t i = MANY / 2; i < MANY; i++)
		sum -= (i * 3571 % MANY + 1) * 64;
	ASSERT_INT(sum, 0);
	berth_objects_destroy(objects);
	ASSERT_INT(ended.count, MANY);
}

int main(void)
{
	static const struct test tests[] = {
		{ "create and find", create_and_find },
		{ "a released parent stays for its children", released_parent_stays_for_its_children },
		{ "destroy ends children first", destroy_ends_children_first },
		{ "flags are inherited", flags_are_inherited },
		{ "offsets lie in the root", offsets_lie_in_the_root },
		{ "image pitches", image_pitches },
		{ "mappings", mappings },
		{ "an image mapping keeps its region", image_mapping_keeps_its_region },
		{ "failures leave the table", failures_leave_the_table },
		{ "running out of memory leaves the table", running_out_of_memory_leaves_the_table },
		{ "other ops change nothing", other_ops_change_nothing },
		{ "many objects", many_objects },
		{ NULL, NULL },
	};

	return test_main("objects", tests);
}
