/* SPDX-License-Identifier: Apache-2.0 */
#include "print_stack.h"

#include "print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Innermost first; enough of them to know the place. */
#define FRAMES_SHOWN 6

void print_stack(berth_trace *trace, uint64_t stack)
{
	berth_trace_frame *frames;
	uint32_t count;

	if (!stack || berth_trace_stack(&frames, &count, trace, stack) != BERTH_OK)
		return;
	for (uint32_t i = 0; i < count && i < FRAMES_SHOWN; i++) {
		const berth_trace_frame *frame = &frames[i];

		if (frame->function)
			print_text(stdout, "      %s", frame->function);
		else
			print_text(stdout, "      0x%" PRIx64, frame->address);
		if (frame->file)
			print_text(stdout, " at %s:%" PRIu32 "\n", frame->file, frame->line);
		else
			print_text(stdout, " in %s\n", frame->module ? frame->module : "no file");
		/* What calls it is the same in every program. */
		if (frame->function && strcmp(frame->function, "main") == 0)
			break;
	}
	berth_trace_stack_free(frames, count);
}
