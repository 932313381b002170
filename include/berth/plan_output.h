/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Plans as files: tables for other programs, and back, to be checked; pictures for people.
 *
 * All functions are thread safe.
 */
#ifndef BERTH_PLAN_OUTPUT_H
#define BERTH_PLAN_OUTPUT_H

#include <berth/plan_input.h>

BERTH_BEGIN_DECLS

/** A plan as it stands in a file. Owned by the caller of berth_plan_file_load(). */
typedef struct berth_plan_file {
	berth_plan_claim claim; /**< one place a request of the model, in their order */
} berth_plan_file;

/**
 * Read a plan from a table with the columns id and offset, and, where there are more than
 * one, arena; a column size, when there, must agree with the model. An arena is as large as
 * the largest end of the requests in it.
 *
 * @param model  what it is a plan of: the table has one row for each of its requests
 * @retval BERTH_OK        what it claims still wants checking: berth_plan_check()
 * @retval BERTH_E_STATE   not a plan of this model: a request has no row, or another size
 * @retval BERTH_E_IO, BERTH_E_FORMAT, BERTH_E_OVERFLOW, BERTH_E_NOMEM  from the file; a row of an
 *                         id that the model does not have is BERTH_E_FORMAT
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_plan_file_load(berth_plan_file **out,
							     const char *path,
							     const berth_plan_model *model);

/** Free it; NULL is fine. */
BERTH_API void berth_plan_file_destroy(berth_plan_file *file);

/**
 * Write a plan as a table with the columns id, lower, upper, size, alignment, arena, offset.
 * The file appears whole or not at all.
 * @retval BERTH_OK
 * @retval BERTH_E_IO  the detail says why
 * @retval BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_plan_file_write(const char *path,
							      const berth_plan_model *model,
							      const berth_plan *plan);

/**
 * Draw a plan as one SVG file: an arena below the other, time to the right, addresses upwards,
 * a box a request with what it is as its tooltip, coloured by kind; below, the bytes alive at
 * each moment, and the bound. Time shows the moments at which something begins or ends, each
 * as wide as the next, so that thousands of requests can be told apart. The file appears whole
 * or not at all, and refers to nothing outside of it.
 * @param title  a line above the drawing
 * @retval BERTH_OK
 * @retval BERTH_E_IO           the detail says why
 * @retval BERTH_E_UNSUPPORTED  the input has conflicts instead of lifetimes
 * @retval BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_plan_svg_write(const char *path, const char *title,
							     const berth_plan_model *model,
							     const berth_plan *plan);

BERTH_END_DECLS

#endif
