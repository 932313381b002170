/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests from allocation lists: MODEL, ALIGN, ALLOC, FREE, MEM, EFF. ALLOCs and FREEs of one
 * id are paired when the model ends, by sorting, so that no table of ids is kept.
 */
#include "plan_source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Words of a line: a keyword and at most two more. */
#define WORDS_MAX 3

/* A FREE, or an ALLOC: then of the request with that index. */
struct event {
	char *id;
	uint64_t line;
	uint64_t time; /* position among ALLOCs and FREEs of the model */
	uint32_t request;
};

struct lists {
	berth_plan_source *source;
	const struct berth__plan_text *text;
	const berth_caps *caps; /* or NULL */
	uint64_t line;
	uint64_t time;
	struct event *events; /* of the model so far */
	size_t event_count;
};

static void clear_events(struct lists *lists)
{
	for (size_t i = 0; i < lists->event_count; i++)
		free(lists->events[i].id);
	lists->event_count = 0;
}

static int compare_events(const void *a, const void *b)
{
	const struct event *first = a, *second = b;
	int order = strcmp(first->id, second->id);

	return order ? order : (first->time > second->time) - (first->time < second->time);
}

/* Two events of one id after another, or an event and NULL. */
static berth_status pair(struct lists *lists, const struct event *alloc, const struct event *next)
{
	bool same = next && strcmp(alloc->id, next->id) == 0;

	if (alloc->request == BERTH_PLAN_NO_REQUEST)
		return berth__plan_text_error(lists->text, alloc->line,
					      "FREE of '%.64s', which is not allocated", alloc->id);
	if (same && next->request != BERTH_PLAN_NO_REQUEST)
		return berth__plan_text_error(lists->text, next->line,
					      "ALLOC of '%.64s', which line %" PRIu64 " allocated",
					      next->id, alloc->line);
	if (!same)
		return berth__plan_text_error(lists->text, alloc->line, "'%.64s' is never freed",
					      alloc->id);
	berth__plan_source_request(lists->source, alloc->request)->upper = next->time;
	return BERTH_OK;
}

/* An id is one buffer's: freed, it does not come again. */
static berth_status end_model(struct lists *lists)
{
	berth_status st = BERTH_OK;

	if (lists->event_count > 0)
		qsort(lists->events, lists->event_count, sizeof(*lists->events), compare_events);
	for (size_t i = 0; st == BERTH_OK && i < lists->event_count; i += 2) {
		const struct event *event = &lists->events[i];
		const struct event *before = i > 0 ? event - 1 : NULL;

		if (before && strcmp(before->id, event->id) == 0)
			return berth__plan_text_error(lists->text, event->line,
						      "'%.64s' was freed in line %" PRIu64
						      " and comes again",
						      event->id, before->line);
		st = pair(lists, event, i + 1 < lists->event_count ? event + 1 : NULL);
	}
	if (st == BERTH_OK)
		clear_events(lists);
	return st;
}

static berth_status begin_model(struct lists *lists, const char *name)
{
	berth_status st = lists->source->model_count > 0 ? end_model(lists) : BERTH_OK;

	if (st == BERTH_OK)
		st = berth__plan_source_add_model(lists->source, name, lists->caps);
	lists->time = 0;
	return st;
}

static berth_plan_model *model_of(const struct lists *lists)
{
	return &lists->source->models[lists->source->model_count - 1];
}

static berth_status add_event(struct lists *lists, const char *id, uint32_t request)
{
	size_t count = lists->event_count;
	char *copy;

	if ((count & (count - 1)) == 0) {
		struct event *grown =
			reallocarray(lists->events, count ? count * 2 : 1, sizeof(*grown));

		if (!grown)
			return berth_error_set(BERTH_E_NOMEM, 0, "no memory for the lists");
		lists->events = grown;
	}
	copy = strdup(id);
	if (!copy)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for the lists");
	lists->events[lists->event_count++] =
		(struct event){ copy, lists->line, lists->time++, request };
	return BERTH_OK;
}

static berth_status parse_number(uint64_t *out, const struct lists *lists, const char *word)
{
	if (berth__plan_parse_number(out, word))
		return BERTH_OK;
	return berth__plan_text_error(lists->text, lists->line,
				      "'%.64s' is not a number of 64 bits", word);
}

