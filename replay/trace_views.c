/* SPDX-License-Identifier: Apache-2.0 */
/* Views for those who query a trace by hand. Berth itself never reads them. */
#include "trace_schema.h"

#include "db.h"

#include <berth/trace.h>

#include <stdlib.h>
#include <string.h>

/* In the order of the table: only what has children is grouped, which most objects have not. */
const char berth__trace_memory_sql[] =
	"SELECT o.id AS id, o.bytes AS bytes, o.created_op AS created_op,\n"
	"\tCASE WHEN c.root IS NULL THEN o.released_op\n"
	"\tWHEN o.released_op IS NOT NULL AND c.gone THEN max(o.released_op, c.last) END AS ends_op\n"
	"FROM object o LEFT JOIN (SELECT root, max(released_op) AS last,\n"
	"\tcount(*) = count(released_op) AS gone FROM object WHERE root <> id GROUP BY root) c\n"
	"ON c.root = o.id WHERE o.root = o.id";

/* Each may stand on those before it. */
static const struct {
	const char *name;
	const char *purpose;
	const char *sql;
} views[] = {
	{ "call", "the ops, readable",
	  "SELECT seq, t_ns / 1e6 AS t_ms, dur_ns / 1e3 AS dur_us, thread, queue, k.name AS kind,\n"
	  "\tf.name AS form, status, object, other, offset, op.bytes, n.text AS name,\n"
	  "\tw.width, w.height, w.depth, lower(hex(digest)) AS digest\n"
	  "FROM op JOIN op_kind k ON k.id = op.kind LEFT JOIN op_form f ON f.id = op.form\n"
	  "LEFT JOIN name n ON n.id = op.name LEFT JOIN region w ON w.op = op.seq" },
	{ "kernel_use", "which kernel used which object",
	  "SELECT op.seq AS seq, n.text AS kernel, u.arg AS arg, u.object AS object,\n"
	  "\tu.access AS access\n"
	  "FROM op_object u JOIN op ON op.seq = u.op LEFT JOIN name n ON n.id = op.name\n"
	  "WHERE op.kind = 15" },
	{ "leak", "objects that were never released",
	  "SELECT o.id AS id, k.name AS kind, o.bytes AS bytes, o.refs AS refs, o.label AS label,\n"
	  "\to.created_op AS created_op\n"
	  "FROM object o JOIN object_kind k ON k.id = o.kind WHERE released_op IS NULL" },
	{ "failure", "calls that were refused, and those that never returned",
	  "SELECT seq, k.name AS kind, status, object, bytes\n"
	  "FROM op JOIN op_kind k ON k.id = op.kind\n"
	  "WHERE status IS NOT 0" },
	{ "transfer", "what moved bytes, and how many; of a map what it covers",
	  "SELECT op.seq AS op, op.t_ns / 1e6 AS t_ms, op.dur_ns / 1e3 AS dur_us, k.name AS kind,\n"
	  "\tCASE op.kind WHEN 8 THEN 'to device' WHEN 9 THEN 'to host' WHEN 12 THEN 'map'\n"
	  "\tELSE 'on device' END AS direction, op.object AS object, op.other AS other,\n"
	  "\tCASE WHEN r.op IS NULL THEN op.bytes ELSE r.width * r.height * r.depth\n"
	  "\t* CASE WHEN op.form >= 3 THEN coalesce(o.element_bytes, 0) ELSE 1 END END AS bytes,\n"
	  "\top.bits & 1 AS blocking, lower(hex(op.digest)) AS digest\n"
	  "FROM op JOIN op_kind k ON k.id = op.kind LEFT JOIN region r ON r.op = op.seq\n"
	  "LEFT JOIN object o ON o.id = CASE op.form WHEN 5 THEN op.other ELSE op.object END\n"
	  "WHERE op.kind BETWEEN 8 AND 12 AND op.status = 0" },
	{ "memory", "objects that own memory", berth__trace_memory_sql },
	{ "memory_over_time", "bytes in use from op on",
	  "SELECT op, sum(change) OVER (ORDER BY op) AS bytes FROM (\n"
	  "\tSELECT op, sum(change) AS change FROM (\n"
	  "\t\tSELECT created_op AS op, bytes AS change FROM memory\n"
	  "\t\tUNION ALL SELECT ends_op, -bytes FROM memory WHERE ends_op IS NOT NULL)\n"
	  "\tGROUP BY op)" },
	{ "peak", "the op from which on most was in use",
	  "SELECT op, bytes FROM memory_over_time ORDER BY bytes DESC, op LIMIT 1" },
	{ "alive_at", "what owned memory after an op: ask WHERE op = N",
	  "SELECT op.seq AS op, m.id AS id, m.bytes AS bytes, o.label AS label,\n"
	  "\tm.created_op AS created_op, m.ends_op AS ends_op\n"
	  "FROM op JOIN memory m ON m.created_op <= op.seq\n"
	  "\tAND (m.ends_op IS NULL OR m.ends_op > op.seq)\n"
	  "JOIN object o ON o.id = m.id" },
	{ "alive_at_peak", "what owned memory when most was in use",
	  "SELECT m.id AS id, m.bytes AS bytes, o.label AS label, m.created_op AS created_op\n"
	  "FROM peak\n"
	  "JOIN memory m ON m.created_op <= peak.op AND (m.ends_op IS NULL OR m.ends_op > peak.op)\n"
	  "JOIN object o ON o.id = m.id" },
};

#define VIEWS (sizeof(views) / sizeof(views[0]))

berth_status berth__trace_views_create(sqlite3 *db)
{
	berth_status st = BERTH_OK;

	for (size_t i = 0; st == BERTH_OK && i < VIEWS; i++)
		st = berth__db_execf(db, "CREATE VIEW %s AS -- %s\n%s", views[i].name,
				     views[i].purpose, views[i].sql);
	return st;
}

berth_status berth_trace_views_sql(char **out)
{
	sqlite3_str *text = sqlite3_str_new(NULL);
	char *made, *copy;

	for (size_t i = 0; i < VIEWS; i++)
		sqlite3_str_appendf(text, "CREATE TEMP VIEW %s AS -- %s\n%s;\n\n", views[i].name,
				    views[i].purpose, views[i].sql);
	made = sqlite3_str_finish(text);
	copy = made ? strdup(made) : NULL;
	sqlite3_free(made);
	if (!copy)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for the views");
	*out = copy;
	return BERTH_OK;
}
