/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiles from dumps of clinfo: each layout, what is missing, what makes no sense. The
 * device of most cases is the same, so that the layouts can be compared.
 */
#include "scratch.h"
#include "test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#include <berth/clinfo.h>

/* A dump must have these four. */
#define VERSION "  Device Version                                  OpenCL 2.0 X\n"
#define GLOBAL "  Global memory size                              1073741824 (1024MiB)\n"
#define LARGEST "  Max memory allocation                           268435456 (256MiB)\n"
#define ALIGN "  Alignment of base address                       1024 bits (128 bytes)\n"

#define HEAD                                                                                       \
	"Number of platforms                               1\n"                                    \
	"  Platform Name                                   P\n"                                    \
	"\n  Platform Name                                   P\n"                                  \
	"Number of devices                                 1\n"                                    \
	"  Device Name                                     One\n"
#define IMAGES                                                                                     \
	"  Image support                                   Yes\n"                                  \
	"    Max size for 1D images from buffer            65536 pixels\n"                         \
	"    Max 1D or 2D image array size                 4096 images\n"                          \
	"    Base address alignment for 2D image buffers   32 bytes\n"                             \
	"    Pitch alignment for 2D image buffers          64 bytes\n"                             \
	"    Max 2D image size                             20000x30000 pixels\n"                   \
	"    Max 3D image size                             2048x4096x8192 pixels\n"
#define REST                                                                                       \
	"  Device Vendor                                   V\n"                                    \
	"  Device Vendor ID                                0x1\n"                                  \
	"  Driver Version                                  1.0\n"                                  \
	"  Unified memory for Host and Device              Yes\n"                                  \
	"  Shared Virtual Memory (SVM) capabilities        (core)\n"                               \
	"    Coarse-grained buffer sharing                 Yes\n"                                  \
	"    Fine-grained buffer sharing                   No\n"                                   \
	"    Fine-grained system sharing                   No\n"                                   \
	"    Atomics                                       Yes\n"                                  \
	"  Global Memory cache line size                   64 bytes\n"                             \
	"  Local memory size                               32768 (32KiB)\n"
#define END                                                                                        \
	"\nNULL platform behavior\n"                                                               \
	"    Device Name                                   One\n"                                  \
	"    Device Name                                   Ghost\n"
#define WHOLE HEAD VERSION GLOBAL LARGEST ALIGN IMAGES REST END

static berth_profile profile;
static berth_clinfo_report report;

static berth_status read_bytes(const void *text, size_t bytes, uint32_t index)
{
	const char *path = scratch_path("dump.txt");

	file_write(path, text, bytes);
	return berth_profile_from_clinfo(&profile, path, index, &report);
}

static berth_status read_dump(const char *text)
{
	return read_bytes(text, strlen(text), BERTH_CLINFO_ONLY_DEVICE);
}

static void assert_one(void)
{
	const berth_caps *caps = &profile.caps;

	ASSERT_STRING(caps->name, "One");
	ASSERT_STRING(caps->vendor, "V");
	ASSERT_INT(caps->cl_version, 200);
	ASSERT_INT(caps->global_mem_bytes, 1073741824);
	ASSERT_INT(profile.memory.capacity_bytes, 1073741824);
	ASSERT_INT(caps->max_alloc_bytes, 268435456);
	ASSERT_INT(caps->base_addr_align_bits, 1024);
	ASSERT_INT(caps->local_mem_bytes, 32768);
	ASSERT_INT(caps->cacheline_bytes, 64);
	ASSERT_INT(caps->host_unified, true);
	ASSERT_INT(caps->svm_caps, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS);
	ASSERT_INT(caps->image2d_max_width, 20000);
	ASSERT_INT(caps->image2d_max_height, 30000);
	ASSERT_INT(caps->image3d_max_width, 2048);
	ASSERT_INT(caps->image3d_max_height, 4096);
	ASSERT_INT(caps->image3d_max_depth, 8192);
	/* Nobody listed the formats. */
	ASSERT_INT(caps->format_count, 0);
}

