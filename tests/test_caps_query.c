/* SPDX-License-Identifier: Apache-2.0 */
/* Capabilities of scripted drivers: what they refuse, how wide they answer, what they list. */
#include "test_main.h"

#include "caps_query.h"

#include <stdio.h>
#include <string.h>

/* What the scripted driver says. A query that is not here is refused. */
struct answer {
	cl_device_info query;
	const char *text;  /* or NULL: the number */
	uint64_t number;
	size_t bytes;
};

#define NUMBER(query, value, type) { query, NULL, value, sizeof(type) }
#define TEXT(query, text) { query, text, 0, 0 }

static const struct answer common[] = {
	TEXT(CL_DEVICE_NAME, "a device"),
	TEXT(CL_DEVICE_VENDOR, "a vendor"),
	TEXT(CL_DRIVER_VERSION, "1.2.3"),
	NUMBER(CL_DEVICE_PLATFORM, 0, cl_platform_id),
	NUMBER(CL_DEVICE_GLOBAL_MEM_SIZE, UINT64_C(8) << 30, cl_ulong),
	NUMBER(CL_DEVICE_MAX_MEM_ALLOC_SIZE, UINT64_C(2) << 30, cl_ulong),
	NUMBER(CL_DEVICE_LOCAL_MEM_SIZE, 32768, cl_ulong),
	NUMBER(CL_DEVICE_MEM_BASE_ADDR_ALIGN, 1024, cl_uint),
	/* as wide as a size_t: some drivers answer so */
	NUMBER(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 64, size_t),
	NUMBER(CL_DEVICE_IMAGE2D_MAX_WIDTH, 16384, size_t),
};

static const struct answer *specific;
static size_t specific_count;
static cl_device_info refused_query;
static const cl_image_format *formats;
static cl_uint format_count;
static cl_int format_code;
static cl_mem_flags formats_for; /* the others have none */

static const struct answer *find_answer(const struct answer *answers, size_t count,
					cl_device_info query)
{
	for (size_t i = 0; i < count; i++)
		if (answers[i].query == query)
			return &answers[i];
	return NULL;
}

static cl_int give(const void *from, size_t bytes, size_t room, void *value, size_t *size_ret)
{
	if (value && room < bytes)
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, from, bytes);
	if (size_ret)
		*size_ret = bytes;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info query, size_t room,
				      void *value, size_t *size_ret)
{
	const struct answer *answer = find_answer(specific, specific_count, query);

	(void)device;
	if (!answer)
		answer = find_answer(common, sizeof(common) / sizeof(common[0]), query);
	if (!answer || query == refused_query)
		return CL_INVALID_VALUE;
	if (answer->text)
		return give(answer->text, strlen(answer->text) + 1, room, value, size_ret);
	return give(&answer->number, answer->bytes, room, value, size_ret);
}

static cl_int CL_API_CALL platform_info(cl_platform_id platform, cl_platform_info query,
					size_t room, void *value, size_t *size_ret)
{
	(void)platform;
	return query == CL_PLATFORM_NAME ? give("a platform", 11, room, value, size_ret)
					 : CL_INVALID_VALUE;
}

static cl_int CL_API_CALL supported_formats(cl_context context, cl_mem_flags flags,
					    cl_mem_object_type type, cl_uint room,
					    cl_image_format *out, cl_uint *count)
{
	cl_uint all = flags & formats_for ? format_count : 0;

	(void)context;
	if (format_code != CL_SUCCESS)
		return format_code;
	/* Of 3D images only the first, of 1D images no answer, of the others none. */
	if (type == CL_MEM_OBJECT_IMAGE1D)
		return CL_INVALID_VALUE;
	if (type != CL_MEM_OBJECT_IMAGE2D)
		all = type == CL_MEM_OBJECT_IMAGE3D && all > 0 ? 1 : 0;
	for (cl_uint i = 0; out && i < all && i < room; i++)
		out[i] = formats[i];
	if (count)
		*count = all;
	return CL_SUCCESS;
}

