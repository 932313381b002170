/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What people reported about their programs, as small traces with the reporters' numbers, and
 * the finding that each of them needed. The reports are named by where they are to be read.
 */
#include "test_main.h"

#include "finding_story.h"

#include <stdio.h>

#include <CL/cl.h>

#define ROOMY "global_mem_bytes = 8589934592, max_alloc_bytes = 4294967296"
#define ADRENO_643L                                                                                \
	"base_addr_align_bits = 1024, image2d_from_buffer = 1, image_pitch_align = 64,"            \
	" image_base_align = 64, pitch_unit = 0"

/*
 * ggml-org/llama.cpp pull request 12197: an alignment of 1024 bits taken for bytes. Tensors of 100
 * bytes stand 1024 bytes apart, where 128 would do: 896 are lost between each two of five.
 */
static void bits_as_bytes(void)
{
	story_buffer(1, 8192, 0);
	for (uint64_t i = 0; i < 5; i++)
		story_subbuffer(2 + i, 1, i * 1024, 100);
}

/* The same offsets, with weights that fill them. */
static void full_offsets(void)
{
	story_buffer(1, 8192, 0);
	for (uint64_t i = 0; i < 5; i++)
		story_subbuffer(2 + i, 1, i * 1024, 1000);
}

/* PaddlePaddle/Paddle-Lite issue 7770: 9072 x 320 on a device of 8192 x 8192. */
static void wide_image(void)
{
	story_image(1, 9072, 320, 0, 0)->result.cl_status = CL_INVALID_IMAGE_SIZE;
}

/* tinygrad/tinygrad issue 3264: 18560 x 16 on 16384 x 16384. */
static void wider_image(void)
{
	story_image(1, 18560, 16, 0, 0)->result.cl_status = CL_INVALID_IMAGE_SIZE;
}

/* llama.cpp pull request 14403: one buffer of 1664 MB where 1024 MB are allowed. */
static void graph_buffer(void)
{
	story_buffer(1, 1664 * MIB, 0)->result.cl_status = CL_INVALID_BUFFER_SIZE;
}

/* toaarnio/webcl-firefox issue 65: a parent of 128 bytes, origin 64, where 128 are wanted. */
static void misaligned_origin(void)
{
	story_buffer(1, 128, 0);
	story_subbuffer(2, 1, 64, 64);
}

/* openwall/john issue 5402: 8192 MB asked of 8119 MB, answered with success. */
static void over_memory(void)
{
	story_buffer(1, 8192 * MIB, 0);
	story_use(1, BERTH_ACCESS_WRITE)->result.cl_status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
	story_release(1);
}

/*
 * inducer/pyopencl issue 277: 3048 bytes asked, 3071 given, and worse: of 2985 MiB 613 are
 * padding. Here in KiB, as five buffers of 597 KiB of which 474.4 KiB are filled: 613 of 2985.
 */
static void pool_rounding(void)
{
	for (uint64_t id = 1; id <= 5; id++) {
		story_buffer(id, 597 * 1024, CL_MEM_READ_ONLY);
		story_write(id, 597 * 1024 - 125543, 0); /* 613 x 1024 / 5, rounded up */
	}
	for (uint64_t id = 1; id <= 5; id++)
		story_use(id, 0);
	for (uint64_t id = 1; id <= 5; id++)
		story_release(id);
}

/* A kernel may write the end: nobody knows what it is for. */
static void written_by_kernels(void)
{
	for (uint64_t id = 1; id <= 5; id++) {
		story_buffer(id, 597 * 1024, 0);
		story_write(id, 470 * 1024, 0);
		story_use(id, 0);
	}
	for (uint64_t id = 1; id <= 5; id++)
		story_release(id);
}

/*
 * Adreno 643L (llama.cpp issue 11953): an image of half-float RGBA, 100 x 33, packed 26400 bytes,
 * takes 33792: 33 rows of 1024. Ten of them lose 10 x 7392.
 */
static void pitch_padding(void)
{
	for (uint64_t id = 1; id <= 10; id++)
		story_image(id, 100, 33, 0, 0);
	for (uint64_t id = 1; id <= 10; id++)
		story_release(id);
}

/* 128 pixels of 8 bytes are a multiple of 64 pixels: no byte lost. */
static void no_padding(void)
{
	for (uint64_t id = 1; id <= 10; id++)
		story_image(id, 128, 33, 0, 0);
	for (uint64_t id = 1; id <= 10; id++)
		story_release(id);
}

/* Oblomov/clinfo pull request 26: the unit is pixels. 800 bytes rounded to 64 bytes are 832, to 64 pixels 1024. */
static void pitch_as_bytes(void)
{
	story_buffer(1, 33792, 0);
	story_image(2, 100, 33, 1, 832);
}

