/* SPDX-License-Identifier: Apache-2.0 */
/* clGetDeviceInfo: what concerns memory comes from the profile, all else from the driver. */
#include "simulate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef CL_DEVICE_IMAGE_PITCH_ALIGNMENT
#define CL_DEVICE_IMAGE_PITCH_ALIGNMENT 0x104A
#endif
#ifndef CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT
#define CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT 0x104B
#endif
#ifndef CL_DEVICE_NUMERIC_VERSION
#define CL_DEVICE_NUMERIC_VERSION 0x105E
#endif

#define IMAGE_ON_BUFFER "cl_khr_image2d_from_buffer"

enum how {
	HOW_PROFILE,  /* as the profile says */
	HOW_SMALLER,  /* what kernels need for real: not more than the driver has */
	HOW_COMMON,   /* bits that both have */
	HOW_IF_KNOWN, /* the profile's, unless it is 0: not known */
};

#define FIELD(member) offsetof(berth_caps, member), sizeof(((berth_caps *)0)->member)

/* What OpenCL answers is `width` wide, whatever the width of the field. */
static const struct number {
	cl_device_info name;
	enum how how;
	size_t width;
	size_t offset, bytes;
} numbers[] = {
	{ CL_DEVICE_GLOBAL_MEM_SIZE, HOW_PROFILE, 8, FIELD(global_mem_bytes) },
	{ CL_DEVICE_MAX_MEM_ALLOC_SIZE, HOW_PROFILE, 8, FIELD(max_alloc_bytes) },
	{ CL_DEVICE_LOCAL_MEM_SIZE, HOW_SMALLER, 8, FIELD(local_mem_bytes) },
	{ CL_DEVICE_MEM_BASE_ADDR_ALIGN, HOW_PROFILE, 4, FIELD(base_addr_align_bits) },
	{ CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, HOW_IF_KNOWN, 4, FIELD(cacheline_bytes) },
	{ CL_DEVICE_HOST_UNIFIED_MEMORY, HOW_PROFILE, 4, FIELD(host_unified) },
	{ CL_DEVICE_SVM_CAPABILITIES, HOW_COMMON, 8, FIELD(svm_caps) },
	{ CL_DEVICE_PIPE_MAX_PACKET_SIZE, HOW_SMALLER, 4, FIELD(pipe_max_packet_bytes) },
	{ CL_DEVICE_IMAGE_SUPPORT, HOW_SMALLER, 4, FIELD(images) },
	{ CL_DEVICE_IMAGE2D_MAX_WIDTH, HOW_PROFILE, sizeof(size_t), FIELD(image2d_max_width) },
	{ CL_DEVICE_IMAGE2D_MAX_HEIGHT, HOW_PROFILE, sizeof(size_t), FIELD(image2d_max_height) },
	{ CL_DEVICE_IMAGE3D_MAX_WIDTH, HOW_PROFILE, sizeof(size_t), FIELD(image3d_max_width) },
	{ CL_DEVICE_IMAGE3D_MAX_HEIGHT, HOW_PROFILE, sizeof(size_t), FIELD(image3d_max_height) },
	{ CL_DEVICE_IMAGE3D_MAX_DEPTH, HOW_PROFILE, sizeof(size_t), FIELD(image3d_max_depth) },
	{ CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, HOW_PROFILE, sizeof(size_t),
	  FIELD(image_max_buffer_px) },
	{ CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, HOW_PROFILE, sizeof(size_t), FIELD(image_max_array) },
	{ CL_DEVICE_IMAGE_PITCH_ALIGNMENT, HOW_PROFILE, 4, FIELD(image_pitch_align) },
	{ CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, HOW_PROFILE, 4, FIELD(image_base_align) },
};

/* As each query answers: a value, its size, or both. */
static cl_int answer(const void *value, size_t bytes, size_t room, void *out, size_t *bytes_ret)
{
	if (out && room < bytes)
		return CL_INVALID_VALUE;
	if (out)
		memcpy(out, value, bytes);
	if (bytes_ret)
		*bytes_ret = bytes;
	return CL_SUCCESS;
}

static uint64_t field_value(const struct number *row, const berth_caps *caps)
{
	const unsigned char *at = (const unsigned char *)caps + row->offset;
	uint64_t value = 0;
	uint32_t value32;

	if (row->bytes == sizeof(bool))
		return *at != 0;
	if (row->bytes == sizeof(value32)) {
		memcpy(&value32, at, sizeof(value32));
		return value32;
	}
	memcpy(&value, at, sizeof(value));
	return value;
}

