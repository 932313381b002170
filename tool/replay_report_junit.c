/* SPDX-License-Identifier: Apache-2.0 */
/* Four questions about a replay, a test each; what could not be asked is skipped with its count. */
#include "replay_report.h"

#include "junit.h"

#include <inttypes.h>
#include <stdio.h>

#include <berth/status.h>

#define MESSAGE_BYTES 1024

enum { QUESTIONS = 4 };

struct answer {
	const char *name;
	const char *element; /* NULL: passed */
	char message[MESSAGE_BYTES];
};

static void ask_answers(struct answer *answer, const berth_replay_report *report)
{
	const berth_divergence *first = &report->first;

	answer->name = "each op is answered as recorded";
	if (!report->diverged)
		return;
	answer->element = "failure";
	snprintf(answer->message, sizeof(answer->message),
		 "%" PRIu64 " divergences, first op %" PRIu64
		 ", %s: recorded %s, replayed %s%s%s: %s",
		 report->divergences, first->seq, first->op,
		 berth_cl_status_string(first->recorded),
		 report->lost_seq == first->seq ? "crash" : berth_cl_status_string(first->replayed),
		 first->rule ? ", rule " : "", first->rule ? first->rule : "", first->text);
}

static void ask_memory(struct answer *answer, const berth_replay_report *report)
{
	const berth_verdict *verdict = &report->verdict;

	answer->name = "each allocation that the program had fits";
	if (verdict->kind == BERTH_VERDICT_NONE || verdict->refused_before)
		return;
	answer->element = "failure";
	snprintf(answer->message, sizeof(answer->message), "op %" PRIu64 ", %s: %s", verdict->seq,
		 berth_verdict_kind_string(verdict->kind), verdict->text);
}

static void ask_content(struct answer *answer, const struct replay_outcome *outcome)
{
	const berth_replay_report *report = &outcome->report;

	answer->name = "content is what the specification says";
	if (outcome->setup->check && report->content_compared > 0)
		return;
	answer->element = "skipped";
	if (!outcome->setup->check)
		snprintf(answer->message, sizeof(answer->message), "not asked: needs --check");
	else
		snprintf(answer->message, sizeof(answer->message),
			 "%" PRIu64 " reads and maps, none of known content",
			 report->content_unknown);
}

static void ask_completeness(struct answer *answer, const struct replay_outcome *outcome)
{
	const berth_replay_report *report = &outcome->report;
	const berth_trace_info *info = berth_trace_get_info(outcome->stack->trace);

	answer->name = "every op of the program is replayed";
	if (report->not_replayable + report->consequences + info->untracked_calls +
		    info->lost_records ==
	    0)
		return;
	answer->element = "skipped";
	snprintf(answer->message, sizeof(answer->message),
		 "%" PRIu64 " not replayable, %" PRIu64 " on objects that were refused, %" PRIu64
		 " calls known by name only, %" PRIu64 " lost records",
		 report->not_replayable, report->consequences, info->untracked_calls,
		 info->lost_records);
}

berth_status replay_report_write_junit(const struct replay_outcome *outcome, const char *path)
{
	struct answer answers[QUESTIONS] = { 0 };
	struct junit_totals totals = { .tests = QUESTIONS };
	junit *file;
	berth_status st;

	ask_answers(&answers[0], &outcome->report);
	ask_memory(&answers[1], &outcome->report);
	ask_content(&answers[2], outcome);
	ask_completeness(&answers[3], outcome);
	for (size_t i = 0; i < QUESTIONS; i++) {
		totals.failures += answers[i].element && *answers[i].element == 'f';
		totals.skipped += answers[i].element && *answers[i].element == 's';
	}
	st = junit_open(&file, path, "berth replay", berth_device_name(outcome->stack->device),
			&totals);
	if (st != BERTH_OK)
		return st;
	for (size_t i = 0; i < QUESTIONS; i++)
		junit_test(file, outcome->setup->path, answers[i].name, answers[i].element,
			   answers[i].message);
	return junit_close(file);
}