static const struct berth__caps_calls calls = { platform_info, device_info, supported_formats };

static berth_status query(berth_caps *out, const struct answer *answers, size_t count,
			  bool with_context)
{
	specific = answers;
	specific_count = count;
	return berth__caps_query(out, &calls, NULL, with_context ? (cl_context)&calls : NULL);
}

static void versions_and_images_on_buffers(void)
{
	static const struct {
		const char *name, *version, *extensions;
		bool images;
		int64_t pitch, base; /* -1: the query is refused */
		uint32_t cl_version;
		bool from_buffer;
		uint32_t pitch_align, base_align;
	} cases[] = {
		{ "1.2, queries refused", "OpenCL 1.2 x", "cl_khr_icd", true, -1, -1, 120, false, 0, 0 },
		{ "1.2 with the extension", "OpenCL 1.2 x", "cl_khr_icd cl_khr_image2d_from_buffer",
		  true, 64, 32, 120, true, 64, 32 },
		{ "1.2 with it, queries refused", "OpenCL 1.2", "cl_khr_image2d_from_buffer x", true,
		  -1, -1, 120, true, 1, 1 },
		{ "1.2 with a longer name", "OpenCL 1.2 ", "cl_khr_image2d_from_buffer_x", true, 64, 64,
		  120, false, 0, 0 },
		{ "2.0: mandatory", "OpenCL 2.0 y", "", true, 4, 4, 200, true, 4, 4 },
		{ "2.1, base refused", "OpenCL 2.1 y", "", true, 4, -1, 210, true, 4, 1 },
		{ "3.0 with a pitch", "OpenCL 3.0 y", "", true, 256, 256, 300, true, 256, 256 },
		{ "3.0 without", "OpenCL 3.0 y", "", true, 0, 0, 300, false, 0, 0 },
		{ "no images", "OpenCL 3.0 y", "cl_khr_image2d_from_buffer", false, 64, 64, 300, false,
		  0, 0 },
		{ "not of the form", "Open 3.0", "", true, -1, -1, 100, false, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct answer answers[] = {
			TEXT(CL_DEVICE_VERSION, cases[i].version),
			TEXT(CL_DEVICE_EXTENSIONS, cases[i].extensions),
			NUMBER(CL_DEVICE_IMAGE_SUPPORT, cases[i].images, cl_bool),
			NUMBER(cases[i].pitch >= 0 ? 0x104A : 0, (uint64_t)cases[i].pitch, cl_uint),
			NUMBER(cases[i].base >= 0 ? 0x104B : 0, (uint64_t)cases[i].base, cl_uint),
		};
		berth_caps caps;

		test_case("%s", cases[i].name);
		ASSERT_OK(query(&caps, answers, 5, false));
		ASSERT_INT(caps.cl_version, cases[i].cl_version);
		ASSERT_INT(caps.images, cases[i].images);
		ASSERT_INT(caps.image2d_from_buffer, cases[i].from_buffer);
		ASSERT_INT(caps.image_pitch_align, cases[i].pitch_align);
		ASSERT_INT(caps.image_base_align, cases[i].base_align);
	}
}

static const struct answer plain[] = {
	TEXT(CL_DEVICE_VERSION, "OpenCL 1.2"),
	TEXT(CL_DEVICE_EXTENSIONS, ""),
	NUMBER(CL_DEVICE_IMAGE_SUPPORT, CL_TRUE, cl_bool),
};

static void values(void)
{
	berth_caps caps;

	test_case("plain");
	ASSERT_OK(query(&caps, plain, 3, true));
	ASSERT_STRING(caps.name, "a device");
	ASSERT_STRING(caps.vendor, "a vendor");
	ASSERT_STRING(caps.platform, "a platform");
	ASSERT_STRING(caps.driver_version, "1.2.3");
	ASSERT_STRING(caps.device_version, "OpenCL 1.2");
	ASSERT_INT(caps.global_mem_bytes, INT64_C(8) << 30);
	ASSERT_INT(caps.max_alloc_bytes, INT64_C(2) << 30);
	ASSERT_INT(caps.local_mem_bytes, 32768);
	ASSERT_INT(caps.base_addr_align_bits, 1024);
	ASSERT_INT(caps.cacheline_bytes, 64);
	ASSERT_INT(caps.image2d_max_width, 16384);
	/* not answered, and not needed */
	ASSERT_INT(caps.image2d_max_height, 0);
	ASSERT_INT(caps.svm_caps, 0);
	ASSERT_INT(caps.host_unified, false);
	ASSERT_INT(caps.format_count, 0);
}

static void refusals(void)
{
	static const struct {
		cl_device_info query;
		const char *name;
	} cases[] = {
		{ CL_DEVICE_NAME, "CL_DEVICE_NAME" },
		{ CL_DEVICE_PLATFORM, "CL_DEVICE_PLATFORM" },
		{ CL_DEVICE_EXTENSIONS, "CL_DEVICE_EXTENSIONS" },
		{ CL_DEVICE_MAX_MEM_ALLOC_SIZE, "CL_DEVICE_MAX_MEM_ALLOC_SIZE" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_caps caps = { .name = "untouched" };

		test_case("%s", cases[i].name);
		refused_query = cases[i].query;
		ASSERT_INT(query(&caps, plain, 3, false), BERTH_E_CL);
		ASSERT_INT(berth_error_get()->cl_status, CL_INVALID_VALUE);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].name);
		ASSERT_STRING(caps.name, "untouched");
	}
	refused_query = 0;
}

