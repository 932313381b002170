/* SPDX-License-Identifier: Apache-2.0 */
/* Fill colours: four floats or integers into one pixel of a format. */
#ifndef BERTH_SIM_COLOUR_H
#define BERTH_SIM_COLOUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BERTH__PIXEL_BYTES_MAX 16

/*
 * Convert the 16 bytes of a fill colour (one float for CL_DEPTH) to a pixel.
 *
 * @param[out] pixel  element bytes of the format
 * @return whether the specification leaves only one result. False where devices
 * may differ: a normalised value between two steps (an error of 0.6 steps is
 * allowed), a half that is not exact, sRGB, packed types, orders with an unused
 * channel. @p pixel is zero then.
 */
bool berth__colour_to_pixel(uint8_t pixel[BERTH__PIXEL_BYTES_MAX], const void *colour,
			    uint32_t order, uint32_t channel_type);

#endif
