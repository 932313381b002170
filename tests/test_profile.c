/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles: the built-in ones against their sources, wrong files with place and reason. */
#include "test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CL/cl.h>

#include <berth/sim.h>

#define MIB (UINT64_C(1) << 20)

/* From the sources that the profiles name. */
static void builtin_values(void)
{
	static const struct {
		const char *name;
		uint64_t global, max_alloc, width, buffer_px, capacity;
		uint32_t cl_version, base_bits, pitch_align;
		bool unified;
		berth_commit commit;
	} cases[] = {
		{ "spec-minimum", 128 * MIB, 32 * MIB, 16384, 65536, 128 * MIB, 300, 1024, 1,
		  false, BERTH_COMMIT_CREATE },
		{ "adreno-650", 3992293376, 998073344, 16384, 134217728, 3992293376, 200, 1024, 64,
		  true, BERTH_COMMIT_CREATE },
		{ "mali-g610", 8055664640, 8055664640, 65536, 65536, 8055664640, 210, 1024, 64,
		  true, BERTH_COMMIT_CREATE },
		{ "intel-uhd", 6225420288, 3112710144, 16384, 194544384, 6225420288, 300, 1024, 4,
		  true, BERTH_COMMIT_CREATE },
		{ "intel-uhd-630", 1610612736, 402653184, 16384, 25165824, 1610612736, 120, 1024,
		  32, true, BERTH_COMMIT_CREATE },
		{ "amd-gfx1100", 25753026560, 21890072576, 16384, 134217728, 25753026560, 200, 1024,
		  256, false, BERTH_COMMIT_CREATE },
		{ "apple-m1", 11453251584, 2147483648, 16384, 268435456, 11453251584, 120, 32768,
		  256, true, BERTH_COMMIT_CREATE },
		{ "nvidia-h200", 150109880320, 37527470080, 32768, 268435456, 149554200576, 300,
		  4096, 0, false, BERTH_COMMIT_FIRST_USE },
	};
	size_t count = sizeof(cases) / sizeof(cases[0]);
	berth_profile profile;

	CU_ASSERT(berth_profile_builtin_count() >= 26); /* 25 devices, and the minimum */
	for (size_t i = 0; i < count; i++) {
		test_case("%s", cases[i].name);
		ASSERT_OK(berth_profile_load(&profile, cases[i].name));
		ASSERT_STRING(profile.name, cases[i].name);
		ASSERT_INT(profile.caps.global_mem_bytes, cases[i].global);
		ASSERT_INT(profile.caps.max_alloc_bytes, cases[i].max_alloc);
		ASSERT_INT(profile.caps.image2d_max_width, cases[i].width);
		ASSERT_INT(profile.caps.image_max_buffer_px, cases[i].buffer_px);
		ASSERT_INT(profile.memory.capacity_bytes, cases[i].capacity);
		ASSERT_INT(profile.caps.cl_version, cases[i].cl_version);
		ASSERT_INT(profile.caps.base_addr_align_bits, cases[i].base_bits);
		ASSERT_INT(profile.caps.image_pitch_align, cases[i].pitch_align);
		ASSERT_INT(profile.caps.image2d_from_buffer, cases[i].pitch_align != 0);
		ASSERT_INT(profile.caps.host_unified, cases[i].unified);
		ASSERT_INT(profile.memory.commit, cases[i].commit);
	}
	ASSERT_STRING(berth_profile_builtin_name(berth_profile_builtin_count()), NULL);
	ASSERT_STRING(berth_profile_builtin_text("no-such"), NULL);
}

/* Each loads, is named as its file, and is no other one's device again. */
static void builtin_names(void)
{
	static berth_profile profile;
	size_t count = berth_profile_builtin_count();
	char (*devices)[128] = calloc(count, sizeof(*devices));

	for (size_t i = 0; i < count; i++) {
		test_case("%s", berth_profile_builtin_name(i));
		ASSERT_OK(berth_profile_load(&profile, berth_profile_builtin_name(i)));
		ASSERT_STRING(profile.name, berth_profile_builtin_name(i));
		CU_ASSERT(strlen(profile.source) > 0);
		memcpy(devices[i], profile.caps.name, sizeof(devices[i]));
		for (size_t j = 0; j < i; j++)
			CU_ASSERT(strcmp(devices[i], devices[j]) != 0);
	}
	free(devices);
}

