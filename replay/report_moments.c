/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The moments of a report: of each span of ops, the one at which most was alive; and which
 * objects were the largest then. Two passes over what comes and goes, in order: the first
 * finds the moments, the second has what is alive when it passes them. Memory grows with the
 * objects that are alive at a time.
 */
#include "report_data.h"

#include "db.h"
#include "trace_schema.h"
#include "trace_store.h"

#include <stdlib.h>
#include <string.h>

/* What comes (with its sizes) and what goes. */
static const char events_sql[] =
	"WITH m AS (%s)"
	" SELECT m.created_op AS op, 1, m.id, m.bytes, o.kind, o.label, o.width, o.height,"
	"  o.depth, o.array_size, o.element_bytes FROM m JOIN object o ON o.id = m.id"
	" UNION ALL SELECT ends_op, 0, id, 0, 0, NULL, 0, 0, 0, 0, 0 FROM m"
	" WHERE ends_op IS NOT NULL ORDER BY op";

struct alive {
	uint64_t id, bytes, requested, created_op;
	uint32_t kind, group;
};

struct sweep {
	struct berth__report *report;
	bool naming; /* the second pass */
	struct alive *alive;
	size_t capacity;
	struct berth__report_map places; /* in alive, by id */
	struct berth__report_bucket now; /* alive and the sums, after the last event */
	size_t next_bucket; /* first pass: not begun; second: not passed */
	uint64_t last_seq;  /* first pass: of the event before, whose state is to be judged */
};

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
static void change_sums(struct berth__report_bucket *now, const struct alive *object,
			void change(uint64_t *sum, uint64_t value))
{
	change(&now->bytes, object->bytes);
	change(&now->requested, object->requested);
	change(&now->kinds[object->kind], object->bytes);
	change(&now->groups[object->group], object->bytes);
	change(&now->alive, 1);
}

static berth_status come(struct sweep *sweep, sqlite3_stmt *row)
{
	struct alive object = { .id = berth__db_column(row, 2), .bytes = berth__db_column(row, 3),
				.created_op = berth__db_column(row, 0) };
	uint64_t kind = berth__db_column(row, 4);
	size_t place = sweep->now.alive;
	const char *label;
	berth_status st = berth__db_text(&label, row, 5);

	if (st != BERTH_OK)
		return st;
	if (kind < 1 || kind >= BERTH__REPORT_KINDS)
		return berth__trace_damaged("object", object.id, "kind", kind);
	object.kind = (uint32_t)kind;
	object.requested = requested_of(row, object.bytes);
	object.group = (uint32_t)berth__report_group_of(sweep->report, label, object.kind,
							object.bytes);
	if (place >= sweep->capacity) {
		size_t capacity = sweep->capacity ? sweep->capacity * 2 : 64;
		struct alive *larger = reallocarray(sweep->alive, capacity, sizeof(*larger));

		if (!larger || capacity > UINT32_MAX / 2)
			return berth__report_no_memory();
		sweep->alive = larger;
		sweep->capacity = capacity;
	}
	sweep->alive[place] = object;
	change_sums(&sweep->now, &object, add);
	return berth__report_map_put(&sweep->places, object.id, (uint32_t)place);
}

static berth_status go(struct sweep *sweep, sqlite3_stmt *row)
{
	uint64_t id = berth__db_column(row, 2);
	uint32_t place = berth__report_map_find(&sweep->places, id);
	uint32_t named = berth__report_map_find(&sweep->report->index, id);
	size_t last = sweep->now.alive - 1;

	if (named != BERTH__REPORT_NO_INDEX)
		sweep->report->objects[named].ends_op = berth__db_column(row, 0);
	/* A damaged trace may end what never came. */
	if (place == BERTH__REPORT_NO_INDEX)
		return BERTH_OK;
	change_sums(&sweep->now, &sweep->alive[place], take);
	berth__report_map_remove(&sweep->places, id);
	if (place == last)
		return BERTH_OK;
	sweep->alive[place] = sweep->alive[last];
	return berth__report_map_put(&sweep->places, sweep->alive[place].id, place);
}

/* ---- the first pass ---- */

static void set_moment(struct berth__report_bucket *bucket, const struct sweep *sweep,
		       uint64_t seq)
{
	*bucket = sweep->now;
	bucket->seq = seq;
}

