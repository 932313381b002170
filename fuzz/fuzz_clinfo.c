/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feeds damaged dumps of clinfo to their reader; what it takes must be text that is read
 * again. Without arguments: copies of a valid one, damaged in ways that are the same each
 * time; else the files named.
 */
#include "mutate.h"

#include "scratch.h"

#include <berth/clinfo.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char valid[] =
	"Number of platforms  1\n  Platform Name  P\n\n  Platform Name  P\nNumber of devices  1\n"
	"  Device Name  One\n  Device Vendor  V\n  Device Version  OpenCL 2.0 X\n"
	"  Driver Version  1\n  Global memory size  1073741824 (1GiB)\n"
	"  Max memory allocation  268435456\n  Unified memory for Host and Device  Yes\n"
	"    Coarse-grained buffer sharing  Yes\n  Alignment of base address  1024 bits\n"
	"  Image support  Yes\n    Max 2D image size  16384x16384 pixels\n"
	"    Max 3D image size  2048x2048x2048 pixels\n"
	"    Pitch alignment for 2D image buffers  64 pixels\n"
	"    Base address alignment for 2D image buffers  64 bytes\n"
	"[P/0]  CL_DEVICE_NAME  Two\n[P/0]  CL_DEVICE_SVM_CAPABILITIES  0x3\n"
	"  Device Type:\t GPU\n  Max image 2D width:\t 7\n  Name:\t Three\n"
	"NULL platform behavior\n  Device Name  Four\n";

static void input(const unsigned char *content, size_t bytes)
{
	static berth_profile profile;
	static berth_clinfo_report report;
	const char *path = scratch_path("input.txt");
	char *text;

	file_write(path, content, bytes);
	report.device_count = 1;
	for (uint32_t i = 0; i < report.device_count && i < 8; i++) {
		if (berth_profile_from_clinfo(&profile, path, i, &report) != BERTH_OK)
			continue;
		if (berth_profile_to_text(&text, &profile) != BERTH_OK) {
			fprintf(stderr, "fuzz_clinfo: %s\n", berth_error_get()->message);
			abort();
		}
		free(text);
	}
}

int main(int argc, char **argv)
{
	static const struct fuzz_plan plan = { 0, sizeof(valid) - 1, 4096, 300 };

	scratch_make();
	if (argc > 1)
		fuzz_files(argv + 1, argc - 1, input);
	else
		fuzz_mutations((const unsigned char *)valid, sizeof(valid) - 1, &plan, input);
	scratch_remove();
	return 0;
}
