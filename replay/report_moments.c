/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The moments of a report: of each span of ops, the one at which most was alive; and which
 * objects were the largest then. What comes and goes is read once, in order; the events of one
 * span are kept, so that its moment is known before what is alive passes it. Memory grows
 * with the objects that are alive at a time, and the ops of one span.
 */
#include "report_data.h"

#include "db.h"
#include "trace_schema.h"
#include "trace_store.h"

#include <stdlib.h>
#include <string.h>

/* What comes and what goes. In a damaged trace something may end before it began: never, then. */
#define EVENT_COLUMNS                                                                              \
	"m.id, m.bytes, o.kind, o.label, o.width, o.height, o.depth, o.array_size, "               \
	"o.element_bytes"                                                                          \
	" FROM m JOIN object o ON o.id = m.id"
static const char events_sql[] =
	"WITH m AS (%s)"
	" SELECT m.created_op AS op, 1 AS comes, " EVENT_COLUMNS
	" UNION ALL SELECT m.ends_op, 0, " EVENT_COLUMNS " WHERE m.ends_op >= m.created_op"
	" ORDER BY op, comes DESC";

struct object {
	uint64_t id, bytes, requested, created_op;
	uint32_t kind, group;
};

struct event {
	uint64_t seq;
	bool comes;
	struct object object;
};

struct sweep {
	struct berth__report *report;
	size_t span; /* whose events are kept */
	struct event *events;
	size_t event_count, event_capacity;
	struct berth__report_bucket now; /* sums before the span's events, then behind them */
	struct object *alive;
	size_t alive_count, alive_capacity;
	struct berth__report_map places; /* in alive, by id */
};

/* Room for one more; the array may move. */
static berth_status make_room(void **items, size_t count, size_t *capacity, size_t item_bytes)
{
	size_t larger = *capacity ? *capacity * 2 : 64;
	void *moved;

	if (count < *capacity)
		return BERTH_OK;
	if (larger > UINT32_MAX / 2 || !(moved = reallocarray(*items, larger, item_bytes)))
		return berth__report_no_memory();
	*items = moved;
	*capacity = larger;
	return BERTH_OK;
}

/* What the program asked for: without what the driver adds to an image. */
static uint64_t requested_of(sqlite3_stmt *row, uint64_t bytes)
{
	uint64_t asked = berth__db_column(row, 10);

	if (berth__db_column(row, 4) != 3 || asked == 0)
		return bytes;
	for (int column = 6; column <= 9; column++) {
		uint64_t extent = berth__db_column(row, column);

		if (extent > 1 && __builtin_mul_overflow(asked, extent, &asked))
			return bytes;
	}
	return asked < bytes ? asked : bytes;
}

static void add(uint64_t *sum, uint64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = UINT64_MAX;
}

static void take(uint64_t *sum, uint64_t value)
{
	*sum -= value < *sum ? value : *sum;
}

/* Call @change with each of the sums that an object counts in. */
static void change_sums(struct berth__report_bucket *now, const struct object *object,
			void change(uint64_t *sum, uint64_t value))
{
	change(&now->bytes, object->bytes);
	change(&now->requested, object->requested);
	change(&now->kinds[object->kind], object->bytes);
	change(&now->groups[object->group], object->bytes);
	change(&now->alive, 1);
}

/* ---- events ---- */

static berth_status read_event(struct event *event, const struct berth__report *report,
			       sqlite3_stmt *row)
{
	uint64_t kind = berth__db_column(row, 4);
	struct object *object = &event->object;
	const char *label;
	berth_status st = berth__db_text(&label, row, 5);

	if (st != BERTH_OK)
		return st;
	event->seq = berth__db_column(row, 0);
	event->comes = sqlite3_column_int(row, 1);
	object->id = berth__db_column(row, 2);
	object->bytes = berth__db_column(row, 3);
	object->created_op = event->seq;
	if (kind < 1 || kind >= BERTH__REPORT_KINDS)
		return berth__trace_damaged("object", object->id, "kind", kind);
	object->kind = (uint32_t)kind;
	object->requested = requested_of(row, object->bytes);
	object->group =
		(uint32_t)berth__report_group_of(report, label, object->kind, object->bytes);
	return BERTH_OK;
}

