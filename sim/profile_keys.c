/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of a profile as a table, and how the text of a value becomes the value. */
#include "profile_file.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

static const struct berth__profile_word versions[] = {
	{ "1.0", 100 }, { "1.1", 110 }, { "1.2", 120 }, { "2.0", 200 }, { "2.1", 210 },
	{ "2.2", 220 }, { "3.0", 300 }, { "3.1", 310 }, { NULL, 0 },
};

static const struct berth__profile_word svm_caps[] = {
	{ "none", 0 },
	{ "coarse", CL_DEVICE_SVM_COARSE_GRAIN_BUFFER },
	{ "fine", CL_DEVICE_SVM_FINE_GRAIN_BUFFER },
	{ "fine_system", CL_DEVICE_SVM_FINE_GRAIN_SYSTEM },
	{ "atomics", CL_DEVICE_SVM_ATOMICS },
	{ NULL, 0 },
};

static const struct berth__profile_word pitch_units[] = {
	{ "pixels", BERTH_PITCH_UNIT_PIXELS },
	{ "bytes", BERTH_PITCH_UNIT_BYTES },
	{ NULL, 0 },
};

static const struct berth__profile_word commits[] = {
	{ "create", BERTH_COMMIT_CREATE },
	{ "first_use", BERTH_COMMIT_FIRST_USE },
	{ "migrate", BERTH_COMMIT_MIGRATE },
	{ "ndrange", BERTH_COMMIT_NDRANGE },
	{ NULL, 0 },
};

static const struct berth__profile_word memory_codes[] = {
	{ "CL_MEM_OBJECT_ALLOCATION_FAILURE", CL_MEM_OBJECT_ALLOCATION_FAILURE },
	{ "CL_OUT_OF_RESOURCES", CL_OUT_OF_RESOURCES },
	{ "CL_OUT_OF_HOST_MEMORY", CL_OUT_OF_HOST_MEMORY },
	{ NULL, 0 },
};

#define ACCESSES(prefix, factor)                                                                   \
	{ prefix "read", (factor)*BERTH_FORMAT_READ },                                             \
		{ prefix "write", (factor)*BERTH_FORMAT_WRITE },                                   \
	{                                                                                          \
		prefix "read_write", (factor)*BERTH_FORMAT_READ_WRITE                              \
	}

/* The one for all types stands first: what is printed then needs no other. */
const struct berth__profile_word berth__profile_accesses[] = {
	ACCESSES("all.", 0x111111),
	ACCESSES("", BERTH_FORMAT_BITS(BERTH_FORMAT_2D, 1)),
	ACCESSES("1d.", BERTH_FORMAT_BITS(BERTH_FORMAT_1D, 1)),
	ACCESSES("1d_buffer.", BERTH_FORMAT_BITS(BERTH_FORMAT_1D_BUFFER, 1)),
	ACCESSES("1d_array.", BERTH_FORMAT_BITS(BERTH_FORMAT_1D_ARRAY, 1)),
	ACCESSES("2d_array.", BERTH_FORMAT_BITS(BERTH_FORMAT_2D_ARRAY, 1)),
	ACCESSES("3d.", BERTH_FORMAT_BITS(BERTH_FORMAT_3D, 1)),
	{ NULL, 0 },
};

/* Words store into 32 bits, whatever their enum. */
_Static_assert(sizeof(berth_pitch_unit) == 4 && sizeof(berth_commit) == 4, "enums are 32 bits");