/* Every value says where it comes from: a comment line above it, with only keys between. */
static void builtin_sources(void)
{
	for (size_t i = 0; i < berth_profile_builtin_count(); i++) {
		const char *name = berth_profile_builtin_name(i);
		char *text = strdup(berth_profile_builtin_text(name)), *rest = text, *line;
		bool explained = false;

		while ((line = strsep(&rest, "\n"))) {
			test_case("%s: %s", name, line);
			if (*line == '#')
				explained = true;
			else if (!*line || *line == '[')
				explained = false;
			else
				CU_ASSERT(explained);
		}
		free(text);
	}
}

/* The specification's own minimum, as a file and as berth_caps_init_minimum() gives it. */
static void minimum_is_minimum(void)
{
	berth_profile profile;
	berth_caps minimum;

	ASSERT_OK(berth_profile_load(&profile, "spec-minimum"));
	berth_caps_init_minimum(&minimum, 300);
	memcpy(minimum.name, profile.caps.name, sizeof(minimum.name));
	memcpy(minimum.vendor, profile.caps.vendor, sizeof(minimum.vendor));
	memcpy(minimum.device_version, profile.caps.device_version, sizeof(minimum.device_version));
	memcpy(minimum.driver_version, profile.caps.driver_version, sizeof(minimum.driver_version));
	ASSERT_INT(profile.caps.max_alloc_bytes, minimum.max_alloc_bytes);
	ASSERT_INT(profile.caps.local_mem_bytes, minimum.local_mem_bytes);
	ASSERT_INT(profile.caps.image2d_max_width, minimum.image2d_max_width);
	ASSERT_INT(profile.caps.image3d_max_depth, minimum.image3d_max_depth);
	ASSERT_INT(profile.caps.image_max_array, minimum.image_max_array);
	ASSERT_INT(profile.caps.image_pitch_align, minimum.image_pitch_align);
	ASSERT_INT(profile.caps.image_base_align, minimum.image_base_align);
	ASSERT_INT(profile.caps.format_count, minimum.format_count);
	CU_ASSERT_EQUAL(memcmp(&profile.caps, &minimum, sizeof(minimum)), 0);
}

/* A scratch folder with one profile in it. */
struct scratch {
	char folder[64];
	char file[96];
};

