/* SPDX-License-Identifier: Apache-2.0 */
/* Capabilities of a driver's device: tables of what to ask and where to put it. */
#include "caps_query.h"

#include <stdlib.h>
#include <string.h>

/* Every 2.0 header names them; the numbers are the same in the 1.2 extension. */
#ifndef CL_DEVICE_IMAGE_PITCH_ALIGNMENT
#define CL_DEVICE_IMAGE_PITCH_ALIGNMENT 0x104A
#endif
#ifndef CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT
#define CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT 0x104B
#endif

struct asker {
	const struct berth__caps_calls *calls;
	cl_device_id device;
};

enum need {
	NEED_ALWAYS, /* every version and device has it */
	NEED_NEVER,  /* a refusal leaves the field as it is */
};

enum field_type { FIELD_U32, FIELD_U64, FIELD_BOOL };

#define FIELD(member) offsetof(berth_caps, member), sizeof(((berth_caps *)0)->member)
#define QUERY(name) name, #name

static const struct string_query {
	cl_device_info query;
	const char *name;
	size_t offset, room;
} string_queries[] = {
	{ QUERY(CL_DEVICE_NAME), FIELD(name) },
	{ QUERY(CL_DEVICE_VENDOR), FIELD(vendor) },
	{ QUERY(CL_DEVICE_VERSION), FIELD(device_version) },
	{ QUERY(CL_DRIVER_VERSION), FIELD(driver_version) },
};

static const struct number_query {
	cl_device_info query;
	const char *name;
	size_t offset;
	enum field_type type;
	enum need need;
} number_queries[] = {
#define NUMBER(query, member, type, need)                                                          \
	{                                                                                          \
		query, #query, offsetof(berth_caps, member), type, need                            \
	}
	NUMBER(CL_DEVICE_GLOBAL_MEM_SIZE, global_mem_bytes, FIELD_U64, NEED_ALWAYS),
	NUMBER(CL_DEVICE_MAX_MEM_ALLOC_SIZE, max_alloc_bytes, FIELD_U64, NEED_ALWAYS),
	NUMBER(CL_DEVICE_LOCAL_MEM_SIZE, local_mem_bytes, FIELD_U64, NEED_ALWAYS),
	NUMBER(CL_DEVICE_MEM_BASE_ADDR_ALIGN, base_addr_align_bits, FIELD_U32, NEED_ALWAYS),
	NUMBER(CL_DEVICE_IMAGE_SUPPORT, images, FIELD_BOOL, NEED_ALWAYS),
	NUMBER(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, cacheline_bytes, FIELD_U32, NEED_NEVER),
	NUMBER(CL_DEVICE_HOST_UNIFIED_MEMORY, host_unified, FIELD_BOOL, NEED_NEVER),
	NUMBER(CL_DEVICE_SVM_CAPABILITIES, svm_caps, FIELD_U64, NEED_NEVER),
	NUMBER(CL_DEVICE_PIPE_MAX_PACKET_SIZE, pipe_max_packet_bytes, FIELD_U32, NEED_NEVER),
	NUMBER(CL_DEVICE_IMAGE2D_MAX_WIDTH, image2d_max_width, FIELD_U64, NEED_NEVER),
	NUMBER(CL_DEVICE_IMAGE2D_MAX_HEIGHT, image2d_max_height, FIELD_U64, NEED_NEVER),
	NUMBER(CL_DEVICE_IMAGE3D_MAX_WIDTH, image3d_max_width, FIELD_U64, NEED_NEVER),
	NUMBER(CL_DEVICE_IMAGE3D_MAX_HEIGHT, image3d_max_height, FIELD_U64, NEED_NEVER),
	NUMBER(CL_DEVICE_IMAGE3D_MAX_DEPTH, image3d_max_depth, FIELD_U64, NEED_NEVER),
	NUMBER(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, image_max_buffer_px, FIELD_U64, NEED_NEVER),
	NUMBER(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, image_max_array, FIELD_U64, NEED_NEVER),
#undef NUMBER
};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static berth_status refused(const char *call, const char *query, cl_int code)
{
	return berth_error_set(BERTH_E_CL, code, "%s(%s) failed with %s", call, query,
			       berth_cl_status_string(code));
}

/*
 * Drivers have been seen to answer a cl_uint query with a size_t and the other
 * way round, so the width is the one that comes back.
 */
static cl_int ask_number(const struct asker *asker, cl_device_info query, uint64_t *out)
{
	union {
		uint32_t u32;
		uint64_t u64;
	} value = { .u64 = 0 };
	size_t bytes = 0;
	cl_int code =
		asker->calls->get_device_info(asker->device, query, sizeof(value), &value, &bytes);

	if (code != CL_SUCCESS)
		return code;
	if (bytes != sizeof(value.u32) && bytes != sizeof(value.u64))
		return CL_INVALID_VALUE;
	*out = bytes == sizeof(value.u32) ? value.u32 : value.u64;
	return CL_SUCCESS;
}