/* cl_version stands first: the others' defaults depend on it. */
static const struct berth__profile_key keys[] = {
	{ "caps", "cl_version", CHOICE(caps.cl_version, versions), .required = true },
	{ "profile", "name", TEXT(name), .required = true },
	{ "profile", "source", TEXT(source), .required = true },
	{ "caps", "name", TEXT(caps.name) },
	{ "caps", "vendor", TEXT(caps.vendor) },
	{ "caps", "device_version", TEXT(caps.device_version) },
	{ "caps", "driver_version", TEXT(caps.driver_version) },
	{ "caps", "global_mem_bytes", NUMBER64(caps.global_mem_bytes), .required = true,
	  .minimum = 1 },
	{ "caps", "max_alloc_bytes", NUMBER64(caps.max_alloc_bytes), .required = true,
	  .minimum = 1 },
	{ "caps", "local_mem_bytes", NUMBER64(caps.local_mem_bytes), .minimum = 1 },
	{ "caps", "base_addr_align_bits", NUMBER32(caps.base_addr_align_bits), .required = true,
	  .minimum = 8, .power_of_two = true },
	{ "caps", "cacheline_bytes", NUMBER32(caps.cacheline_bytes) },
	{ "caps", "host_unified", BOOL(caps.host_unified) },
	{ "caps", "svm_caps", FLAGS(caps.svm_caps, svm_caps) },
	{ "caps", "pipe_max_packet_bytes", NUMBER32(caps.pipe_max_packet_bytes) },
	{ "caps", "images", BOOL(caps.images) },
	{ "caps", "image2d_max_width", IMAGE_NUMBER(caps.image2d_max_width) },
	{ "caps", "image2d_max_height", IMAGE_NUMBER(caps.image2d_max_height) },
	{ "caps", "image3d_max_width", IMAGE_NUMBER(caps.image3d_max_width) },
	{ "caps", "image3d_max_height", IMAGE_NUMBER(caps.image3d_max_height) },
	{ "caps", "image3d_max_depth", IMAGE_NUMBER(caps.image3d_max_depth) },
	{ "caps", "image_max_buffer_px", IMAGE_NUMBER(caps.image_max_buffer_px) },
	{ "caps", "image_max_array", IMAGE_NUMBER(caps.image_max_array) },
	{ "caps", "image2d_from_buffer", BOOL(caps.image2d_from_buffer) },
	{ "caps", "image_pitch_align", FROM_BUFFER_NUMBER(caps.image_pitch_align) },
	{ "caps", "image_base_align", FROM_BUFFER_NUMBER(caps.image_base_align) },
	{ "caps", "pitch_unit", CHOICE(caps.pitch_unit, pitch_units) },
	{ "memory", "capacity_bytes", NUMBER64(memory.capacity_bytes), .required = true,
	  .minimum = 1 },
	{ "memory", "granularity_bytes", NUMBER64(memory.granularity_bytes), .minimum = 1 },
	{ "memory", "shared_up_to_bytes", NUMBER64(memory.shared_up_to_bytes) },
	{ "memory", "object_overhead_bytes", NUMBER64(memory.object_overhead_bytes) },
	{ "memory", "image_row_align_bytes", NUMBER32(memory.image_row_align_bytes), .minimum = 1 },
	{ "memory", "image_row_min_bytes", NUMBER32(memory.image_row_min_bytes) },
	{ "memory", "image_rows_align", NUMBER32(memory.image_rows_align) },
	{ "memory", "commit", CHOICE(memory.commit, commits) },
	{ "memory", "out_of_memory_code", CHOICE(memory.out_of_memory_code, memory_codes) },
};

const struct berth__profile_key *berth__profile_key_at(size_t index)
{
	size_t count = sizeof(keys) / sizeof(keys[0]);

	if (index < count)
		return &keys[index];
	index -= count;
	return index < berth__profile_behaviour_key_count ? &berth__profile_behaviour_keys[index]
							   : NULL;
}

static berth_status wrong(const struct berth__profile_place *place, const char *text,
			  const char *allowed)
{
	return berth_error_set(BERTH_E_FORMAT, 0, "%s:%d: %s = '%s': allowed is %s", place->file,
			       place->line, place->key, text, allowed);
}