static void scratch_make(struct scratch *scratch, const char *text, size_t bytes)
{
	FILE *file;

	strcpy(scratch->folder, "/tmp/berth-test-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(scratch->folder));
	snprintf(scratch->file, sizeof(scratch->file), "%s/p.ini", scratch->folder);
	file = fopen(scratch->file, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	ASSERT_INT(fwrite(text, 1, bytes, file), bytes);
	fclose(file);
}

static void scratch_remove(struct scratch *scratch)
{
	unlink(scratch->file);
	rmdir(scratch->folder);
}

/* The least that a profile must say, in 3 + 5 + 2 lines. */
#define HEAD "[profile]\nname = p\nsource = a test\n"
#define CAPS                                                                                       \
	"[caps]\ncl_version = 3.0\nglobal_mem_bytes = 1000\nmax_alloc_bytes = 500\n"                \
	"base_addr_align_bits = 1024\n"
#define MEMORY "[memory]\ncapacity_bytes = 900\n"

static void file_values(void)
{
	static const char good[] = "\xef\xbb\xbf# a comment\n" HEAD
				   "[caps]\r\n  cl_version = 2.0\n\n"
				   "global_mem_bytes = 3 GiB\nmax_alloc_bytes = 512 MiB\n"
				   "base_addr_align_bits=512\nsvm_caps = coarse  fine\n"
				   "pitch_unit = bytes\nimage_pitch_align = 64\nvendor = A B ; c\n"
				   "[formats]\nRGBA UNORM_INT8 = read write\n"
				   "CL_R CL_FLOAT = read_write\nA FLOAT = all.read 3d.write\n"
				   "[memory]\ncapacity_bytes = 900\ngranularity_bytes = 4 KiB\n"
				   "commit = first_use\nout_of_memory_code = CL_OUT_OF_RESOURCES";
	struct scratch scratch;
	berth_profile p;

	scratch_make(&scratch, good, strlen(good));
	ASSERT_OK(berth_profile_load(&p, scratch.file));
	ASSERT_STRING(p.name, "p");
	ASSERT_STRING(p.source, "a test");
	ASSERT_STRING(p.caps.name, "p");
	ASSERT_STRING(p.caps.vendor, "A B");
	ASSERT_INT(p.caps.cl_version, 200);
	ASSERT_INT(p.caps.global_mem_bytes, UINT64_C(3) << 30);
	ASSERT_INT(p.caps.max_alloc_bytes, 512 * MIB);
	ASSERT_INT(p.caps.base_addr_align_bits, 512);
	ASSERT_INT(p.caps.svm_caps,
		   CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
	ASSERT_INT(p.caps.pitch_unit, BERTH_PITCH_UNIT_BYTES);
	ASSERT_INT(p.caps.image_pitch_align, 64);
	/* not in the file: the minimum of OpenCL 2.0 */
	ASSERT_INT(p.caps.image2d_max_width, 16384);
	ASSERT_INT(p.caps.format_count, 3);
	ASSERT_INT(p.caps.formats[0].order, CL_RGBA);
	ASSERT_INT(p.caps.formats[0].access, BERTH_FORMAT_READ | BERTH_FORMAT_WRITE);
	ASSERT_INT(p.caps.formats[1].type, CL_FLOAT);
	/* 1 for each of six types; write is 2, and 3D the sixth type. */
	ASSERT_INT(p.caps.formats[2].access, 0x311111);
	ASSERT_INT(p.memory.granularity_bytes, 4096);
	ASSERT_INT(p.memory.image_row_align_bytes, 1);
	ASSERT_INT(p.memory.commit, BERTH_COMMIT_FIRST_USE);
	ASSERT_INT(p.memory.out_of_memory_code, CL_OUT_OF_RESOURCES);
	scratch_remove(&scratch);
}

/* What follows HEAD is in line 4, what follows CAPS in line 9, what follows MEMORY in line 11. */
static void wrong_files(void)
{
	static const struct {
		const char *name, *text;
		const char *place;   /* "p.ini:LINE: ..." */
		const char *allowed; /* in the message as well */
	} cases[] = {
		{ "not a number", HEAD CAPS "[memory]\ncapacity_bytes = lots\n",
		  "p.ini:10: capacity_bytes = 'lots'", "a whole number from 1 to" },
		{ "negative", HEAD CAPS "[memory]\ncapacity_bytes = -1\n",
		  "p.ini:10: capacity_bytes = '-1'", "from 1 to" },
		{ "zero", HEAD CAPS "[memory]\ncapacity_bytes = 0\n",
		  "p.ini:10: capacity_bytes = '0'", "from 1 to 18446744073709551615" },
		{ "unknown unit", HEAD CAPS "[memory]\ncapacity_bytes = 1 MB\n",
		  "p.ini:10: capacity_bytes = '1 MB'", "KiB, MiB or GiB" },
		{ "over 64 bits", HEAD CAPS "[memory]\ncapacity_bytes = 18446744073709551616\n",
		  "p.ini:10: capacity_bytes", "to 18446744073709551615" },
		{ "over 64 bits with its unit", HEAD CAPS "[memory]\ncapacity_bytes = 17179869184 GiB\n",
		  "p.ini:10: capacity_bytes", "to 18446744073709551615" },
		{ "over 32 bits", HEAD CAPS MEMORY "image_row_align_bytes = 4294967296\n",
		  "p.ini:11: image_row_align_bytes", "from 1 to 4294967295" },
		{ "a unit without bytes", HEAD CAPS "image_max_array = 1 KiB\n",
		  "p.ini:9: image_max_array = '1 KiB'", "a whole number" },
		{ "not a power of two", HEAD CAPS "image_pitch_align = 48\n",
		  "p.ini:9: image_pitch_align = '48'", "a power of two" },
		{ "alignment below a byte",
		  HEAD "[caps]\nbase_addr_align_bits = 4\ncl_version = 3.0\nglobal_mem_bytes = 1\n"
		       "max_alloc_bytes = 1\n" MEMORY,
		  "p.ini:5: base_addr_align_bits = '4'", "a power of two from 8 to 4294967295" },
		{ "no such version", HEAD "[caps]\ncl_version = 4.0\n",
		  "p.ini:5: cl_version = '4.0'", "one of 1.0 1.1 1.2 2.0 2.1 2.2 3.0 3.1" },
		{ "no such word", HEAD CAPS MEMORY "commit = later\n",
		  "p.ini:11: commit = 'later'", "one of create first_use" },
		{ "no such flag", HEAD CAPS "svm_caps = coarse rough\n",
		  "p.ini:9: svm_caps = 'coarse rough'", "one or more of none coarse fine" },
		{ "not yes or no", HEAD CAPS "images = true\n",
		  "p.ini:9: images = 'true'", "yes or no" },
		{ "no text", "[profile]\nname =\nsource = s\n" CAPS MEMORY, "p.ini:2: name = ''",
		  "text of 1 to 63 bytes" },
		{ "text too long",
		  "[profile]\nsource = s\n" CAPS MEMORY
		  "[profile]\nname = 0123456789012345678901234567890123456789012345678901234567890123\n",
		  "p.ini:11: name = '0123", "text of 1 to 63 bytes" },
		{ "unknown key", HEAD CAPS "colour = red\n",
		  "p.ini:9: key 'colour' is not known in section [caps]", "" },
		{ "key of another section", HEAD "capacity_bytes = 1\n",
		  "p.ini:4: key 'capacity_bytes' is not known in section [profile]", "" },
		{ "key before any section", "name = p\n",
		  "p.ini:1: key 'name' is not known in section []", "" },
		{ "unknown section", HEAD CAPS "[colours]\nx = 1\n",
		  "p.ini:9: section [colours] is not known", "profile, caps, formats, memory, deviations, order" },
		{ "unknown section without keys", HEAD CAPS MEMORY "\n[colours]\n",
		  "p.ini:12: section [colours] is not known", "" },
		{ "twice", HEAD CAPS MEMORY "# again\ncapacity_bytes = 800\n",
		  "p.ini:12: 'capacity_bytes' stands twice, first in line 10", "" },
		{ "missing", HEAD CAPS, "p.ini:8: 'capacity_bytes' is missing in section [memory]", "" },
		{ "no assignment", HEAD CAPS MEMORY "nonsense\n",
		  "p.ini:11: not a line of a profile", "key = value" },
		{ "section without its end", HEAD "[caps\n", "p.ini:4: ", "" },
		{ "continued line is a line", HEAD CAPS MEMORY "   more\n",
		  "p.ini:11: not a line of a profile", "" },
		{ "format that is none", HEAD CAPS "[formats]\nRGBA UNORM_SHORT_565 = read\n",
		  "p.ini:10: 'RGBA UNORM_SHORT_565' is not an image format", "a channel order and" },
		{ "format without a type", HEAD CAPS "[formats]\nRGBA = read\n",
		  "p.ini:10: 'RGBA' is not an image format", "" },
		{ "format access", HEAD CAPS "[formats]\nRGBA FLOAT = readable\n",
		  "p.ini:10: RGBA FLOAT = 'readable'", "one or more of read write read_write" },
		{ "unknown formats", HEAD CAPS "[formats]\nunknown = refuse\n",
		  "p.ini:10: unknown = 'refuse'", "allowed is accept" },
		{ "unknown formats that are listed",
		  HEAD CAPS "[formats]\nunknown = accept\nR FLOAT = read\n", "p.ini:11: formats",
		  "unknown (line 10) cannot be listed (line 11)" },
		{ "format twice", HEAD CAPS "[formats]\nRGBA FLOAT = read\nCL_RGBA FLOAT = write\n",
		  "p.ini:11: 'CL_RGBA FLOAT' stands twice", "" },
		{ "empty file", "", "p.ini:1: 'cl_version' is missing in section [caps]", "" },
	};
	struct scratch scratch;
	berth_profile profile, before;

	memset(&before, 0x5a, sizeof(before));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		test_case("%s", cases[i].name);
		scratch_make(&scratch, cases[i].text, strlen(cases[i].text));
		profile = before;
		ASSERT_INT(berth_profile_load(&profile, scratch.file), BERTH_E_FORMAT);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].place);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].allowed);
		CU_ASSERT_EQUAL(memcmp(&profile, &before, sizeof(profile)), 0);
		scratch_remove(&scratch);
	}
}

