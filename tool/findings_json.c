/* SPDX-License-Identifier: Apache-2.0 */
#include "findings_print.h"

#include "json.h"

static void add_object(json_builder *json, const berth_finding_object *object)
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
}

static void add_finding(json_builder *json, const berth_finding *finding)
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
		add_object(json, &finding->objects[i]);
}

berth_status findings_print_json(const berth_findings *findings, const berth_trace_info *info)
{
	json_builder *json = json_builder_create();
	const berth_finding *finding;
	berth_status st;

	json_set_number(json, "$.count", berth_findings_count(findings));
	json_set_number(json, "$.lost", info->lost_records);
	json_set_array(json, "$.findings");
	for (size_t i = 0; (finding = berth_findings_at(findings, i)); i++)
		add_finding(json, finding);
	st = json_print(json);
	json_builder_destroy(json);
	return st;
}