static berth_status wrong_word(const struct berth__profile_place *place, const char *text,
			       const struct berth__profile_word *words, const char *how_many)
{
	char allowed[160];
	size_t used = (size_t)snprintf(allowed, sizeof(allowed), "%s", how_many);

	for (; words->word && used < sizeof(allowed); words++)
		used += (size_t)snprintf(allowed + used, sizeof(allowed) - used, " %s",
					 words->word);
	return wrong(place, text, allowed);
}

static uint64_t unit_bytes(const char *unit)
{
	static const struct berth__profile_word units[] = {
		{ "", 1 },
		{ "KiB", INT64_C(1) << 10 },
		{ "MiB", INT64_C(1) << 20 },
		{ "GiB", INT64_C(1) << 30 },
		{ NULL, 0 },
	};
	const struct berth__profile_word *entry = units;

	while (entry->word && strcmp(entry->word, unit) != 0)
		entry++;
	return (uint64_t)entry->value;
}

/* Digits, then for a key in bytes perhaps a unit; false: not such a number, or too large. */
static bool parse_number(uint64_t *out, const char *text, bool with_unit)
{
	uint64_t value, unit;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno != 0)
		return false;
	while (*end == ' ')
		end++;
	if (*end && !with_unit)
		return false;
	unit = unit_bytes(end);
	return unit != 0 && !__builtin_mul_overflow(value, unit, out);
}

static bool number_is_allowed(const struct berth__profile_key *key, uint64_t value)
{
	uint64_t largest = key->type == BERTH__PROFILE_NUMBER32 ? UINT32_MAX : UINT64_MAX;

	return value >= key->minimum && value <= largest &&
	       (!key->power_of_two || (value & (value - 1)) == 0);
}

static bool is_in_bytes(const char *key)
{
	const char *unit = strstr(key, "_bytes");

	return unit && (!unit[6] || strcmp(unit, "_bytes_per_second") == 0);
}

static berth_status set_number(void *field, const struct berth__profile_key *key, const char *text,
			       const struct berth__profile_place *place)
{
	bool with_unit = is_in_bytes(key->key);
	uint64_t value;
	uint32_t value32;
	char allowed[128];

	if (!parse_number(&value, text, with_unit) || !number_is_allowed(key, value)) {
		snprintf(allowed, sizeof(allowed), "%s%s from %" PRIu64 " to %" PRIu64 "%s",
			 key->power_of_two ? "a power of two" : "a whole number",
			 key->power_of_two && key->minimum == 0 ? " or 0," : "", key->minimum,
			 key->type == BERTH__PROFILE_NUMBER32 ? UINT32_MAX : UINT64_MAX,
			 with_unit ? ", or with KiB, MiB or GiB behind it" : "");
		return wrong(place, text, allowed);
	}
	value32 = (uint32_t)value;
	if (key->type == BERTH__PROFILE_NUMBER32)
		memcpy(field, &value32, sizeof(value32));
	else
		memcpy(field, &value, sizeof(value));
	return BERTH_OK;
}

static berth_status set_text(void *field, const struct berth__profile_key *key, const char *text,
			     const struct berth__profile_place *place)
{
	char allowed[64];

	if (!*text || strlen(text) >= key->room_bytes) {
		snprintf(allowed, sizeof(allowed), "text of 1 to %zu bytes", key->room_bytes - 1);
		return wrong(place, text, allowed);
	}
	memset(field, 0, key->room_bytes);
	memcpy(field, text, strlen(text));
	return BERTH_OK;
}

static const struct berth__profile_word *find_word(const struct berth__profile_word *words,
						   const char *text, size_t length)
{
	for (; words->word; words++)
		if (strlen(words->word) == length && memcmp(words->word, text, length) == 0)
			return words;
	return NULL;
}

static berth_status set_choice(void *field, const struct berth__profile_key *key, const char *text,
			       const struct berth__profile_place *place)
{
	const struct berth__profile_word *word = find_word(key->words, text, strlen(text));
	int32_t value;

	if (!word)
		return wrong_word(place, text, key->words, "one of");
	value = (int32_t)word->value;
	memcpy(field, &value, sizeof(value));
	return BERTH_OK;
}