static berth_status come(struct sweep *sweep, const struct object *object)
{
	berth_status st = make_room((void **)&sweep->alive, sweep->alive_count,
				    &sweep->alive_capacity, sizeof(*sweep->alive));

	if (st != BERTH_OK)
		return st;
	sweep->alive[sweep->alive_count] = *object;
	return berth__report_map_put(&sweep->places, object->id, (uint32_t)sweep->alive_count++);
}

static berth_status go(struct sweep *sweep, const struct event *event)
{
	uint64_t id = event->object.id;
	uint32_t place = berth__report_map_find(&sweep->places, id);
	uint32_t named = berth__report_map_find(&sweep->report->index, id);
	size_t last = sweep->alive_count - 1;

	if (named != BERTH__REPORT_NO_INDEX)
		sweep->report->objects[named].ends_op = event->seq;
	if (place == BERTH__REPORT_NO_INDEX)
		return BERTH_OK;
	berth__report_map_remove(&sweep->places, id);
	sweep->alive_count--;
	if (place == last)
		return BERTH_OK;
	sweep->alive[place] = sweep->alive[last];
	return berth__report_map_put(&sweep->places, sweep->alive[place].id, place);
}

/* ---- moments ---- */

static void set_moment(struct berth__report_bucket *bucket, const struct sweep *sweep, uint64_t seq)
{
	*bucket = sweep->now;
	bucket->seq = seq;
}

/*
 * A moment is the state after an op, of which several objects may come or go. The span's first
 * op leaves what was alive before, unless it is an event.
 */
static void find_moment(struct sweep *sweep)
{
	struct berth__report_bucket *bucket = &sweep->report->buckets[sweep->span];
	uint64_t first = sweep->span * sweep->report->span_ops + 1;
	bool begun = sweep->event_count == 0 || sweep->events[0].seq > first;

	if (begun)
		set_moment(bucket, sweep, first);
	for (size_t i = 0; i < sweep->event_count; i++) {
		const struct event *event = &sweep->events[i];

		change_sums(&sweep->now, &event->object, event->comes ? add : take);
		if (i + 1 < sweep->event_count && event[1].seq == event->seq)
			continue;
		if (!begun || sweep->now.bytes > bucket->bytes)
			set_moment(bucket, sweep, begun ? event->seq : first);
		begun = true;
	}
}

/* ---- the largest ---- */

static berth_status name_object(struct berth__report *report, const struct object *object)
{
	size_t count = report->object_count;
	struct berth__report_object *named;

	if (object->bytes == 0 ||
	    berth__report_map_find(&report->index, object->id) != BERTH__REPORT_NO_INDEX)
		return BERTH_OK;
	if (count >= report->object_capacity) {
		size_t capacity = count ? count * 2 : 256;

		named = reallocarray(report->objects, capacity, sizeof(*named));
		if (!named)
			return berth__report_no_memory();
		report->objects = named;
		report->object_capacity = capacity;
	}
	named = &report->objects[count];
	memset(named, 0, sizeof(*named));
	named->id = object->id;
	named->bytes = object->bytes;
	named->requested = object->requested;
	named->created_op = object->created_op;
	named->kind = object->kind;
	report->object_count++;
	return berth__report_map_put(&report->index, object->id, (uint32_t)count);
}

/* Of two as large, the older: the choice is the same however they lie in memory. */
static bool is_smaller(const struct object *a, const struct object *b)
{
	return a->bytes != b->bytes ? a->bytes < b->bytes : a->id > b->id;
}