static void pitch_in_pixels(void)
{
	story_buffer(1, 33792, 0);
	story_image(2, 100, 33, 1, 1024);
}

/* ggml-org/llama.cpp issue 11953: 311,164,928 bytes where 268,435,456 are allowed. */
static void scratch_over_limit(void)
{
	story_buffer(1, 311164928, 0)->result.cl_status = CL_INVALID_BUFFER_SIZE;
	story_buffer(2, 38895616, 0);
	story_buffer(3, 45088768, 0);
}

/* abetlen/llama-cpp-python issue 1381: -61 at 524,288,000 bytes, and no size anywhere. */
static void refused_size(void)
{
	story_buffer(1, 1000000, 0);
	story_buffer(2, 524288000, 0)->result.cl_status = CL_INVALID_BUFFER_SIZE;
}

/* google-ai-edge/LiteRT-LM issue 3507: weights of 684.4 MB and 96.0 MB, in one memory with their sources. */
static void weights_twice(void)
{
	story_buffer(1, 684400000, CL_MEM_READ_ONLY);
	story_write(1, 684400000, 1);
	story_buffer(2, 96000000, CL_MEM_READ_ONLY);
	story_write(2, 96000000, 2);
	for (int i = 0; i < 2; i++) {
		story_use(1, 0);
		story_use(2, 0);
	}
	story_release(1);
	story_release(2);
}

/* The same on memory of the host: no second copy. */
static void weights_imported(void)
{
	story_buffer(1, 684400000, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR)->op.host_address = 0x10000;
	story_use(1, 0);
	story_use(1, 0);
	story_release(1);
}

/* intel/compute-runtime issue 598: zero copy expected, copies seen. */
static void misaligned_pointer(void)
{
	story_buffer(1, MIB, CL_MEM_USE_HOST_PTR)->op.host_address = 0x10010;
	story_release(1);
}

static void aligned_pointer(void)
{
	story_buffer(1, MIB, CL_MEM_USE_HOST_PTR)->op.host_address = 0x10000;
	story_release(1);
}

static void copied_though_mappable(void)
{
	story_buffer(1, MIB, CL_MEM_ALLOC_HOST_PTR);
	story_write(1, MIB, 0);
	story_read(1, MIB, BERTH_OP_BLOCKING);
	story_release(1);
}

/* alibaba/MNN issue 3692: 700 ms for a tensor of 1 x 512 floats. 2048 bytes explain 2048 ns and a call. */
static void slow_read(bool waited)
{
	story_buffer(1, 2048, 0);
	story_use(1, BERTH_ACCESS_WRITE);
	if (waited)
		story_sync();
	story_read(1, 2048, BERTH_OP_BLOCKING)->result.duration_ns = 700 * STORY_MS;
	story_release(1);
}

static void read_waits(void)
{
	slow_read(false);
}

static void read_after_wait(void)
{
	slow_read(true);
}

/* KhronosGroup/OpenCL-CLHPP issue 32: a parent goes before its sub-buffer, which is then used. Legal. */
static void parent_first(void)
{
	story_buffer(1, MIB, 0);
	story_subbuffer(2, 1, 0, MIB);
	story_release(1);
	story_use(2, BERTH_ACCESS_WRITE);
	story_release(2);
}

/* And a use of the parent when both are gone. */
static void parent_gone(void)
{
	parent_first();
	story_write(1, 64, 0);
}

/* pocl/pocl issue 647: a second release. */
static void double_release(void)
{
	story_buffer(1, 64, 0);
	story_release(1);
	story_release(1)->result.cl_status = CL_INVALID_MEM_OBJECT;
}

/* One that the driver did not survive. */
static void deadly_release(void)
{
	story_buffer(1, 64, 0);
	story_release(1);
	story_release(BERTH_ID_UNKNOWN)->answered = false;
}

/* ffmpeg's sobel filter: NULL, four times. */
static void release_of_null(void)
{
	for (int i = 0; i < 4; i++)
		story_release(BERTH_ID_NONE)->result.cl_status = CL_INVALID_MEM_OBJECT;
}

/* A reference more is no double release. */
static void retained(void)
{
	story_buffer(1, 64, 0);
	story_add(&(berth_op){ .kind = BERTH_OP_RETAIN, .object = 1 });
	story_release(1);
	story_release(1);
}

/* inducer/pyopencl issue 89: 19,998 creates and releases; here 999. */
static void balanced(void)
{
	for (uint64_t id = 1; id <= 999; id++) {
		story_buffer(id, 64, 0);
		story_release(id);
	}
}

/* Nothing at all. */
static void clean(void)
{
	story_buffer(1, MIB, 0);
	story_write(1, MIB, 1);
	story_use(1, BERTH_ACCESS_WRITE);
	story_read(1, MIB, BERTH_OP_BLOCKING);
	story_release(1);
}

