/* SPDX-License-Identifier: Apache-2.0 */
/* Real devices: where they are, what they are called, what they can. */
#include "opencl_device.h"

#include "caps_query.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The loader says so when no driver is installed; it is in cl_ext.h, not in cl.h. */
#define NO_PLATFORM (-1001) /* CL_PLATFORM_NOT_FOUND_KHR */

static berth_status no_memory(void)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "no memory for the list of devices");
}

/* The caller frees *out; NULL and *count 0 when there is none. */
static berth_status list_platforms(cl_platform_id **out, cl_uint *count)
{
	cl_int code = clGetPlatformIDs(0, NULL, count);

	*out = NULL;
	if (code == NO_PLATFORM)
		*count = 0;
	else if (code != CL_SUCCESS)
		return berth__cl_failed("clGetPlatformIDs", code);
	if (*count == 0)
		return BERTH_OK;
	*out = calloc(*count, sizeof(**out));
	if (!*out)
		return no_memory();
	code = clGetPlatformIDs(*count, *out, NULL);
	if (code == CL_SUCCESS)
		return BERTH_OK;
	free(*out);
	*out = NULL;
	return berth__cl_failed("clGetPlatformIDs", code);
}

static berth_status list_devices(cl_device_id **out, cl_uint *count, cl_platform_id platform)
{
	cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, count);

	*out = NULL;
	if (code == CL_DEVICE_NOT_FOUND)
		*count = 0;
	else if (code != CL_SUCCESS)
		return berth__cl_failed("clGetDeviceIDs", code);
	if (*count == 0)
		return BERTH_OK;
	*out = calloc(*count, sizeof(**out));
	if (!*out)
		return no_memory();
	code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, *count, *out, NULL);
	if (code == CL_SUCCESS)
		return BERTH_OK;
	free(*out);
	*out = NULL;
	return berth__cl_failed("clGetDeviceIDs", code);
}

/* Sets *go_on to false when the visitor has had enough. */
static berth_status visit_platform(cl_platform_id platform, berth_opencl_visit_fn *visit,
				   void *userdata, bool *go_on)
{
	char name[256] = "";
	cl_device_id *devices;
	cl_uint count = 0;
	berth_status st;
	cl_int code = clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(name) - 1, name, NULL);

	if (code != CL_SUCCESS)
		return berth__cl_failed("clGetPlatformInfo(CL_PLATFORM_NAME)", code);
	if ((st = list_devices(&devices, &count, platform)) != BERTH_OK)
		return st;
	for (cl_uint i = 0; *go_on && i < count; i++)
		*go_on = visit(devices[i], name, i, userdata);
	free(devices);
	return BERTH_OK;
}

berth_status berth_opencl_each(berth_opencl_visit_fn *visit, void *userdata)
{
	cl_platform_id *platforms;
	cl_uint count = 0;
	bool go_on = true;
	berth_status st = list_platforms(&platforms, &count);

	for (cl_uint i = 0; st == BERTH_OK && go_on && i < count; i++)
		st = visit_platform(platforms[i], visit, userdata, &go_on);
	free(platforms);
	return st;
}

struct search {
	const char *platform;
	uint32_t index;
	char found[256]; /* the platform that matched; empty: none yet */
	uint32_t found_devices;
	char seen[256]; /* the names of all platforms, for the message */
	char last[256]; /* the one that was seen last */
	cl_device_id device;
};

static void note_platform(struct search *search, const char *platform)
{
	size_t used = strlen(search->seen);

	if (strcmp(search->last, platform) == 0)
		return;
	snprintf(search->last, sizeof(search->last), "%s", platform);
	snprintf(search->seen + used, sizeof(search->seen) - used, "%s'%s'", used ? ", " : "",
		 platform);
}

static bool match_device(cl_device_id device, const char *platform, uint32_t index, void *userdata)
{
	struct search *search = userdata;

	note_platform(search, platform);
	if (index == 0 && !*search->found && strcasestr(platform, search->platform))
		snprintf(search->found, sizeof(search->found), "%s", platform);
	else if (index == 0 && *search->found)
		return false; /* the next platform: the one that matched has no such device */
	if (!*search->found)
		return true;
	search->found_devices++;
	if (index == search->index)
		search->device = device;
	return search->device == NULL;
}

berth_status berth_opencl_find(cl_device_id *out, const char *platform, uint32_t index)
{
	struct search search = { .platform = platform, .index = index };
	berth_status st = berth_opencl_each(match_device, &search);

	if (st != BERTH_OK)
		return st;
	if (search.device) {
		*out = search.device;
		return BERTH_OK;
	}
	if (*search.found)
		return berth_error_set(BERTH_E_NOT_FOUND, 0,
				       "OpenCL platform '%s' has %" PRIu32
				       " devices, none with index %" PRIu32,
				       search.found, search.found_devices, index);
	return berth_error_set(BERTH_E_NOT_FOUND, 0, "no OpenCL platform is named like '%s'; %s%s",
			       platform, *search.seen ? "there is " : "there is none at all",
			       search.seen);
}

berth_status berth_opencl_caps(berth_caps *out, cl_device_id device, cl_context context)
{
	static const struct berth__caps_calls calls = {
		.get_platform_info = clGetPlatformInfo,
		.get_device_info = clGetDeviceInfo,
		.get_supported_image_formats = clGetSupportedImageFormats,
	};

	return berth__caps_query(out, &calls, device, context);
}

/* Where a device stands among its platform's; 0 when the driver does not tell. */
static cl_uint device_index(cl_device_id device)
{
	cl_platform_id platform = NULL;
	cl_device_id *devices = NULL;
	cl_uint count = 0, index = 0;

	if (clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(platform), &platform, NULL) !=
		    CL_SUCCESS ||
	    list_devices(&devices, &count, platform) != BERTH_OK)
		return 0;
	while (index < count && devices[index] != device)
		index++;
	free(devices);
	return index < count ? index : 0;
}

void berth__cl_device_name(char *text, size_t text_bytes, cl_device_id device, const char *platform)
{
	cl_uint index = device_index(device);

	if (index > 0)
		snprintf(text, text_bytes, "opencl:%s:%" PRIu32, platform, index);
	else
		snprintf(text, text_bytes, "opencl:%s", platform);
}