static void layouts(void)
{
	static const struct {
		const char *name, *text;
		bool has_arrays, has_from_buffer; /* AMD's clinfo prints neither */
	} cases[] = {
		{ "clinfo", WHOLE, true, true },
		{ "noise before", "MESA: error\nGlobal warming\n" WHOLE, true, true },
		{ "0-device platform",
		  "  Platform Name   Empty\nNumber of devices   0\n" WHOLE, true, true },
		{ "byte order mark", "\xef\xbb\xbf" WHOLE, true, true },
		{ "collapsed, quoted, joined",
		  "> Device Name One Device Vendor V Device Vendor ID 0x1\r\n"
		  "> Device Version OpenCL 2.0 X Driver Version 1.0\r\n"
		  "> > Global memory size 1073741824 (1024MiB) Error Correction support No "
		  "Max memory allocation 268435456 (256MiB)\r\n"
		  "> Unified memory for Host and Device Yes\r\n"
		  "> Coarse-grained buffer sharing Yes Fine-grained buffer sharing No Atomics Yes\r\n"
		  "> Preferred alignment for atomics SVM 0 bytes\r\n"
		  "> Alignment of base address 1024 bits (128 bytes) Image support Yes\r\n"
		  "> Global Memory cache line size 64 bytes Local memory size 32768 (32KiB)\r\n"
		  "> Max size for 1D images from buffer 65536 pixels\r\n"
		  "> Max 1D or 2D image array size 4096 images "
		  "Base address alignment for 2D image buffers 32 bytes\r\n"
		  "> Pitch alignment for 2D image buffers 64 pixels\r\n"
		  "> Max 2D image size 20000x30000 pixels Max 3D image size 2048x4096x8192 pixels",
		  true, true },
		{ "raw",
		  "#PLATFORMS 1\n  CL_PLATFORM_NAME  P\n\n[P/*]  CL_PLATFORM_NAME  P\n"
		  "[P/*] #DEVICES 1\n"
		  "[P/0]    CL_DEVICE_NAME    One\n[P/0]    CL_DEVICE_VENDOR    V\n"
		  "[P/0]    CL_DEVICE_VENDOR_ID    0x1\n"
		  "[P/0]    CL_DEVICE_VERSION    OpenCL 2.0 X\n[P/0]  CL_DRIVER_VERSION  1.0\n"
		  "[P/0]    CL_DEVICE_GLOBAL_MEM_SIZE   1073741824\n"
		  "[P/0]    CL_DEVICE_MAX_MEM_ALLOC_SIZE   268435456\n"
		  "[P/0]    CL_DEVICE_HOST_UNIFIED_MEMORY   CL_TRUE\n"
		  "[P/0]    CL_DEVICE_SVM_CAPABILITIES   CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | "
		  "CL_DEVICE_SVM_ATOMICS\n"
		  "[P/0]    CL_DEVICE_MEM_BASE_ADDR_ALIGN   1024\n"
		  "[P/0]    CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE   64\n"
		  "[P/0]    CL_DEVICE_LOCAL_MEM_SIZE   32768\n"
		  "[P/0]    CL_DEVICE_IMAGE_SUPPORT   CL_TRUE\n"
		  "[P/0]    CL_DEVICE_IMAGE_MAX_BUFFER_SIZE   65536\n"
		  "[P/0]    CL_DEVICE_IMAGE_MAX_ARRAY_SIZE   4096\n"
		  "[P/0]    CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT   32\n"
		  "[P/0]    CL_DEVICE_IMAGE_PITCH_ALIGNMENT   64\n"
		  "[P/0]    CL_DEVICE_IMAGE2D_MAX_WIDTH   20000\n"
		  "[P/0]    CL_DEVICE_IMAGE2D_MAX_HEIGHT   30000\n"
		  "[P/0]    CL_DEVICE_IMAGE3D_MAX_WIDTH   2048\n"
		  "[P/0]    CL_DEVICE_IMAGE3D_MAX_HEIGHT   4096\n"
		  "[P/0]    CL_DEVICE_IMAGE3D_MAX_DEPTH   8192\n",
		  true, true },
		{ "AMD's clinfo",
		  "Platform Name:\t P\nNumber of devices:\t 1\n  Device Type:\t CL_DEVICE_TYPE_GPU\n"
		  "  Max memory allocation:\t 268435456\n  Image support:\t Yes\n"
		  "  Max image 2D width:\t 20000\n  Max image 2D height:\t 30000\n"
		  "  Max image 3D width:\t 2048\n  Max image 3D height:\t 4096\n"
		  "  Max image 3D depth:\t 8192\n  Alignment (bits) of base address:\t 1024\n"
		  "  Cache line size:\t 64\n  Global memory size:\t 1073741824\n"
		  "  Local memory size:\t 32768\n  SVM capabilities:\t \n"
		  "    Coarse grain buffer:\t Yes\n    Fine grain buffer:\t No\n"
		  "    Fine grain system:\t No\n    Atomics:\t Yes\n"
		  "  Unified memory for Host and Device:\t 1\n  Name:\t One\n  Vendor:\t V\n"
		  "  Driver version:\t 1.0\n  Version:\t OpenCL 2.0 X\n"
		  "  Extensions:\t cl_khr_image2d_from_buffer \n",
		  false, false },
	};

	scratch_make();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		test_case("%s", cases[i].name);
		ASSERT_OK(read_dump(cases[i].text));
		ASSERT_INT(report.device_count, 1);
		assert_one();
		ASSERT_INT(profile.caps.image_max_array, cases[i].has_arrays ? 4096 : 2048);
		ASSERT_INT(profile.caps.image2d_from_buffer, cases[i].has_from_buffer);
		/* Pixels, whatever clinfo's label says. */
		ASSERT_INT(profile.caps.image_pitch_align, cases[i].has_from_buffer ? 64 : 0);
		ASSERT_INT(profile.caps.image_base_align, cases[i].has_from_buffer ? 32 : 0);
		ASSERT_INT(report.finding_count, cases[i].has_from_buffer ? 0 : 4);
	}
	scratch_remove();
}