struct user_case {
	const char *name;
	void (*build)(void);
	const char *device_sql;
	const char *rule; /* NULL: none at all */
	bool found;
	uint64_t count, bytes;
	const char *text; /* a part of it */
};

/* clang-format off */
static const struct user_case cases[] = {
	{ "bits as bytes", bits_as_bytes, ADRENO_643L, "F-ALIGN-UNIT", true, 4, 4 * 896, "1024 bytes, 8 times the 128 " },
	{ "bits as bytes, on a device that needs it", bits_as_bytes, "base_addr_align_bits = 8192", "F-ALIGN-UNIT", false, 0, 0, NULL },
	{ "offsets that are full", full_offsets, ADRENO_643L, "F-ALIGN-UNIT", false, 0, 0, NULL },
	{ "9072 x 320", wide_image, "image2d_max_width = 8192, image2d_max_height = 8192", "F-OVER-LIMIT", true, 1, 0, "width of a 2D image goes up to 9072 in 1 calls, first at op 1; Fixture GPU allows 8192: 880 too many" },
	{ "9072 x 320 on 16384", wide_image, "image2d_max_width = 16384, image2d_max_height = 16384", "F-OVER-LIMIT", false, 0, 0, NULL },
	{ "18560 x 16", wider_image, "image2d_max_width = 16384, image2d_max_height = 16384", "F-OVER-LIMIT", true, 1, 0, "2176 too many" },
	{ "8192 of 8119 MB", over_memory, "global_mem_bytes = 8119 * 1048576, max_alloc_bytes = 8119 * 1048576", "F-OVER-MEMORY", true, 1, 8192 * MIB, "op 1" },
	{ "8192 of 8119 MB, seen at the kernel", over_memory, "global_mem_bytes = 8119 * 1048576, max_alloc_bytes = 8119 * 1048576", "F-REFUSED", true, 1, 0, "use at op 2, with CL_MEM_OBJECT_ALLOCATION_FAILURE" },
	/* 5 x 125543, of 5 x 597 KiB = 3056640 */
	{ "613 of 2985 are padding", pool_rounding, NULL, "F-ROUNDING", true, 5, 627715, "of the 3056640 bytes" },
	{ "kernels may write the end", written_by_kernels, NULL, "F-ROUNDING", false, 0, 0, NULL },
	{ "rows of 800 bytes take 1024", pitch_padding, ADRENO_643L, "F-PAD", true, 10, 10 * 7392, "of the 337920 bytes" },
	{ "rows of 1024 bytes take 1024", no_padding, ADRENO_643L, "F-PAD", false, 0, 0, NULL },
	/* 33 rows, 1024 - 832 */
	{ "a pitch of 832", pitch_as_bytes, ADRENO_643L, "F-PITCH-UNIT", true, 1, 33 * 192, "multiples of 64 bytes" },
	{ "a pitch of 1024", pitch_in_pixels, ADRENO_643L, "F-PITCH-UNIT", false, 0, 0, NULL },
	{ "a pitch of 832 on a device that counts bytes", pitch_as_bytes, "image_pitch_align = 64, pitch_unit = 1", "F-PITCH-UNIT", false, 0, 0, NULL },
	{ "no images on buffers", pitch_as_bytes, "image2d_from_buffer = 0, image_pitch_align = 0, image_base_align = 0", "F-PITCH-UNIT", false, 0, 0, NULL },
	{ "scratch over the limit", scratch_over_limit, "max_alloc_bytes = 268435456, global_mem_bytes = 1073741824", "F-OVER-LIMIT", true, 1, 311164928, "311164928 bytes (296.8 MiB) in 1 calls, first at op 1; Fixture GPU allows 268435456 bytes (256.0 MiB): 42729472 bytes (40.8 MiB) too many" },
	{ "1664 of 1024 MB", graph_buffer, "max_alloc_bytes = 1073741824, global_mem_bytes = 4294967296", "F-OVER-LIMIT", true, 1, 1664 * MIB, "671088640 bytes (640.0 MiB) too many" },
	{ "origin 64 on 64", misaligned_origin, "base_addr_align_bits = 512", "F-MISALIGNED", false, 0, 0, NULL },
	{ "origin 64 on 128", misaligned_origin, "base_addr_align_bits = 1024", "F-MISALIGNED", true, 1, 64, "at op 2, at 64: the next that is legal is 128" },
	{ "origin 64 on 256", misaligned_origin, "base_addr_align_bits = 2048", "F-MISALIGNED", true, 1, 64, "the next that is legal is 256" },
	{ "origin 64 on 2048", misaligned_origin, "base_addr_align_bits = 16384", "F-MISALIGNED", true, 1, 64, "the next that is legal is 2048" },
	{ "a size with its error", refused_size, ROOMY, "F-REFUSED", true, 1, 524288000, "buffer_create at op 2, with CL_INVALID_BUFFER_SIZE: it asked for 524288000 bytes (500.0 MiB) while 1000000 bytes (976.6 KiB) were alive; the device gives 4294967296 bytes" },
	{ "weights twice", weights_twice, ROOMY ", host_unified = 1", "F-SAME-TWICE", true, 2, 780400000, "1560800000 bytes" },
	{ "weights on a device of its own", weights_twice, ROOMY ", host_unified = 0", "F-SAME-TWICE", false, 0, 0, NULL },
	{ "weights imported", weights_imported, ROOMY ", host_unified = 1", "F-SAME-TWICE", false, 0, 0, NULL },
	{ "a pointer that is not aligned", misaligned_pointer, "host_unified = 1", "F-ZERO-COPY", true, 1, MIB, "no multiple of 4096" },
	{ "a pointer that is", aligned_pointer, "host_unified = 1", NULL, false, 0, 0, NULL },
	{ "copies of what can be mapped", copied_though_mappable, "host_unified = 1", "F-ZERO-COPY", true, 2, 2 * MIB, "bus traffic" },
	{ "copies over a bus", copied_though_mappable, "host_unified = 0", "F-ZERO-COPY", false, 0, 0, NULL },
	{ "700 ms for 2 KiB", read_waits, NULL, "F-READ-WAITS", true, 1, 2048, "took 700.000 ms, of which moving the bytes explains 0.102 ms; 1 commands" },
	{ "700 ms for 2 KiB after a wait", read_after_wait, NULL, "F-READ-WAITS", false, 0, 0, NULL },
	{ "a parent released first", parent_first, NULL, NULL, false, 0, 0, NULL },
	{ "a parent that is gone", parent_gone, NULL, "F-USE-AFTER-END", true, 1, 64, "1 were accepted" },
	{ "a second release", double_release, NULL, "F-DOUBLE-RELEASE", true, 1, 0, "first at op 3" },
	{ "a second release that kills", deadly_release, NULL, "F-DOUBLE-RELEASE", true, 1, 0, "0 were accepted, in 1 the process ended" },
	{ "a release of NULL", release_of_null, NULL, "F-RELEASE-NULL", true, 4, 0, "no double release" },
	{ "a release of NULL is no double release", release_of_null, NULL, "F-DOUBLE-RELEASE", false, 0, 0, NULL },
	{ "a reference more", retained, NULL, NULL, false, 0, 0, NULL },
	{ "balanced", balanced, NULL, "F-BALANCED", true, 999, 0, "999 objects were made and 999 released" },
	{ "nothing to say", clean, NULL, NULL, false, 0, 0, NULL },
};
/* clang-format on */