static void long_lines(void)
{
	static const struct {
		const char *name;
		size_t bytes;
		berth_status status;
	} cases[] = {
		{ "the longest", 197, BERTH_OK },
		{ "one byte more", 198, BERTH_E_FORMAT },
		{ "much more", 5000, BERTH_E_FORMAT },
	};
	struct scratch scratch;
	berth_profile profile;
	char text[6000];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t start = strlen(HEAD CAPS MEMORY);

		test_case("%s", cases[i].name);
		strcpy(text, HEAD CAPS MEMORY);
		memset(text + start, '#', cases[i].bytes);
		strcpy(text + start + cases[i].bytes, "\n");
		scratch_make(&scratch, text, strlen(text));
		ASSERT_INT(berth_profile_load(&profile, scratch.file), cases[i].status);
		if (cases[i].status != BERTH_OK)
			ASSERT_CONTAINS(berth_error_get()->message, "p.ini:11: the line has");
		scratch_remove(&scratch);
	}
}

static void unreadable(void)
{
	struct scratch scratch;
	berth_profile profile;

	test_case("no such name");
	ASSERT_INT(berth_profile_load(&profile, "geforce-256"), BERTH_E_NOT_FOUND);
	ASSERT_CONTAINS(berth_error_get()->message, "geforce-256");
	ASSERT_CONTAINS(berth_error_get()->message, "berth devices");
	test_case("no such file");
	ASSERT_INT(berth_profile_load(&profile, "no-such-file.ini"), BERTH_E_IO);
	ASSERT_CONTAINS(berth_error_get()->message, "no-such-file.ini");
	test_case("a folder");
	ASSERT_INT(berth_profile_load(&profile, "/tmp/"), BERTH_E_IO);
	test_case("a zero byte");
	scratch_make(&scratch, HEAD CAPS MEMORY "\0x", strlen(HEAD CAPS MEMORY) + 2);
	ASSERT_INT(berth_profile_load(&profile, scratch.file), BERTH_E_FORMAT);
	test_case("too large");
	ASSERT_INT(truncate(scratch.file, 1 + (1 << 20)), 0);
	ASSERT_INT(berth_profile_load(&profile, scratch.file), BERTH_E_FORMAT);
	scratch_remove(&scratch);
}

