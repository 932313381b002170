/* SPDX-License-Identifier: Apache-2.0 */
/* A device of a dump as a profile: what is there, what is missing, what makes no sense. */
#include "clinfo_file.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

/* Texts of a profile are lines of up to 197 bytes. */
#define TEXT_BYTES_MAX 128

/* What cannot be: no device has more memory, longer cache lines, larger images. */
#define MEMORY_BYTES_MAX (UINT64_C(1) << 50)
#define CACHELINE_BYTES_MAX 65536
#define IMAGE_SIZE_MAX (UINT64_C(1) << 40)
#define ALIGNMENT_MAX (UINT64_C(1) << 30)

enum absence {
	REQUIRED,  /* nothing can stand for it */
	MINIMUM,   /* the specification's */
	UNKNOWN_0, /* 0 says "not known" */
};

/* Numbers of a profile and what they may be. */
static const struct number_field {
	enum berth__clinfo_field field;
	const char *query;
	enum absence absence;
	bool only_images;
	bool power_of_two;
	size_t offset; /* in berth_caps */
	size_t bytes;
	uint64_t minimum, maximum;
} numbers[] = {
#define FIELD(member) offsetof(berth_caps, member), sizeof(((berth_caps *)0)->member)
	{ CLINFO_GLOBAL_MEM, "CL_DEVICE_GLOBAL_MEM_SIZE", REQUIRED, false, false,
	  FIELD(global_mem_bytes), 1, MEMORY_BYTES_MAX },
	{ CLINFO_MAX_ALLOC, "CL_DEVICE_MAX_MEM_ALLOC_SIZE", REQUIRED, false, false,
	  FIELD(max_alloc_bytes), 1, MEMORY_BYTES_MAX },
	{ CLINFO_BASE_ALIGN, "CL_DEVICE_MEM_BASE_ADDR_ALIGN", REQUIRED, false, true,
	  FIELD(base_addr_align_bits), 8, ALIGNMENT_MAX },
	{ CLINFO_LOCAL_MEM, "CL_DEVICE_LOCAL_MEM_SIZE", MINIMUM, false, false,
	  FIELD(local_mem_bytes), 1, MEMORY_BYTES_MAX },
	{ CLINFO_CACHELINE, "CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE", UNKNOWN_0, false, false,
	  FIELD(cacheline_bytes), 0, CACHELINE_BYTES_MAX },
	{ CLINFO_2D_WIDTH, "CL_DEVICE_IMAGE2D_MAX_WIDTH", MINIMUM, true, false,
	  FIELD(image2d_max_width), 1, IMAGE_SIZE_MAX },
	{ CLINFO_2D_HEIGHT, "CL_DEVICE_IMAGE2D_MAX_HEIGHT", MINIMUM, true, false,
	  FIELD(image2d_max_height), 1, IMAGE_SIZE_MAX },
	{ CLINFO_3D_WIDTH, "CL_DEVICE_IMAGE3D_MAX_WIDTH", MINIMUM, true, false,
	  FIELD(image3d_max_width), 0, IMAGE_SIZE_MAX },
	{ CLINFO_3D_HEIGHT, "CL_DEVICE_IMAGE3D_MAX_HEIGHT", MINIMUM, true, false,
	  FIELD(image3d_max_height), 0, IMAGE_SIZE_MAX },
	{ CLINFO_3D_DEPTH, "CL_DEVICE_IMAGE3D_MAX_DEPTH", MINIMUM, true, false,
	  FIELD(image3d_max_depth), 0, IMAGE_SIZE_MAX },
	{ CLINFO_BUFFER_PX, "CL_DEVICE_IMAGE_MAX_BUFFER_SIZE", MINIMUM, true, false,
	  FIELD(image_max_buffer_px), 0, IMAGE_SIZE_MAX },
	{ CLINFO_ARRAY, "CL_DEVICE_IMAGE_MAX_ARRAY_SIZE", MINIMUM, true, false,
	  FIELD(image_max_array), 0, IMAGE_SIZE_MAX },
#undef FIELD
};

struct maker {
	const struct berth__clinfo_device *device;
	berth_clinfo_report *report;
	berth_caps *caps;
	char missing[256]; /* of what is required, with commas */
};