/* Spans begin with what is alive then. */
static void begin_buckets(struct sweep *sweep, size_t end)
{
	struct berth__report *report = sweep->report;

	for (; sweep->next_bucket < end; sweep->next_bucket++)
		set_moment(&report->buckets[sweep->next_bucket], sweep,
			   sweep->next_bucket * report->span_ops + 1);
}

/*
 * A moment is the state after an op; several objects may end at one. So the state after
 * the last event counts when the next is of a later op.
 */
static void judge_last(struct sweep *sweep)
{
	size_t at = berth__report_bucket_of(sweep->report, sweep->last_seq);

	begin_buckets(sweep, at + 1);
	if (sweep->now.bytes > sweep->report->buckets[at].bytes)
		set_moment(&sweep->report->buckets[at], sweep, sweep->last_seq);
}

static void before_event(struct sweep *sweep, uint64_t seq)
{
	size_t at = berth__report_bucket_of(sweep->report, seq);

	if (seq == sweep->last_seq)
		return;
	if (sweep->last_seq > 0)
		judge_last(sweep);
	sweep->last_seq = seq;
	/* The span's first op sets its first state, when it is an event. */
	begin_buckets(sweep, at + (seq > at * sweep->report->span_ops + 1));
}

/* ---- the second pass ---- */

static berth_status name_object(struct berth__report *report, const struct alive *object)
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
static bool is_smaller(const struct alive *a, const struct alive *b)
{
	return a->bytes != b->bytes ? a->bytes < b->bytes : a->id > b->id;
}

/* The largest of what is alive, in one walk: `top` is sorted, the largest first. */
static berth_status name_largest(struct sweep *sweep)
{
	const struct alive *top[BERTH__REPORT_TOP];
	size_t count = 0;
	berth_status st = BERTH_OK;

	for (size_t i = 0; i < sweep->now.alive; i++) {
		const struct alive *object = &sweep->alive[i];
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

/* Pass the moments that lie before an event. */
static berth_status pass_moments(struct sweep *sweep, uint64_t seq)
{
	struct berth__report *report = sweep->report;
	berth_status st = BERTH_OK;

	while (st == BERTH_OK && sweep->next_bucket < report->bucket_count &&
	       report->buckets[sweep->next_bucket].seq < seq) {
		st = name_largest(sweep);
		sweep->next_bucket++;
	}
	return st;
}

/* ---- both ---- */

static berth_status sweep_event(struct sweep *sweep, sqlite3_stmt *row)
{
	uint64_t seq = berth__db_column(row, 0);
	bool comes = sqlite3_column_int(row, 1);
	berth_status st = BERTH_OK;

	if (sweep->naming)
		st = pass_moments(sweep, seq);
	else
		before_event(sweep, seq);
	if (st == BERTH_OK)
		st = comes ? come(sweep, row) : go(sweep, row);
	berth__report_progress(sweep->report, sweep->naming ? "objects" : "moments", seq);
	return st;
}

static berth_status end_sweep(struct sweep *sweep)
{
	if (sweep->naming)
		return pass_moments(sweep, UINT64_MAX);
	if (sweep->last_seq > 0)
		judge_last(sweep);
	begin_buckets(sweep, sweep->report->bucket_count);
	return BERTH_OK;
}

static berth_status sweep_all(struct berth__report *report, bool naming)
{
	struct sweep sweep = { .report = report, .naming = naming };
	sqlite3_stmt *rows = NULL;
	char *sql = sqlite3_mprintf(events_sql, berth__trace_memory_sql);
	int code = SQLITE_DONE;
	berth_status st;

	if (!sql)
		return berth__report_no_memory();
	st = berth__db_prepare(&rows, report->trace->db, sql);
	while (st == BERTH_OK && (code = sqlite3_step(rows)) == SQLITE_ROW)
		st = sweep_event(&sweep, rows);
	if (st == BERTH_OK && code != SQLITE_DONE)
		st = berth__db_error(report->trace->db, "read the objects' lives");
	if (st == BERTH_OK)
		st = end_sweep(&sweep);
	sqlite3_finalize(rows);
	sqlite3_free(sql);
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
	berth_status st = sweep_all(report, false);

	if (st == BERTH_OK)
		st = find_times(report);
	if (st == BERTH_OK)
		st = sweep_all(report, true);
	return st;
}