static void check_case(const struct user_case *one, const berth_findings *findings)
{
	const berth_finding *finding = one->rule ? story_rule(findings, one->rule)
						 : berth_findings_at(findings, 0);

	ASSERT_INT(finding != NULL, one->found);
	if (!finding || !one->found)
		return;
	ASSERT_INT(finding->count, one->count);
	ASSERT_INT(finding->bytes, one->bytes);
	ASSERT_CONTAINS(finding->text, one->text);
}

static void all_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_findings *findings;

		test_case("%s", cases[i].name);
		story_begin();
		cases[i].build();
		findings = story_find(cases[i].device_sql, NULL);
		check_case(&cases[i], findings);
		berth_findings_free(findings);
	}
}

/* What fits where it was recorded, and not on the device that is asked for. */
static void on_another_device(void)
{
	berth_findings *findings;
	berth_caps caps;

	berth_caps_init_minimum(&caps, 300);
	caps.image2d_max_width = 8192;
	caps.image2d_max_height = 8192;
	snprintf(caps.name, sizeof(caps.name), "Small GPU");
	story_begin();
	story_image(1, 9072, 320, 0, 0);
	story_release(1);
	findings = story_find("image2d_max_width = 16384, image2d_max_height = 16384", NULL);
	ASSERT_INT(berth_findings_count(findings), 0);
	berth_findings_free(findings);
	findings = story_find("image2d_max_width = 16384, image2d_max_height = 16384", &caps);
	ASSERT_INT(berth_findings_count(findings), 1);
	ASSERT_CONTAINS(berth_findings_at(findings, 0)->text, "Small GPU allows 8192: 880 too many");
	berth_findings_free(findings);
}

int main(void)
{
	static const struct test tests[] = {
		{ "what people reported", all_cases },
		{ "on another device", on_another_device },
		{ NULL, NULL },
	};

	return test_main("findings, reported cases", tests);
}