#define NOTE(maker, ...)                                                                           \
	berth__clinfo_note((maker)->report->findings, sizeof((maker)->report->findings),           \
			   &(maker)->report->finding_count, __VA_ARGS__)

static const struct berth__clinfo_value *value_of(const struct maker *maker,
						  enum berth__clinfo_field field)
{
	const struct berth__clinfo_value *value = &maker->device->values[field];

	return value->line != 0 ? value : NULL;
}

static void miss(struct maker *maker, const char *query)
{
	size_t used = strlen(maker->missing);

	snprintf(maker->missing + used, sizeof(maker->missing) - used, "%s%s", used ? ", " : "",
		 query);
	NOTE(maker, "missing: %s; nothing can stand for it", query);
}

/* Whether bytes are UTF-8 as far as its lead and continuation bytes go. */
static bool is_utf8(const char *text)
{
	for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
		int more = *at < 0x80		       ? 0
			   : *at >= 0xf0 && *at < 0xf5 ? 3
			   : *at >= 0xe0 && *at < 0xf0 ? 2
			   : *at >= 0xc2 && *at < 0xe0 ? 1
						       : -1;

		if (more < 0)
			return false;
		while (more-- > 0)
			if ((*++at & 0xc0) != 0x80)
				return false;
	}
	return true;
}

/* A text for a profile: UTF-8, of Latin-1 where it is none; without what begins a comment. */
static void copy_text(char *out, size_t room, const char *text)
{
	bool utf8 = is_utf8(text);
	size_t used = 0;

	for (const unsigned char *at = (const unsigned char *)text; *at && used + 3 < room; at++) {
		unsigned char byte = *at;

		if (byte == ';' && used > 0 && out[used - 1] == ' ')
			byte = ',';
		if (utf8 || byte < 0x80) {
			out[used++] = (char)byte;
		} else {
			out[used++] = (char)(0xc0 | byte >> 6);
			out[used++] = (char)(0x80 | (byte & 0x3f));
		}
	}
	/* Cut within a character: without the rest of it. */
	out[used] = '\0';
	while (used > 0 && (out[used - 1] == ' ' || !is_utf8(out)))
		out[--used] = '\0';
}

static void take_text(struct maker *maker, char *out, size_t room, enum berth__clinfo_field field,
		      const char *query)
{
	const struct berth__clinfo_value *value = value_of(maker, field);

	memset(out, 0, room);
	if (!value)
		NOTE(maker, "missing: %s", query);
	copy_text(out, room < TEXT_BYTES_MAX ? room : TEXT_BYTES_MAX,
		  value ? value->text : "unknown");
}

/* "OpenCL 1.2 anything" */
static bool take_version(struct maker *maker)
{
	static const uint32_t known[] = { 100, 110, 120, 200, 210, 220, 300, 310 };
	const struct berth__clinfo_value *value = value_of(maker, CLINFO_DEVICE_VERSION);
	unsigned major, minor;

	if (!value || sscanf(value->text, "OpenCL %1u.%1u", &major, &minor) != 2) {
		if (value)
			NOTE(maker, "line %u: '%.40s' is no version of OpenCL", value->line,
			     value->text);
		miss(maker, "CL_DEVICE_VERSION");
		return false;
	}
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (known[i] != major * 100 + minor * 10)
			continue;
		berth_caps_init_minimum(maker->caps, known[i]);
		return true;
	}
	NOTE(maker, "line %u: there is no OpenCL %u.%u", value->line, major, minor);
	miss(maker, "CL_DEVICE_VERSION");
	return false;
}

static bool is_power_of_two(uint64_t number)
{
	return number != 0 && (number & (number - 1)) == 0;
}

static void store(berth_caps *caps, const struct number_field *field, uint64_t number)
{
	uint32_t narrow = (uint32_t)number;

	if (field->bytes == sizeof(narrow))
		memcpy((char *)caps + field->offset, &narrow, sizeof(narrow));
	else
		memcpy((char *)caps + field->offset, &number, sizeof(number));
}

