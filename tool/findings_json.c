/* SPDX-License-Identifier: Apache-2.0 */
#include "findings_print.h"

#include "json.h"

#include <stdio.h>

static void add_stack(json_builder *json, berth_trace *trace, uint64_t stack)
{
	static const char place[] = "$.findings[#-1].objects[#-1].stack[#-1]";
	berth_trace_frame *frames;
	uint32_t count;
	char path[80];

	json_set_text(json, "$.findings[#-1].objects[#-1].stack", NULL);
	if (stack == 0 || berth_trace_stack(&frames, &count, trace, stack) != BERTH_OK)
		return;
	json_set_array(json, "$.findings[#-1].objects[#-1].stack");
	for (uint32_t i = 0; i < count; i++) {
		json_set_object(json, "$.findings[#-1].objects[#-1].stack[#]");
		snprintf(path, sizeof(path), "%s.function", place);
		json_set_text(json, path, frames[i].function);
		snprintf(path, sizeof(path), "%s.file", place);
		json_set_text(json, path, frames[i].file);
		snprintf(path, sizeof(path), "%s.line", place);
		json_set_number(json, path, frames[i].line);
		snprintf(path, sizeof(path), "%s.module", place);
		json_set_text(json, path, frames[i].module);
		snprintf(path, sizeof(path), "%s.address", place);
		json_set_number(json, path, frames[i].address);
	}
	berth_trace_stack_free(frames, count);
}

static void add_object(json_builder *json, berth_trace *trace, const berth_finding_object *object)
{
	json_set_object(json, "$.findings[#-1].objects[#]");
	if (object->id == BERTH_ID_NONE)
		json_set_text(json, "$.findings[#-1].objects[#-1].id", NULL);
	else
		json_set_number(json, "$.findings[#-1].objects[#-1].id", object->id);
	json_set_text(json, "$.findings[#-1].objects[#-1].kind", object->kind);
	json_set_text(json, "$.findings[#-1].objects[#-1].label",
		      *object->label ? object->label : NULL);
	json_set_number(json, "$.findings[#-1].objects[#-1].op", object->op);
	json_set_number(json, "$.findings[#-1].objects[#-1].bytes", object->bytes);
	json_set_number(json, "$.findings[#-1].objects[#-1].time_ns", object->time_ns);
	add_stack(json, trace, object->stack);
}

static void add_finding(json_builder *json, berth_trace *trace, const berth_finding *finding)
{
	json_set_object(json, "$.findings[#]");
	json_set_text(json, "$.findings[#-1].rule", finding->rule->id);
	json_set_text(json, "$.findings[#-1].title", finding->rule->title);
	json_set_bool(json, "$.findings[#-1].note", finding->rule->note);
	json_set_text(json, "$.findings[#-1].text", finding->text);
	json_set_text(json, "$.findings[#-1].advice", finding->rule->advice);
	json_set_number(json, "$.findings[#-1].count", finding->count);
	json_set_number(json, "$.findings[#-1].bytes", finding->bytes);
	json_set_number(json, "$.findings[#-1].time_ns", finding->time_ns);
	json_set_number(json, "$.findings[#-1].op", finding->op);
	json_set_array(json, "$.findings[#-1].objects");
	for (uint32_t i = 0; i < finding->object_count; i++)
		add_object(json, trace, &finding->objects[i]);
}

berth_status findings_print_json(const berth_findings *findings, berth_trace *trace)
{
	json_builder *json = json_builder_create();
	const berth_finding *finding;
	berth_status st;

	json_set_number(json, "$.count", berth_findings_count(findings));
	json_set_number(json, "$.lost", berth_trace_get_info(trace)->lost_records);
	json_set_array(json, "$.findings");
	for (size_t i = 0; (finding = berth_findings_at(findings, i)); i++)
		add_finding(json, trace, finding);
	st = json_print(json);
	json_builder_destroy(json);
	return st;
}
