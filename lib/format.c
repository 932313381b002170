/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Image formats: which channel orders go with which channel types, and how many
 * bytes a pixel has (section "Image Format Descriptor"; the pairs as the tables of
 * OpenCL 1.2 and 2.0 give them).
 *
 * A pixel must have a power of two of bits: three channels come packed only.
 */
#include <berth/caps.h>

#include <CL/cl.h>
#include <string.h>

/* Both enumerations are dense: they index the tables. */
#define FIRST_ORDER CL_R
#define FIRST_TYPE CL_SNORM_INT8

/* clang-format off */
#define TYPE_BIT(type) (1u << ((type) - FIRST_TYPE))
/* clang-format on */

#define TYPES_8                                                                                    \
	(TYPE_BIT(CL_UNORM_INT8) | TYPE_BIT(CL_SNORM_INT8) | TYPE_BIT(CL_SIGNED_INT8) |            \
	 TYPE_BIT(CL_UNSIGNED_INT8))
#define TYPES_NORM_OR_FLOAT                                                                        \
	(TYPE_BIT(CL_UNORM_INT8) | TYPE_BIT(CL_UNORM_INT16) | TYPE_BIT(CL_SNORM_INT8) |            \
	 TYPE_BIT(CL_SNORM_INT16) | TYPE_BIT(CL_HALF_FLOAT) | TYPE_BIT(CL_FLOAT))
#define TYPES_PLAIN                                                                                \
	(TYPES_8 | TYPES_NORM_OR_FLOAT | TYPE_BIT(CL_SIGNED_INT16) | TYPE_BIT(CL_SIGNED_INT32) |   \
	 TYPE_BIT(CL_UNSIGNED_INT16) | TYPE_BIT(CL_UNSIGNED_INT32))
#define TYPES_RGB                                                                                  \
	(TYPE_BIT(CL_UNORM_SHORT_565) | TYPE_BIT(CL_UNORM_SHORT_555) |                             \
	 TYPE_BIT(CL_UNORM_INT_101010))
#define TYPES_NONE 0u /* of images shared with OpenGL, or three unpacked channels */

/* X(order, channels, types it goes with) */
#define ORDER_MAP(X)                                                                               \
	X(CL_R, 1, TYPES_PLAIN)                                                                    \
	X(CL_A, 1, TYPES_PLAIN)                                                                    \
	X(CL_RG, 2, TYPES_PLAIN)                                                                   \
	X(CL_RA, 2, TYPES_PLAIN)                                                                   \
	X(CL_RGB, 3, TYPES_RGB)                                                                    \
	X(CL_RGBA, 4, TYPES_PLAIN | TYPE_BIT(CL_UNORM_INT_101010_2))                               \
	X(CL_BGRA, 4, TYPES_8)                                                                     \
	X(CL_ARGB, 4, TYPES_8)                                                                     \
	X(CL_INTENSITY, 1, TYPES_NORM_OR_FLOAT)                                                    \
	X(CL_LUMINANCE, 1, TYPES_NORM_OR_FLOAT)                                                    \
	X(CL_Rx, 1, TYPES_PLAIN)                                                                   \
	X(CL_RGx, 2, TYPES_PLAIN)                                                                  \
	X(CL_RGBx, 3, TYPES_RGB)                                                                   \
	X(CL_DEPTH, 1, TYPE_BIT(CL_UNORM_INT16) | TYPE_BIT(CL_FLOAT))                              \
	X(CL_DEPTH_STENCIL, 2, TYPES_NONE)                                                         \
	X(CL_sRGB, 3, TYPES_NONE)                                                                  \
	X(CL_sRGBx, 4, TYPE_BIT(CL_UNORM_INT8))                                                    \
	X(CL_sRGBA, 4, TYPE_BIT(CL_UNORM_INT8))                                                    \
	X(CL_sBGRA, 4, TYPE_BIT(CL_UNORM_INT8))                                                    \
	X(CL_ABGR, 4, TYPES_8)