static uint32_t to_u32(uint64_t value)
{
	return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

static void store_number(berth_caps *caps, const struct number_query *row, uint64_t value)
{
	unsigned char *field = (unsigned char *)caps + row->offset;
	uint32_t u32 = to_u32(value);
	bool truth = value != 0;

	switch (row->type) {
	case FIELD_U32:
		memcpy(field, &u32, sizeof(u32));
		break;
	case FIELD_U64:
		memcpy(field, &value, sizeof(value));
		break;
	case FIELD_BOOL:
		memcpy(field, &truth, sizeof(truth));
		break;
	}
}

static berth_status ask_numbers(berth_caps *caps, const struct asker *asker)
{
	for (size_t i = 0; i < LENGTH(number_queries); i++) {
		const struct number_query *row = &number_queries[i];
		uint64_t value;
		cl_int code = ask_number(asker, row->query, &value);

		if (code == CL_SUCCESS)
			store_number(caps, row, value);
		else if (row->need == NEED_ALWAYS)
			return refused("clGetDeviceInfo", row->name, code);
	}
	return BERTH_OK;
}

/* A string of any length; the caller frees it. NULL with *code CL_SUCCESS: out of memory. */
static char *ask_string(const struct asker *asker, cl_device_info query, cl_int *code)
{
	size_t bytes = 0;
	char *text;

	*code = asker->calls->get_device_info(asker->device, query, 0, NULL, &bytes);
	if (*code != CL_SUCCESS)
		return NULL;
	text = calloc(1, bytes + 1);
	if (text && bytes > 0)
		*code = asker->calls->get_device_info(asker->device, query, bytes, text, NULL);
	if (*code != CL_SUCCESS) {
		free(text);
		text = NULL;
	}
	return text;
}

static void copy_cut(char *out, size_t room, const char *text)
{
	size_t length = strnlen(text, room - 1);

	memcpy(out, text, length);
	out[length] = '\0';
}

static berth_status no_memory(void)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a device's capabilities");
}

static berth_status ask_strings(berth_caps *caps, const struct asker *asker)
{
	for (size_t i = 0; i < LENGTH(string_queries); i++) {
		const struct string_query *row = &string_queries[i];
		cl_int code;
		char *text = ask_string(asker, row->query, &code);

		if (code != CL_SUCCESS)
			return refused("clGetDeviceInfo", row->name, code);
		if (!text)
			return no_memory();
		copy_cut((char *)caps + row->offset, row->room, text);
		free(text);
	}
	return BERTH_OK;
}

static berth_status ask_platform(berth_caps *caps, const struct asker *asker)
{
	cl_platform_id platform = NULL;
	char name[1024] = "";
	cl_int code;

	code = asker->calls->get_device_info(asker->device, CL_DEVICE_PLATFORM, sizeof(platform),
					     &platform, NULL);
	if (code != CL_SUCCESS)
		return refused("clGetDeviceInfo", "CL_DEVICE_PLATFORM", code);
	code = asker->calls->get_platform_info(platform, CL_PLATFORM_NAME, sizeof(name) - 1, name,
					       NULL);
	if (code != CL_SUCCESS)
		return refused("clGetPlatformInfo", "CL_PLATFORM_NAME", code);
	copy_cut(caps->platform, sizeof(caps->platform), name);
	return BERTH_OK;
}

/* "OpenCL MAJOR.MINOR and what the vendor likes"; 1.0 when it is not of that form. */
static uint32_t parse_version(const char *text)
{
	static const char prefix[] = "OpenCL ";
	unsigned long major, minor;
	char *end;

	if (strncmp(text, prefix, sizeof(prefix) - 1) != 0)
		return 100;
	major = strtoul(text + sizeof(prefix) - 1, &end, 10);
	if (*end != '.' || major < 1 || major > 99)
		return 100;
	minor = strtoul(end + 1, NULL, 10);
	return (uint32_t)(major * 100 + (minor > 9 ? 9 : minor) * 10);
}

/* Whole words only: names of extensions are prefixes of others. */
static bool has_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = text; (at = strstr(at, word)) != NULL; at += length) {
		bool begins = at == text || at[-1] == ' ';

		if (begins && (at[length] == ' ' || at[length] == '\0'))
			return true;
	}
	return false;
}

static uint32_t told_or_1(uint64_t alignment)
{
	return alignment ? to_u32(alignment) : 1;
}

static berth_status ask_images_on_buffers(berth_caps *caps, const struct asker *asker)
{
	uint64_t pitch = 0, base = 0;
	cl_int code, pitch_code;
	char *extensions = ask_string(asker, CL_DEVICE_EXTENSIONS, &code);
	bool listed;

	if (code != CL_SUCCESS)
		return refused("clGetDeviceInfo", "CL_DEVICE_EXTENSIONS", code);
	if (!extensions)
		return no_memory();
	listed = has_word(extensions, "cl_khr_image2d_from_buffer");
	free(extensions);

	pitch_code = ask_number(asker, CL_DEVICE_IMAGE_PITCH_ALIGNMENT, &pitch);
	ask_number(asker, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, &base);
	caps->image2d_from_buffer =
		caps->images &&
		(listed || (caps->cl_version >= 200 && (pitch_code != CL_SUCCESS || pitch != 0)));
	if (!caps->image2d_from_buffer)
		return BERTH_OK;
	caps->image_pitch_align = told_or_1(pitch);
	caps->image_base_align = told_or_1(base);
	return BERTH_OK;
}