static void wrong_dumps(void)
{
	static const struct {
		const char *name, *text, *message;
		berth_status status;
	} cases[] = {
		{ "empty", "", "no device of OpenCL is described in its 0 lines", BERTH_E_FORMAT },
		{ "something else", "Dear all,\nhello\n", "in its 2 lines", BERTH_E_FORMAT },
		{ "no version", HEAD GLOBAL LARGEST ALIGN IMAGES,
		  "lines 6 to 16 lacks CL_DEVICE_VERSION", BERTH_E_FORMAT },
		{ "no sizes", HEAD VERSION IMAGES REST,
		  "lacks CL_DEVICE_GLOBAL_MEM_SIZE, CL_DEVICE_MAX_MEM_ALLOC_SIZE, "
		  "CL_DEVICE_MEM_BASE_ADDR_ALIGN",
		  BERTH_E_FORMAT },
		{ "cut short", HEAD VERSION GLOBAL, "lines 6 to 8 lacks", BERTH_E_FORMAT },
		{ "whether images", HEAD VERSION GLOBAL LARGEST ALIGN,
		  "lacks CL_DEVICE_IMAGE_SUPPORT", BERTH_E_FORMAT },
		{ "odd alignment",
		  HEAD VERSION GLOBAL LARGEST IMAGES "  Alignment of base address   1000 bits\n",
		  "lacks CL_DEVICE_MEM_BASE_ADDR_ALIGN", BERTH_E_FORMAT },
		{ "no such version",
		  HEAD GLOBAL LARGEST ALIGN IMAGES "  Device Version   OpenCL 4.2\n",
		  "lacks CL_DEVICE_VERSION", BERTH_E_FORMAT },
		{ "several", WHOLE HEAD VERSION GLOBAL LARGEST ALIGN REST,
		  "has 2 devices, add :N: 0 'One' (line 6), 1 'One' (line ", BERTH_E_NOT_FOUND },
	};
	berth_profile before;

	scratch_make();
	memset(&profile, 0x5a, sizeof(profile));
	before = profile;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		test_case("%s", cases[i].name);
		ASSERT_INT(read_dump(cases[i].text), cases[i].status);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].message);
		CU_ASSERT_EQUAL(memcmp(&profile, &before, sizeof(before)), 0);
	}
	test_case("zero byte");
	ASSERT_INT(read_bytes("a\nb\0c\n", 6, 0), BERTH_E_FORMAT);
	ASSERT_CONTAINS(berth_error_get()->message, "dump.txt:2: a zero byte");
	test_case("no file");
	ASSERT_INT(berth_profile_from_clinfo(&profile, scratch_path("none"), 0, NULL), BERTH_E_IO);
	scratch_remove();
}