/* The largest of what is alive, in one walk: `top` is sorted, the largest first. */
static berth_status name_largest(struct sweep *sweep)
{
	const struct object *top[BERTH__REPORT_TOP];
	size_t count = 0;
	berth_status st = BERTH_OK;

	for (size_t i = 0; i < sweep->alive_count; i++) {
		const struct object *object = &sweep->alive[i];
		size_t at = count;

		if (count == BERTH__REPORT_TOP) {
			if (!is_smaller(top[--at], object))
				continue;
		} else {
			count++;
		}
		for (; at > 0 && is_smaller(top[at - 1], object); at--)
			top[at] = top[at - 1];
		top[at] = object;
	}
	for (size_t i = 0; st == BERTH_OK && i < count; i++)
		st = name_object(sweep->report, top[i]);
	return st;
}

/* ---- all ---- */

/* The span's events are there: find its moment, and pass it. */
static berth_status end_span(struct sweep *sweep)
{
	bool named = false;
	berth_status st = BERTH_OK;
	uint64_t moment;

	find_moment(sweep);
	moment = sweep->report->buckets[sweep->span].seq;
	for (size_t i = 0; st == BERTH_OK && i < sweep->event_count; i++) {
		const struct event *event = &sweep->events[i];

		if (!named && event->seq > moment) {
			st = name_largest(sweep);
			named = true;
		}
		if (st == BERTH_OK)
			st = event->comes ? come(sweep, &event->object) : go(sweep, event);
	}
	if (st == BERTH_OK && !named)
		st = name_largest(sweep);
	sweep->event_count = 0;
	sweep->span++;
	return st;
}

static berth_status take_event(struct sweep *sweep, sqlite3_stmt *row)
{
	struct event event;
	berth_status st = read_event(&event, sweep->report, row);

	while (st == BERTH_OK && sweep->span < berth__report_bucket_of(sweep->report, event.seq))
		st = end_span(sweep);
	if (st == BERTH_OK)
		st = make_room((void **)&sweep->events, sweep->event_count, &sweep->event_capacity,
			       sizeof(*sweep->events));
	if (st != BERTH_OK)
		return st;
	sweep->events[sweep->event_count++] = event;
	berth__report_progress(sweep->report, "moments", event.seq);
	return BERTH_OK;
}

static berth_status sweep_all(struct berth__report *report)
{
	struct sweep sweep = { .report = report };
	sqlite3_stmt *rows = NULL;
	char *sql = sqlite3_mprintf(events_sql, berth__trace_memory_sql);
	int code = SQLITE_DONE;
	berth_status st;

	if (!sql)
		return berth__report_no_memory();
	st = berth__db_prepare(&rows, report->trace->db, sql);
	while (st == BERTH_OK && (code = sqlite3_step(rows)) == SQLITE_ROW)
		st = take_event(&sweep, rows);
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(report->trace->db, "read the objects' lives");
	while (st == BERTH_OK && sweep.span < report->bucket_count)
		st = end_span(&sweep);
	report->leaked_bytes = sweep.now.bytes;
	sqlite3_finalize(rows);
	sqlite3_free(sql);
	free(sweep.events);
	free(sweep.alive);
	berth__report_map_free(&sweep.places);
	return st;
}

/* When the moments were, by the clock. */
static berth_status find_times(struct berth__report *report)
{
	sqlite3_stmt *find = NULL;
	berth_status st =
		berth__db_prepare(&find, report->trace->db, "SELECT t_ns FROM op WHERE seq = ?");

	for (size_t i = 0; st == BERTH_OK && i < report->bucket_count; i++) {
		int code;

		berth__db_bind(find, 1, report->buckets[i].seq);
		if ((code = sqlite3_step(find)) == SQLITE_ROW)
			report->buckets[i].t_ns = berth__db_column(find, 0);
		else if (code != SQLITE_DONE)
			st = berth__db_error(report->trace->db, "read the time of an op");
		sqlite3_reset(find);
	}
	sqlite3_finalize(find);
	return st;
}

berth_status berth__report_find_moments(struct berth__report *report)
{
	berth_status st = sweep_all(report);

	return st == BERTH_OK ? find_times(report) : st;
}