/* The driver's own; 0 when it refuses. Its width is the one that comes back. */
static uint64_t real_value(cl_device_id device, cl_device_info name)
{
	union {
		uint32_t u32;
		uint64_t u64;
	} value = { .u64 = 0 };
	size_t bytes = 0;

	if (berth__simulate_real.clGetDeviceInfo(device, name, sizeof(value), &value, &bytes) !=
	    CL_SUCCESS)
		return 0;
	return bytes == sizeof(value.u32) ? value.u32 : value.u64;
}

static uint64_t shown_value(const struct number *row, const struct simulated *simulated)
{
	uint64_t value = field_value(row, &simulated->profile->caps), real;

	if (row->how == HOW_PROFILE || (row->how == HOW_IF_KNOWN && value > 0))
		return value;
	real = real_value(simulated->device, row->name);
	switch (row->how) {
	case HOW_SMALLER:
		return real < value ? real : value;
	case HOW_COMMON:
		return real & value;
	default:
		return real;
	}
}

/* A string of the driver's; free(). NULL: none. */
static char *real_text(cl_device_id device, cl_device_info name)
{
	size_t bytes = 0;
	char *text;

	if (berth__simulate_real.clGetDeviceInfo(device, name, 0, NULL, &bytes) != CL_SUCCESS)
		return NULL;
	text = calloc(1, bytes + 1);
	if (text && bytes > 0 &&
	    berth__simulate_real.clGetDeviceInfo(device, name, bytes, text, NULL) != CL_SUCCESS) {
		free(text);
		text = NULL;
	}
	return text;
}

/* MAJOR.MINOR behind `prefix`, as major * 100 + minor * 10; *rest: what follows. 0: not of that
 * form. */
static uint32_t read_version(const char *text, const char *prefix, const char **rest)
{
	size_t length = strlen(prefix);
	unsigned major, minor;
	int end = 0;

	*rest = "";
	if (!text || strncmp(text, prefix, length) != 0 ||
	    sscanf(text + length, "%2u.%2u%n", &major, &minor, &end) != 2)
		return 0;
	*rest = text + length + end;
	return major * 100 + minor * 10;
}

/* A program must not call what the driver does not have: the lower version of both. */
static uint32_t shown_version(const struct simulated *simulated)
{
	char *real = real_text(simulated->device, CL_DEVICE_VERSION);
	const char *rest;
	uint32_t version = read_version(real, "OpenCL ", &rest);
	uint32_t wanted = simulated->profile->caps.cl_version;

	free(real);
	return version == 0 || wanted < version ? wanted : version;
}

static char *join_version(const char *prefix, uint32_t version, const char *rest)
{
	char *text;

	return asprintf(&text, "%s%" PRIu32 ".%" PRIu32 "%s", prefix, version / 100,
			version / 10 % 10, rest) < 0
		       ? NULL
		       : text;
}

static char *version_text(const struct simulated *simulated)
{
	const char *rest;

	read_version(simulated->profile->caps.device_version, "OpenCL ", &rest);
	return join_version("OpenCL ", shown_version(simulated), *rest ? rest : " ");
}

/* Kernels are compiled by the driver that is there: its version, unless the device's is lower. */
static char *c_version_text(const struct simulated *simulated)
{
	char *real = real_text(simulated->device, CL_DEVICE_OPENCL_C_VERSION), *text = real;
	uint32_t shown = shown_version(simulated);
	const char *rest;
	uint32_t version = read_version(real, "OpenCL C ", &rest);

	if (version > shown) {
		text = join_version("OpenCL C ", shown, rest);
		free(real);
	}
	return text;
}

static char *copy_or_real(const struct simulated *simulated, const char *text, cl_device_info name)
{
	return *text ? strdup(text) : real_text(simulated->device, name);
}

static char *name_text(const struct simulated *simulated)
{
	return copy_or_real(simulated, simulated->profile->caps.name, CL_DEVICE_NAME);
}

static char *vendor_text(const struct simulated *simulated)
{
	return copy_or_real(simulated, simulated->profile->caps.vendor, CL_DEVICE_VENDOR);
}

static char *driver_text(const struct simulated *simulated)
{
	return copy_or_real(simulated, simulated->profile->caps.driver_version, CL_DRIVER_VERSION);
}

bool berth__simulate_real_has_images_on_buffers(cl_device_id device)
{
	return real_value(device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT) > 0;
}

/* The driver's list, with or without images on buffers. */
static char *extensions_text(const struct simulated *simulated)
{
	char *real = real_text(simulated->device, CL_DEVICE_EXTENSIONS), *text = NULL, *out;
	char *save = NULL;

	if (!real)
		return NULL;
	out = text = calloc(1, strlen(real) + sizeof(IMAGE_ON_BUFFER) + 2);
	if (text && simulated->profile->caps.image2d_from_buffer)
		out = stpcpy(out, IMAGE_ON_BUFFER " ");
	for (char *word = strtok_r(real, " ", &save); text && word;
	     word = strtok_r(NULL, " ", &save))
		if (strcmp(word, IMAGE_ON_BUFFER) != 0)
			out = stpcpy(stpcpy(out, word), " ");
	free(real);
	return text;
}