static void take_number(struct maker *maker, const struct number_field *field)
{
	const struct berth__clinfo_value *value = value_of(maker, field->field);

	if (value && value->number >= field->minimum && value->number <= field->maximum &&
	    (!field->power_of_two || is_power_of_two(value->number))) {
		store(maker->caps, field, value->number);
		return;
	}
	if (value)
		NOTE(maker, "line %u: %s cannot be %llu", value->line, field->query,
		     (unsigned long long)value->number);
	if (field->absence == REQUIRED) {
		miss(maker, field->query);
	} else if (field->absence == MINIMUM) {
		NOTE(maker, "missing: %s; the specification's minimum stands for it", field->query);
	} else {
		NOTE(maker, "missing: %s", field->query);
		store(maker->caps, field, 0);
	}
}

/* Sizes of images say that there are images; without them, nothing does. */
static bool take_images(struct maker *maker)
{
	const struct berth__clinfo_value *value = value_of(maker, CLINFO_IMAGES);

	if (value)
		return value->number != 0;
	if (value_of(maker, CLINFO_2D_WIDTH))
		NOTE(maker, "missing: CL_DEVICE_IMAGE_SUPPORT; there are sizes of images, so yes");
	else
		miss(maker, "CL_DEVICE_IMAGE_SUPPORT");
	return true;
}

static bool take_unified(struct maker *maker)
{
	const struct berth__clinfo_value *value = value_of(maker, CLINFO_UNIFIED);

	if (!value)
		NOTE(maker, "missing: CL_DEVICE_HOST_UNIFIED_MEMORY; taken as no");
	return value && value->number != 0;
}

static void take_svm(struct maker *maker)
{
	static const struct {
		enum berth__clinfo_field field;
		uint64_t bit;
	} bits[] = {
		{ CLINFO_SVM_COARSE, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER },
		{ CLINFO_SVM_FINE, CL_DEVICE_SVM_FINE_GRAIN_BUFFER },
		{ CLINFO_SVM_SYSTEM, CL_DEVICE_SVM_FINE_GRAIN_SYSTEM },
		{ CLINFO_SVM_ATOMICS, CL_DEVICE_SVM_ATOMICS },
	};
	const struct berth__clinfo_value *value = value_of(maker, CLINFO_SVM);
	bool is_said = value != NULL;
	uint64_t caps = value ? value->number & 15 : 0;

	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		value = value_of(maker, bits[i].field);
		is_said |= value != NULL;
		caps |= value && value->number ? bits[i].bit : 0;
	}
	maker->caps->svm_caps = caps;
	/* Before 2.0 there is none to speak of. */
	if (!is_said && maker->caps->cl_version >= 200)
		NOTE(maker, "missing: CL_DEVICE_SVM_CAPABILITIES; taken as none");
}

/* 0 where it is 0, missing or no alignment. */
static uint32_t alignment(struct maker *maker, enum berth__clinfo_field field, const char *query)
{
	const struct berth__clinfo_value *value = value_of(maker, field);

	if (!value) {
		NOTE(maker, "missing: %s; images on buffers are off", query);
		return 0;
	}
	if (value->number == 0 ||
	    (is_power_of_two(value->number) && value->number <= ALIGNMENT_MAX))
		return (uint32_t)value->number;
	NOTE(maker, "line %u: %s is no power of two: %llu; images on buffers are off", value->line,
	     query, (unsigned long long)value->number);
	return 0;
}

/*
 * Images on buffers: an extension, in 2.0 to 2.2 part of the core; whose alignments are
 * then not 0.
 */
static void take_from_buffer(struct maker *maker)
{
	const struct berth__clinfo_value *list = value_of(maker, CLINFO_EXTENSIONS);
	berth_caps *caps = maker->caps;
	bool is_core = caps->cl_version >= 200 && caps->cl_version < 300;
	bool has_any = value_of(maker, CLINFO_IMAGE_PITCH) || value_of(maker, CLINFO_IMAGE_BASE);
	/* Without it, some print alignments all the same, and mean nothing by them. */
	bool is_denied = list && list->number == 0 && caps->cl_version < 200;

	caps->image_pitch_align = caps->image_base_align = 0;
	caps->image2d_from_buffer = false;
	if (is_denied || (list && list->number == 0 && !is_core && !has_any))
		return;
	if (!list && !has_any && caps->cl_version < 200) {
		NOTE(maker, "missing: CL_DEVICE_EXTENSIONS; images on buffers are off");
		return;
	}
	caps->image_pitch_align =
		alignment(maker, CLINFO_IMAGE_PITCH, "CL_DEVICE_IMAGE_PITCH_ALIGNMENT");
	caps->image_base_align =
		alignment(maker, CLINFO_IMAGE_BASE, "CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT");
	caps->image2d_from_buffer = caps->image_pitch_align != 0 && caps->image_base_align != 0;
	if (!caps->image2d_from_buffer)
		caps->image_pitch_align = caps->image_base_align = 0;
}

