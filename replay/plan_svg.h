/* SPDX-License-Identifier: Apache-2.0 */
/* The picture of a plan, to any stream. */
#ifndef BERTH_REPLAY_PLAN_SVG_H
#define BERTH_REPLAY_PLAN_SVG_H

#include <stdio.h>

#include <berth/plan_output.h>

/* As berth_plan_svg_write(); errors of writing stay with the stream. */
BERTH_MUST_CHECK berth_status berth__plan_svg_print(FILE *file, const char *title,
						    const berth_plan_model *model,
						    const berth_plan *plan);

#endif