/* False when there is no room for one more. */
static bool add_format(berth_caps *caps, const cl_image_format *format, uint32_t access)
{
	uint32_t order = format->image_channel_order, type = format->image_channel_data_type;
	uint32_t at = 0;

	if (berth_format_element_bytes(order, type) == 0)
		return true;
	while (at < caps->format_count &&
	       (caps->formats[at].order != order || caps->formats[at].type != type))
		at++;
	if (at == BERTH_FORMATS_MAX)
		return false;
	if (at == caps->format_count)
		caps->formats[caps->format_count++] = (berth_format){ order, type, 0 };
	caps->formats[at].access |= access;
	return true;
}

/* One question: what images of a type may be, for the access of kernels in flags. */
struct format_question {
	cl_context context;
	cl_mem_object_type type;
	cl_mem_flags flags;
	uint32_t access; /* its bits in berth_format.access */
};

/* *known becomes false when the driver does not tell, or tells more than there is room for. */
static berth_status ask_formats_for(berth_caps *caps, const struct asker *asker,
				    const struct format_question *question, bool *known)
{
	cl_image_format *formats;
	cl_uint count = 0;
	cl_int code = asker->calls->get_supported_image_formats(
		question->context, question->flags, question->type, 0, NULL, &count);

	if (code != CL_SUCCESS) {
		*known = false;
		return BERTH_OK;
	}
	if (count == 0)
		return BERTH_OK;
	formats = calloc(count, sizeof(*formats));
	if (!formats)
		return no_memory();
	code = asker->calls->get_supported_image_formats(question->context, question->flags,
							 question->type, count, formats, NULL);
	*known = code == CL_SUCCESS;
	for (cl_uint i = 0; *known && i < count; i++)
		*known = add_format(caps, &formats[i], question->access);
	free(formats);
	return BERTH_OK;
}

/* The formats of one type of images, or none of them. */
static berth_status ask_formats_of(berth_caps *caps, const struct asker *asker, cl_context context,
				   cl_mem_object_type type, bool *known)
{
	static const struct {
		cl_mem_flags flags;
		uint32_t access;
	} rows[] = {
		{ CL_MEM_READ_ONLY, BERTH_FORMAT_READ },
		{ CL_MEM_WRITE_ONLY, BERTH_FORMAT_WRITE },
		{ CL_MEM_READ_WRITE, BERTH_FORMAT_READ_WRITE },
	};
	const berth_format_image image = berth_format_image_of(type);
	berth_caps told = *caps;
	berth_status st = BERTH_OK;

	*known = true;
	for (size_t i = 0; st == BERTH_OK && *known && i < LENGTH(rows); i++) {
		const struct format_question question = {
			context, type, rows[i].flags, BERTH_FORMAT_BITS(image, rows[i].access)
		};

		st = ask_formats_for(&told, asker, &question, known);
	}
	if (st == BERTH_OK && *known)
		*caps = told;
	return st;
}

static berth_status ask_formats(berth_caps *caps, const struct asker *asker, cl_context context)
{
	/* Images that are not 2D or 3D came with OpenCL 1.2. */
	static const struct {
		cl_mem_object_type type;
		uint32_t cl_version;
	} rows[] = {
		{ CL_MEM_OBJECT_IMAGE2D, 100 },	      { CL_MEM_OBJECT_IMAGE3D, 100 },
		{ CL_MEM_OBJECT_IMAGE1D, 120 },	      { CL_MEM_OBJECT_IMAGE1D_BUFFER, 120 },
		{ CL_MEM_OBJECT_IMAGE1D_ARRAY, 120 }, { CL_MEM_OBJECT_IMAGE2D_ARRAY, 120 },
	};
	berth_status st = BERTH_OK;
	bool known = true;

	for (size_t i = 0; st == BERTH_OK && i < LENGTH(rows); i++) {
		if (rows[i].cl_version > caps->cl_version)
			continue;
		st = ask_formats_of(caps, asker, context, rows[i].type, &known);
		/* Without those of 2D images, which are first, a list would say nothing. */
		if (caps->format_count == 0)
			break;
	}
	return st;
}

berth_status berth__caps_query(berth_caps *out, const struct berth__caps_calls *calls,
			       cl_device_id device, cl_context context)
{
	struct asker asker = { calls, device };
	berth_caps caps = { .pitch_unit = BERTH_PITCH_UNIT_PIXELS };
	berth_status st;

	if ((st = ask_strings(&caps, &asker)) != BERTH_OK ||
	    (st = ask_platform(&caps, &asker)) != BERTH_OK ||
	    (st = ask_numbers(&caps, &asker)) != BERTH_OK)
		return st;
	caps.cl_version = parse_version(caps.device_version);
	if ((st = ask_images_on_buffers(&caps, &asker)) != BERTH_OK)
		return st;
	if (context && caps.images && (st = ask_formats(&caps, &asker, context)) != BERTH_OK)
		return st;
	*out = caps;
	return BERTH_OK;
}