/* X(type, bytes, whether the bytes are of the whole pixel) */
#define TYPE_MAP(X)                                                                                \
	X(CL_SNORM_INT8, 1, false)                                                                 \
	X(CL_SNORM_INT16, 2, false)                                                                \
	X(CL_UNORM_INT8, 1, false)                                                                 \
	X(CL_UNORM_INT16, 2, false)                                                                \
	X(CL_UNORM_SHORT_565, 2, true)                                                             \
	X(CL_UNORM_SHORT_555, 2, true)                                                             \
	X(CL_UNORM_INT_101010, 4, true)                                                            \
	X(CL_SIGNED_INT8, 1, false)                                                                \
	X(CL_SIGNED_INT16, 2, false)                                                               \
	X(CL_SIGNED_INT32, 4, false)                                                               \
	X(CL_UNSIGNED_INT8, 1, false)                                                              \
	X(CL_UNSIGNED_INT16, 2, false)                                                             \
	X(CL_UNSIGNED_INT32, 4, false)                                                             \
	X(CL_HALF_FLOAT, 2, false)                                                                 \
	X(CL_FLOAT, 4, false)                                                                      \
	X(CL_UNORM_INT24, 3, false)                                                                \
	X(CL_UNORM_INT_101010_2, 4, true)

static const struct {
	const char *name;
	uint32_t channels;
	uint32_t types;
} orders[] = {
#define X(order, channels, types) [order - FIRST_ORDER] = { #order, channels, types },
	ORDER_MAP(X)
#undef X
};

static const struct {
	const char *name;
	uint32_t bytes;
	bool packed;
} types[] = {
#define X(type, bytes, packed) [type - FIRST_TYPE] = { #type, bytes, packed },
	TYPE_MAP(X)
#undef X
};

#define ORDER_COUNT (sizeof(orders) / sizeof(orders[0]))
#define TYPE_COUNT (sizeof(types) / sizeof(types[0]))

uint32_t berth_format_element_bytes(uint32_t order, uint32_t type)
{
	uint32_t o = order - FIRST_ORDER, t = type - FIRST_TYPE;

	/* A value below the first one wraps round to a large index. */
	if (o >= ORDER_COUNT || t >= TYPE_COUNT || !(orders[o].types & (1u << t)))
		return 0;
	return types[t].packed ? types[t].bytes : orders[o].channels * types[t].bytes;
}

const char *berth_channel_order_string(uint32_t order)
{
	uint32_t index = order - FIRST_ORDER;

	return index < ORDER_COUNT ? orders[index].name : "CL_UNKNOWN_ORDER";
}

const char *berth_channel_type_string(uint32_t type)
{
	uint32_t index = type - FIRST_TYPE;

	return index < TYPE_COUNT ? types[index].name : "CL_UNKNOWN_TYPE";
}

/* Names differ in more than case (CL_Rx, CL_RG): case counts. */
static bool name_matches(const char *full, const char *name)
{
	return strcmp(full, name) == 0 || strcmp(full + strlen("CL_"), name) == 0;
}

berth_status berth_channel_order_parse(uint32_t *out, const char *name)
{
	for (uint32_t i = 0; i < ORDER_COUNT; i++) {
		if (name_matches(orders[i].name, name)) {
			*out = FIRST_ORDER + i;
			return BERTH_OK;
		}
	}
	return berth_error_set(BERTH_E_NOT_FOUND, 0, "'%s' is not a channel order, as CL_RGBA",
			       name);
}

berth_status berth_channel_type_parse(uint32_t *out, const char *name)
{
	for (uint32_t i = 0; i < TYPE_COUNT; i++) {
		if (name_matches(types[i].name, name)) {
			*out = FIRST_TYPE + i;
			return BERTH_OK;
		}
	}
	return berth_error_set(BERTH_E_NOT_FOUND, 0, "'%s' is not a channel type, as CL_UNORM_INT8",
			       name);
}