static void long_strings_are_cut(void)
{
	char name[400];
	struct answer answers[4] = { plain[0], plain[1], plain[2], TEXT(CL_DEVICE_NAME, name) };
	berth_caps caps;

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	test_case("399 characters");
	ASSERT_OK(query(&caps, answers, 4, false));
	ASSERT_INT(strlen(caps.name), sizeof(caps.name) - 1);
}

static void image_formats(void)
{
	static const cl_image_format three[] = {
		{ CL_RGBA, CL_UNORM_INT8 },
		{ 0x410E, CL_UNORM_INT8 }, /* a vendor's: not in the specification */
		{ CL_R, CL_FLOAT },
		{ CL_RGBA, CL_UNORM_INT8 }, /* twice: drivers do that */
	};
	berth_caps caps;

	formats = three;
	format_count = 4;
	formats_for = CL_MEM_READ_ONLY | CL_MEM_READ_WRITE;
	test_case("merged by access");
	ASSERT_OK(query(&caps, plain, 3, true));
	ASSERT_INT(caps.format_count, 2);
	ASSERT_INT(caps.formats[0].order, CL_RGBA);
	ASSERT_INT(caps.formats[0].access,
		   BERTH_FORMAT_BITS(BERTH_FORMAT_2D, BERTH_FORMAT_READ | BERTH_FORMAT_READ_WRITE) |
			   BERTH_FORMAT_BITS(BERTH_FORMAT_3D,
					     BERTH_FORMAT_READ | BERTH_FORMAT_READ_WRITE));
	ASSERT_INT(caps.formats[1].type, CL_FLOAT);
	ASSERT_INT(caps.formats[1].access, BERTH_FORMAT_READ | BERTH_FORMAT_READ_WRITE);

	test_case("without a context they are not known");
	ASSERT_OK(query(&caps, plain, 3, false));
	ASSERT_INT(caps.format_count, 0);

	test_case("refused: not known");
	format_code = CL_INVALID_CONTEXT;
	ASSERT_OK(query(&caps, plain, 3, true));
	ASSERT_INT(caps.format_count, 0);
	format_code = CL_SUCCESS;
}

int main(void)
{
	static const struct test tests[] = {
		{ "versions and images on buffers", versions_and_images_on_buffers },
		{ "values", values },
		{ "refusals", refusals },
		{ "long strings are cut", long_strings_are_cut },
		{ "image formats", image_formats },
		{ NULL, NULL },
	};

	return test_main("caps_query", tests);
}