/* A device without images, or without images on buffers, need not spell out the zeros. */
static void defaults_follow(void)
{
	static const struct {
		const char *name, *line;
		bool images, from_buffer;
		uint64_t width;
		uint32_t pitch_align;
	} cases[] = {
		{ "no images", "images = no\n", false, false, 0, 0 },
		{ "not on buffers", "image2d_from_buffer = no\n", true, false, 16384, 0 },
		{ "all", "images = yes\n", true, true, 16384, 1 },
	};
	struct scratch scratch;
	berth_profile profile;
	char text[512];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		test_case("%s", cases[i].name);
		snprintf(text, sizeof(text), "%s%s%s", HEAD CAPS, cases[i].line, MEMORY);
		scratch_make(&scratch, text, strlen(text));
		ASSERT_OK(berth_profile_load(&profile, scratch.file));
		ASSERT_INT(profile.caps.images, cases[i].images);
		ASSERT_INT(profile.caps.image2d_from_buffer, cases[i].from_buffer);
		ASSERT_INT(profile.caps.image2d_max_width, cases[i].width);
		ASSERT_INT(profile.caps.image_pitch_align, cases[i].pitch_align);
		scratch_remove(&scratch);
	}
}

/* Several at once: all of them, or none. */
static void overrides(void)
{
	static const struct {
		const char *settings;
		berth_status status;
		const char *detail;
		uint64_t max_alloc, width;
		berth_commit commit;
	} cases[] = {
		{ "", BERTH_OK, NULL, 32 * MIB, 16384, BERTH_COMMIT_CREATE },
		{ "max_alloc_bytes=1MiB", BERTH_OK, NULL, MIB, 16384, BERTH_COMMIT_CREATE },
		{ "caps.max_alloc_bytes = 4096 , memory.commit=first_use", BERTH_OK, NULL, 4096, 16384,
		  BERTH_COMMIT_FIRST_USE },
		{ "max_alloc_bytes=1,max_alloc_bytes=2", BERTH_OK, NULL, 2, 16384,
		  BERTH_COMMIT_CREATE },
		{ "image2d_max_width=8192,", BERTH_OK, NULL, 32 * MIB, 8192, BERTH_COMMIT_CREATE },
		{ "max_alloc_bytes=1MiB,commit=never", BERTH_E_INVAL, "commit = 'never'", 32 * MIB,
		  16384, BERTH_COMMIT_CREATE },
		{ "max_alloc_bytes=1MiB,nothing=1", BERTH_E_INVAL, "'nothing' is not a key", 32 * MIB,
		  16384, BERTH_COMMIT_CREATE },
		{ "memory.max_alloc_bytes=1", BERTH_E_INVAL, "'memory.max_alloc_bytes' is not a key",
		  32 * MIB, 16384, BERTH_COMMIT_CREATE },
		{ "name=x", BERTH_E_INVAL, "say profile.name or caps.name", 32 * MIB, 16384,
		  BERTH_COMMIT_CREATE },
		{ "commit", BERTH_E_INVAL, "KEY=VALUE", 32 * MIB, 16384, BERTH_COMMIT_CREATE },
		{ "=1", BERTH_E_INVAL, "'' is not a key", 32 * MIB, 16384, BERTH_COMMIT_CREATE },
	};
	berth_profile profile;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		test_case("%s", cases[i].settings);
		ASSERT_OK(berth_profile_load(&profile, "spec-minimum"));
		ASSERT_INT(berth_profile_override(&profile, cases[i].settings), cases[i].status);
		if (cases[i].detail)
			ASSERT_CONTAINS(berth_error_get()->message, cases[i].detail);
		ASSERT_INT(profile.caps.max_alloc_bytes, cases[i].max_alloc);
		ASSERT_INT(profile.caps.image2d_max_width, cases[i].width);
		ASSERT_INT(profile.memory.commit, cases[i].commit);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{ "values of the built-in profiles", builtin_values },
		{ "names of the built-in profiles", builtin_names },
	{ "every built-in value has a source", builtin_sources },
		{ "spec-minimum is the minimum", minimum_is_minimum },
		{ "values of a file", file_values },
		{ "wrong files", wrong_files },
		{ "long lines", long_lines },
		{ "what cannot be read", unreadable },
		{ "defaults that follow", defaults_follow },
		{ "single values changed", overrides },
		{ NULL, NULL },
	};

	return test_main("profile", tests);
}
