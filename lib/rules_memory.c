/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows whose condition is the device's memory. Limits and object state cannot
 * decide them, a memory model does (sim/); they stand here so that an answer
 * that names one can be looked up.
 */
#include "rule_table.h"

#include <CL/cl.h>

static bool not_decided_here(const struct rule_input *in, struct rule_why *why)
{
	(void)in;
	(void)why;
	return false;
}

#define KINDS_TOUCH                                                                                \
	(KINDS_ONE_SIDED | KIND(COPY) | KIND(MIGRATE) | KIND(USE))

static const struct rule_row memory_rows[] = {
	{ { "R30", "Creating Buffer Objects", "there is memory for the buffer", KIND(BUFFER_CREATE),
	    { CL_MEM_OBJECT_ALLOCATION_FAILURE } }, not_decided_here },
	{ { "R39", "Creating Buffer Objects", "there is memory for the sub-buffer",
	    KIND(SUBBUFFER_CREATE), { CL_MEM_OBJECT_ALLOCATION_FAILURE } }, not_decided_here },
	{ { "R53", "Creating Image Objects", "there is memory for the image", KIND(IMAGE_CREATE),
	    { CL_MEM_OBJECT_ALLOCATION_FAILURE } }, not_decided_here },
	{ { "R160.memory", "Allocating SVM Memory", "there is memory for the SVM allocation",
	    KIND(SVM_ALLOC), { CL_MEM_OBJECT_ALLOCATION_FAILURE } }, not_decided_here },
	{ { "R170.memory", "Creating Pipe Objects", "there is memory for the pipe",
	    KIND(PIPE_CREATE), { CL_MEM_OBJECT_ALLOCATION_FAILURE } }, not_decided_here },
	{ { "R5", "every enqueue", "there is memory for the objects that the command touches",
	    KINDS_TOUCH, { CL_MEM_OBJECT_ALLOCATION_FAILURE } }, not_decided_here },
};

/* Of no form: never asked. */
const struct rule_table berth__rules_memory =
	RULE_TABLE(memory_rows,
		   KINDS_CREATE | KINDS_TOUCH | KIND(SVM_ALLOC) | KIND(PIPE_CREATE), 0);
