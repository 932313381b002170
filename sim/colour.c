/* SPDX-License-Identifier: Apache-2.0 */
/* Fill colours, by the conversion rules of the OpenCL C specification. */
#include "colour.h"

#include <string.h>

#include <CL/cl.h>
#include <CL/cl_half.h>

/*
 * A conversion to normalised integers may be off by 0.6 steps: nearer to a step
 * than 0.4, only that step is left.
 */
#define ONLY_STEP_WITHIN 0.4

/* Which component of the colour each channel in memory takes. */
struct order_row {
	uint32_t order;
	uint8_t channels;
	uint8_t component[4];
};

static const struct order_row orders[] = {
	{ CL_R, 1, { 0 } },
	{ CL_A, 1, { 3 } },
	{ CL_RG, 2, { 0, 1 } },
	{ CL_RA, 2, { 0, 3 } },
	{ CL_RGBA, 4, { 0, 1, 2, 3 } },
	{ CL_BGRA, 4, { 2, 1, 0, 3 } },
	{ CL_ARGB, 4, { 3, 0, 1, 2 } },
	{ CL_ABGR, 4, { 3, 2, 1, 0 } },
	{ CL_INTENSITY, 1, { 0 } },
	{ CL_LUMINANCE, 1, { 0 } },
	{ CL_DEPTH, 1, { 0 } },
};

enum source {
	FROM_FLOAT_NORMALISED,
	FROM_FLOAT,
	FROM_INT,
	FROM_UINT,
};

struct type_row {
	uint32_t type;
	enum source source;
	uint8_t bytes;
	int64_t least, most;
};

static const struct type_row types[] = {
	{ CL_SNORM_INT8, FROM_FLOAT_NORMALISED, 1, INT8_MIN, 127 },
	{ CL_SNORM_INT16, FROM_FLOAT_NORMALISED, 2, INT16_MIN, 32767 },
	{ CL_UNORM_INT8, FROM_FLOAT_NORMALISED, 1, 0, 255 },
	{ CL_UNORM_INT16, FROM_FLOAT_NORMALISED, 2, 0, 65535 },
	{ CL_SIGNED_INT8, FROM_INT, 1, INT8_MIN, INT8_MAX },
	{ CL_SIGNED_INT16, FROM_INT, 2, INT16_MIN, INT16_MAX },
	{ CL_SIGNED_INT32, FROM_INT, 4, INT32_MIN, INT32_MAX },
	{ CL_UNSIGNED_INT8, FROM_UINT, 1, 0, UINT8_MAX },
	{ CL_UNSIGNED_INT16, FROM_UINT, 2, 0, UINT16_MAX },
	{ CL_UNSIGNED_INT32, FROM_UINT, 4, 0, UINT32_MAX },
	{ CL_HALF_FLOAT, FROM_FLOAT, 2, 0, 0 },
	{ CL_FLOAT, FROM_FLOAT, 4, 0, 0 },
};

static const struct order_row *find_order(uint32_t order)
{
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		if (orders[i].order == order)
			return &orders[i];
	return NULL;
}

static const struct type_row *find_type(uint32_t type)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].type == type)
			return &types[i];
	return NULL;
}

/* The low bytes of a number, as the machine stores it. */
static void store_integer(uint8_t *channel, int64_t value, uint8_t bytes)
{
	uint8_t byte = (uint8_t)value;
	uint16_t half = (uint16_t)value;
	uint32_t word = (uint32_t)value;

	if (bytes == 1)
		memcpy(channel, &byte, 1);
	else if (bytes == 2)
		memcpy(channel, &half, 2);
	else
		memcpy(channel, &word, 4);
}

static int64_t clamp(int64_t value, const struct type_row *type)
{
	if (value < type->least)
		return type->least;
	return value > type->most ? type->most : value;
}

static bool store_normalised(uint8_t *channel, float value, const struct type_row *type)
{
	double steps = (double)value * (double)type->most, off;
	int64_t step;

	if (!(steps > (double)type->least)) /* not a number as well: no one result, see below */
		steps = (double)type->least;
	if (steps > (double)type->most)
		steps = (double)type->most;
	step = (int64_t)(steps < 0 ? steps - 0.5 : steps + 0.5);
	off = steps - (double)step;
	store_integer(channel, step, type->bytes);
	return value == value && off < ONLY_STEP_WITHIN && off > -ONLY_STEP_WITHIN;
}

static bool store_float(uint8_t *channel, float value, const struct type_row *type)
{
	cl_half half;

	if (type->bytes == 4) {
		memcpy(channel, &value, sizeof(value));
		return true;
	}
	half = cl_half_from_float(value, CL_HALF_RTE);
	memcpy(channel, &half, sizeof(half));
	return cl_half_to_float(half) == value;
}

static bool store_channel(uint8_t *channel, const uint8_t *component, const struct type_row *type)
{
	float real;
	int32_t integer;
	uint32_t natural;

	memcpy(&real, component, sizeof(real));
	memcpy(&integer, component, sizeof(integer));
	memcpy(&natural, component, sizeof(natural));
	switch (type->source) {
	case FROM_FLOAT_NORMALISED:
		return store_normalised(channel, real, type);
	case FROM_FLOAT:
		return store_float(channel, real, type);
	case FROM_INT:
		store_integer(channel, clamp(integer, type), type->bytes);
		return true;
	case FROM_UINT:
		store_integer(channel, clamp(natural, type), type->bytes);
		return true;
	}
	return false;
}

bool berth__colour_to_pixel(uint8_t pixel[BERTH__PIXEL_BYTES_MAX], const void *colour,
			    uint32_t order, uint32_t channel_type)
{
	const struct order_row *order_row = find_order(order);
	const struct type_row *type = find_type(channel_type);
	bool exact = order_row && type;

	memset(pixel, 0, BERTH__PIXEL_BYTES_MAX);
	for (unsigned i = 0; exact && i < order_row->channels; i++)
		exact = store_channel(pixel + i * type->bytes,
				      (const uint8_t *)colour + 4u * order_row->component[i], type);
	if (!exact)
		memset(pixel, 0, BERTH__PIXEL_BYTES_MAX);
	return exact;
}