static berth_status take_model(struct lists *lists, char **words)
{
	return begin_model(lists, words[1]);
}

static berth_status take_align(struct lists *lists, char **words)
{
	uint64_t align;
	berth_status st = parse_number(&align, lists, words[1]);

	return st == BERTH_OK
		       ? berth__plan_align_join(&model_of(lists)->input.caps.align_bytes, align)
		       : st;
}

static berth_status take_alloc(struct lists *lists, char **words)
{
	berth_plan_request *request;
	berth_plan_item *item;
	uint64_t bytes;
	uint32_t index = (uint32_t)model_of(lists)->input.request_count;
	berth_status st = parse_number(&bytes, lists, words[2]);

	if (st == BERTH_OK)
		st = berth__plan_source_add(lists->source, words[1], &request, &item);
	if (st != BERTH_OK)
		return st;
	request->bytes = bytes;
	request->lower = lists->time;
	item->place = lists->line;
	return add_event(lists, words[1], index);
}

static berth_status take_free(struct lists *lists, char **words)
{
	return add_event(lists, words[1], BERTH_PLAN_NO_REQUEST);
}

static berth_status take_mem(struct lists *lists, char **words)
{
	return parse_number(&model_of(lists)->expected_bytes, lists, words[1]);
}

/* A ratio of two numbers that are known otherwise. */
static berth_status take_eff(struct lists *lists, char **words)
{
	(void)lists;
	(void)words;
	return BERTH_OK;
}

static const struct {
	const char *keyword;
	size_t words;
	berth_status (*take)(struct lists *lists, char **words);
} lines[] = {
	{ "MODEL", 2, take_model }, { "ALIGN", 2, take_align }, { "ALLOC", 3, take_alloc },
	{ "FREE", 2, take_free },   { "MEM", 2, take_mem },	{ "EFF", 2, take_eff },
};

static berth_status take_words(struct lists *lists, char **words, size_t count)
{
	berth_status st = BERTH_OK;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (strcmp(lines[i].keyword, words[0]) != 0)
			continue;
		if (count != lines[i].words)
			return berth__plan_text_error(lists->text, lists->line,
						      "%s takes %zu words, not %zu", words[0],
						      lines[i].words - 1, count - 1);
		if (lists->source->model_count == 0 && lines[i].take != take_model)
			st = begin_model(lists, "");
		return st == BERTH_OK ? lines[i].take(lists, words) : st;
	}
	return berth__plan_text_error(lists->text, lists->line,
				      "'%.64s' is none of MODEL, ALIGN, ALLOC, FREE, MEM, EFF",
				      words[0]);
}

static berth_status take_line(struct lists *lists, char *line)
{
	static const char space[] = " \t\r\n\v\f";
	char *words[WORDS_MAX + 1], *rest = NULL;
	size_t count = 0;

	lists->line++;
	for (char *word = strtok_r(line, space, &rest); word && count <= WORDS_MAX;
	     word = strtok_r(NULL, space, &rest))
		words[count++] = word;
	return count == 0 || words[0][0] == '#' ? BERTH_OK : take_words(lists, words, count);
}

static berth_status read_lines(struct lists *lists)
{
	FILE *file = lists->text->file;
	char *line = NULL;
	size_t capacity = 0;
	berth_status st = BERTH_OK;

	errno = 0;
	while (st == BERTH_OK && getline(&line, &capacity, file) >= 0)
		st = take_line(lists, line);
	free(line);
	if (st == BERTH_OK && !feof(file))
		return berth_error_set(errno == ENOMEM ? BERTH_E_NOMEM : BERTH_E_IO, 0,
				       "cannot read '%s': %s", lists->text->path, strerror(errno));
	return st;
}

berth_status berth__plan_lists_read(berth_plan_source *source, const struct berth__plan_text *text,
				    const berth_plan_source_options *options)
{
	struct lists lists = { .source = source, .text = text, .caps = options->caps };
	berth_status st;

	source->kind = BERTH_PLAN_SOURCE_LISTS;
	st = read_lines(&lists);
	if (st == BERTH_OK)
		st = end_model(&lists);
	clear_events(&lists);
	free(lists.events);
	return st;
}