/* The same as a list with versions (3.0). False: the driver has none, or there is no memory. */
static bool answer_versions(cl_int *status, const struct simulated *simulated, size_t room,
			    void *out, size_t *bytes_ret)
{
	cl_name_version *list;
	size_t bytes = 0, count = 0;

	if (berth__simulate_real.clGetDeviceInfo(simulated->device,
						 CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, NULL,
						 &bytes) != CL_SUCCESS ||
	    !(list = calloc(1, bytes + sizeof(*list))))
		return false;
	*status = berth__simulate_real.clGetDeviceInfo(
		simulated->device, CL_DEVICE_EXTENSIONS_WITH_VERSION, bytes, list, NULL);
	for (size_t i = 0; *status == CL_SUCCESS && i < bytes / sizeof(*list); i++)
		if (strncmp(list[i].name, IMAGE_ON_BUFFER, sizeof(list[i].name)) != 0)
			list[count++] = list[i];
	if (simulated->profile->caps.image2d_from_buffer) {
		list[count] = (cl_name_version){ .version = CL_MAKE_VERSION(1, 0, 0) };
		memcpy(list[count++].name, IMAGE_ON_BUFFER, sizeof(IMAGE_ON_BUFFER));
	}
	if (*status == CL_SUCCESS)
		*status = answer(list, count * sizeof(*list), room, out, bytes_ret);
	free(list);
	return true;
}

static const struct {
	cl_device_info name;
	char *(*make)(const struct simulated *simulated);
} texts[] = {
	{ CL_DEVICE_NAME, name_text },
	{ CL_DEVICE_VENDOR, vendor_text },
	{ CL_DRIVER_VERSION, driver_text },
	{ CL_DEVICE_VERSION, version_text },
	{ CL_DEVICE_OPENCL_C_VERSION, c_version_text },
	{ CL_DEVICE_EXTENSIONS, extensions_text },
};

static bool answer_text(cl_int *status, const struct simulated *simulated, cl_device_info name,
			size_t room, void *out, size_t *bytes_ret)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char *text = texts[i].name == name ? texts[i].make(simulated) : NULL;

		if (!text)
			continue;
		*status = answer(text, strlen(text) + 1, room, out, bytes_ret);
		free(text);
		return true;
	}
	return false;
}

static bool answer_number(cl_int *status, const struct simulated *simulated, cl_device_info name,
			  size_t room, void *out, size_t *bytes_ret)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		uint64_t value;
		uint32_t value32;

		if (numbers[i].name != name)
			continue;
		value = shown_value(&numbers[i], simulated);
		value32 = (uint32_t)value;
		*status = numbers[i].width == sizeof(value32)
				  ? answer(&value32, sizeof(value32), room, out, bytes_ret)
				  : answer(&value, sizeof(value), room, out, bytes_ret);
		return true;
	}
	return false;
}

cl_int CL_API_CALL berth__simulate_clGetDeviceInfo(cl_device_id device, cl_device_info name,
						   size_t size, void *value, size_t *size_ret)
{
	struct simulated *simulated;
	cl_int status;
	cl_uint version;

	/* An unknown device is the driver's to refuse, and its own inner calls are its own. */
	if (berth__this_thread.depth > 0 ||
	    berth__simulate_real.clGetDeviceInfo(device, CL_DEVICE_NAME, 0, NULL, &(size_t){ 0 }) !=
		    CL_SUCCESS)
		return berth__simulate_real.clGetDeviceInfo(device, name, size, value, size_ret);
	simulated = berth__simulate_device(device);
	if (simulated && name == CL_DEVICE_TYPE && berth__simulate_type() != 0) {
		cl_device_type type = berth__simulate_type();

		return answer(&type, sizeof(type), size, value, size_ret);
	}
	if (simulated && name == CL_DEVICE_NUMERIC_VERSION && real_value(device, name) > 0) {
		version = shown_version(simulated);
		version = version / 100 << 22 | version / 10 % 10 << 12;
		return answer(&version, sizeof(version), size, value, size_ret);
	}
	if (simulated && name == CL_DEVICE_EXTENSIONS_WITH_VERSION &&
	    answer_versions(&status, simulated, size, value, size_ret))
		return status;
	if (simulated && (answer_number(&status, simulated, name, size, value, size_ret) ||
			  answer_text(&status, simulated, name, size, value, size_ret)))
		return status;
	return berth__simulate_real.clGetDeviceInfo(device, name, size, value, size_ret);
}
