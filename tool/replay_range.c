/* SPDX-License-Identifier: Apache-2.0 */
#include "replay_range.h"

#include "cmd.h"
#include "size.h"

#include <inttypes.h>
#include <string.h>

#define MARK "mark:"

/* An op's number, or the mark of a name: *seq where it begins, *end where its phase ends. */
static int find_place(uint64_t *seq, uint64_t *end, berth_trace *trace, const char *option,
		      const char *text)
{
	uint64_t last = berth_trace_get_info(trace)->op_count;

	*end = 0;
	if (strncmp(text, MARK, strlen(MARK)) == 0) {
		if (berth_trace_find_mark(seq, end, trace, text + strlen(MARK)) == BERTH_OK)
			return CMD_EXIT_OK;
		return cmd_fail(CMD_EXIT_FAILED, "replay: --%s: %s", option,
				berth_error_get()->message);
	}
	if (number_parse(seq, text, 1, UINT64_MAX) != BERTH_OK)
		return cmd_fail(CMD_EXIT_USAGE,
				"replay: --%s: '%s' is not allowed: an op's number, from 1, or "
				"mark:NAME",
				option, text);
	if (*seq > last)
		return cmd_fail(CMD_EXIT_FAILED,
				"replay: --%s: the trace has no op %" PRIu64
				", its last is %" PRIu64,
				option, *seq, last);
	return CMD_EXIT_OK;
}

int replay_range_find(berth_replay_options *options, berth_trace *trace, const char *from,
		      const char *to)
{
	uint64_t end;
	int status = CMD_EXIT_OK;

	if (from)
		status = find_place(&options->first_op, &end, trace, "from", from);
	if (status == CMD_EXIT_OK && to) {
		status = find_place(&options->last_op, &end, trace, "to", to);
		if (end)
			options->last_op = end;
	}
	if (status == CMD_EXIT_OK && options->last_op && options->last_op < options->first_op)
		return cmd_fail(CMD_EXIT_USAGE,
				"replay: --to %s is op %" PRIu64 ", before --from %s, op %" PRIu64,
				to, options->last_op, from, options->first_op);
	return status;
}