/* What is missing or nonsense, but no reason to refuse. */
static void findings(void)
{
	static const struct {
		const char *name, *text, *finding;
	} cases[] = {
		{ "cache line of megabytes",
		  HEAD VERSION GLOBAL LARGEST ALIGN IMAGES
		  "  Global Memory cache line size   9437184 bytes\n",
		  "line 18: CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE cannot be 9437184" },
		{ "local memory", HEAD VERSION GLOBAL LARGEST ALIGN IMAGES,
		  "missing: CL_DEVICE_LOCAL_MEM_SIZE; the specification's minimum" },
		{ "error of a query", HEAD VERSION GLOBAL LARGEST ALIGN IMAGES
		  "  Local memory size   <printDeviceInfo:7: get CL_DEVICE_LOCAL_MEM_SIZE : error -30>\n",
		  "line 18: 'Local memory size' is not readable" },
		{ "pitch", HEAD VERSION GLOBAL LARGEST ALIGN
		  "  Image support Yes\n  Max 2D image size 8192x8192\n",
		  "missing: CL_DEVICE_IMAGE_PITCH_ALIGNMENT; images on buffers are off" },
		{ "two answers", HEAD VERSION GLOBAL LARGEST ALIGN IMAGES
		  "  Max memory allocation   5\n",
		  "contradicts line 9" },
	};

	scratch_make();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		test_case("%s", cases[i].name);
		ASSERT_OK(read_dump(cases[i].text));
		ASSERT_CONTAINS(report.findings, cases[i].finding);
		ASSERT_INT(profile.caps.max_alloc_bytes, 268435456);
		ASSERT_INT(profile.caps.cacheline_bytes, 0);
	}
	scratch_remove();
}

static void choice_of_device(void)
{
	static const char two[] = WHOLE
		"Number of platforms 1\n  Device Name Two\n  Device Version OpenCL 1.2 Y\n" GLOBAL LARGEST
			ALIGN IMAGES REST;
	char name[160];

	scratch_make();
	test_case("the second dump of the file");
	ASSERT_OK(read_bytes(two, strlen(two), 1));
	ASSERT_STRING(profile.caps.name, "Two");
	/* 1.2 without the extension in a list: the alignments say so. */
	ASSERT_INT(profile.caps.image2d_from_buffer, true);
	test_case("index behind the end");
	ASSERT_INT(read_bytes(two, strlen(two), 2), BERTH_E_NOT_FOUND);
	ASSERT_CONTAINS(berth_error_get()->message, "1 'Two'");
	test_case("the same device twice");
	ASSERT_OK(read_dump(WHOLE WHOLE));
	ASSERT_INT(report.device_count, 2);
	test_case("by name");
	file_write(scratch_path("two.txt"), two, strlen(two));
	snprintf(name, sizeof(name), "clinfo:%s:1", scratch_path("two.txt"));
	ASSERT_OK(berth_profile_load(&profile, name));
	ASSERT_STRING(profile.name, "Two");
	scratch_remove();
}

/* Latin-1 becomes UTF-8, and what a profile cannot hold is changed: it reads back the same. */
static void texts_survive(void)
{
	static berth_profile again;
	char *text = NULL;

	scratch_make();
	ASSERT_OK(read_dump("  Device Name   Caf\xe9 ; (R)\n" VERSION GLOBAL LARGEST ALIGN IMAGES));
	ASSERT_STRING(profile.caps.name, "Caf\xc3\xa9 , (R)");
	ASSERT_OK(berth_profile_to_text(&text, &profile));
	file_write(scratch_path("p.ini"), text, strlen(text));
	ASSERT_OK(berth_profile_load(&again, scratch_path("p.ini")));
	CU_ASSERT_EQUAL(memcmp(&again.caps, &profile.caps, sizeof(again.caps)), 0);
	free(text);
	scratch_remove();
}

static const struct test tests[] = {
	{ "each layout gives the same device", layouts },
	{ "wrong and incomplete dumps", wrong_dumps },
	{ "what is missing or nonsense is said", findings },
	{ "which device", choice_of_device },
	{ "texts fit a profile", texts_survive },
	{ NULL, NULL },
};

int main(void)
{
	return test_main("clinfo", tests);
}