/* Words with blanks between them, as bits. At least one. */
static bool parse_flags(uint64_t *out, const char *text, const struct berth__profile_word *words)
{
	const struct berth__profile_word *word;
	uint64_t bits = 0;
	size_t length;

	do {
		length = strcspn(text, " \t");
		word = find_word(words, text, length);
		if (!word)
			return false;
		bits |= (uint64_t)word->value;
		text += length;
		text += strspn(text, " \t");
	} while (*text);
	*out = bits;
	return true;
}

static berth_status set_flags(void *field, const struct berth__profile_key *key, const char *text,
			      const struct berth__profile_place *place)
{
	uint64_t bits;

	if (!parse_flags(&bits, text, key->words))
		return wrong_word(place, text, key->words, "one or more of");
	memcpy(field, &bits, sizeof(bits));
	return BERTH_OK;
}

static berth_status set_bool(void *field, const struct berth__profile_key *key, const char *text,
			     const struct berth__profile_place *place)
{
	bool value = strcmp(text, "yes") == 0;

	(void)key;
	if (!value && strcmp(text, "no") != 0)
		return wrong(place, text, "yes or no");
	memcpy(field, &value, sizeof(value));
	return BERTH_OK;
}

berth_status berth__profile_set(berth_profile *profile, const struct berth__profile_key *key,
				const char *text, const struct berth__profile_place *place)
{
	static berth_status (*const setters[])(void *, const struct berth__profile_key *,
					       const char *,
					       const struct berth__profile_place *) = {
		[BERTH__PROFILE_NUMBER32] = set_number, [BERTH__PROFILE_NUMBER64] = set_number,
		[BERTH__PROFILE_TEXT] = set_text,	[BERTH__PROFILE_CHOICE] = set_choice,
		[BERTH__PROFILE_FLAGS] = set_flags,	[BERTH__PROFILE_BOOL] = set_bool,
	};

	return setters[key->type]((char *)profile + key->offset, key, text, place);
}

static berth_status parse_format_pair(berth_format *out, const struct berth__profile_place *place)
{
	char order[64], type[64], rest;

	if (sscanf(place->key, "%63s %63s %c", order, type, &rest) == 2 &&
	    berth_channel_order_parse(&out->order, order) == BERTH_OK &&
	    berth_channel_type_parse(&out->type, type) == BERTH_OK &&
	    berth_format_element_bytes(out->order, out->type) != 0)
		return BERTH_OK;
	return berth_error_set(BERTH_E_FORMAT, 0,
			       "%s:%d: '%s' is not an image format: allowed is a channel order and "
			       "a channel type that go together, as 'RGBA UNORM_INT8'",
			       place->file, place->line, place->key);
}

berth_status berth__profile_add_format(berth_caps *caps, const char *text,
				       const struct berth__profile_place *place)
{
	berth_format format = { 0 };
	berth_status st = parse_format_pair(&format, place);
	uint64_t bits;

	if (st != BERTH_OK)
		return st;
	if (!parse_flags(&bits, text, berth__profile_accesses))
		return wrong(place, text,
			     "one or more of read write read_write, for other images than 2D with "
			     "1d. 1d_buffer. 1d_array. 2d_array. 3d. or all. before them");
	for (uint32_t i = 0; i < caps->format_count; i++)
		if (caps->formats[i].order == format.order && caps->formats[i].type == format.type)
			return berth_error_set(BERTH_E_FORMAT, 0, "%s:%d: '%s' stands twice",
					       place->file, place->line, place->key);
	if (caps->format_count == BERTH_FORMATS_MAX)
		return berth_error_set(BERTH_E_FORMAT, 0, "%s:%d: more than %d formats",
				       place->file, place->line, BERTH_FORMATS_MAX);
	format.access = (uint32_t)bits;
	caps->formats[caps->format_count++] = format;
	return BERTH_OK;
}