static void drop_images(berth_caps *caps)
{
	caps->image2d_from_buffer = false;
	caps->image_pitch_align = caps->image_base_align = 0;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].only_images)
			store(caps, &numbers[i], 0);
}

static void take_caps(struct maker *maker)
{
	berth_caps *caps = maker->caps;

	take_version(maker);
	/* The list of 2D formats is in no dump: not known is not a refusal. */
	caps->format_count = 0;
	memset(caps->formats, 0, sizeof(caps->formats));
	take_text(maker, caps->name, sizeof(caps->name), CLINFO_NAME, "CL_DEVICE_NAME");
	take_text(maker, caps->vendor, sizeof(caps->vendor), CLINFO_VENDOR, "CL_DEVICE_VENDOR");
	take_text(maker, caps->device_version, sizeof(caps->device_version), CLINFO_DEVICE_VERSION,
		  "CL_DEVICE_VERSION");
	take_text(maker, caps->driver_version, sizeof(caps->driver_version), CLINFO_DRIVER_VERSION,
		  "CL_DRIVER_VERSION");
	caps->images = take_images(maker);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (caps->images || !numbers[i].only_images)
			take_number(maker, &numbers[i]);
	caps->host_unified = take_unified(maker);
	take_svm(maker);
	if (caps->images)
		take_from_buffer(maker);
	else
		drop_images(caps);
}

static void name_profile(berth_profile *profile, const struct maker *maker, const char *path,
			 uint32_t index)
{
	const char *slash = strrchr(path, '/');
	char text[384];

	if (!value_of(maker, CLINFO_NAME))
		snprintf(profile->caps.name, sizeof(profile->caps.name), "device %u of a dump",
			 index);
	copy_text(profile->name, sizeof(profile->name), profile->caps.name);
	snprintf(text, sizeof(text), "lines %u to %u of what clinfo printed: %.80s",
		 maker->device->first_line, maker->device->last_line, slash ? slash + 1 : path);
	for (char *at = text; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
	copy_text(profile->source, TEXT_BYTES_MAX, text);
}

static berth_status make(berth_profile *profile, struct maker *maker, const char *path,
			 uint32_t index)
{
	take_caps(maker);
	if (*maker->missing)
		return berth_error_set(
			BERTH_E_FORMAT, 0, "%s: device %u in lines %u to %u lacks %s", path, index,
			maker->device->first_line, maker->device->last_line, maker->missing);
	name_profile(profile, maker, path, index);
	profile->memory.capacity_bytes = profile->caps.global_mem_bytes;
	profile->memory.granularity_bytes = 1;
	profile->memory.image_row_align_bytes = 1;
	profile->memory.out_of_memory_code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
	if (berth_caps_validate(&profile->caps) != BERTH_OK)
		return berth_error_set(BERTH_E_FORMAT, 0, "%s: device %u in lines %u to %u: %s",
				       path, index, maker->device->first_line,
				       maker->device->last_line, berth_error_get()->message);
	return BERTH_OK;
}

berth_status berth__clinfo_profile(berth_profile *out, const struct berth__clinfo_device *device,
				   const char *path, uint32_t index, berth_clinfo_report *report)
{
	berth_profile *profile = calloc(1, sizeof(*profile));
	struct maker maker = { .device = device, .report = report };
	char problems[sizeof(device->problems)], *rest = problems, *line;
	berth_status st;

	if (!profile)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a profile of '%s'", path);
	maker.caps = &profile->caps;
	memcpy(problems, device->problems, sizeof(problems));
	while ((line = strsep(&rest, "\n")) && *line)
		NOTE(&maker, "%s", line);
	st = make(profile, &maker, path, index);
	if (st == BERTH_OK)
		*out = *profile;
	free(profile);
	return st;
}
