/* SPDX-License-Identifier: Apache-2.0 */
/* The answers of a probe as one JSON object. */
#include "json.h"
#include "probe_table.h"

#include <string.h>

static void add_totals(json_builder *json, const berth_probe *probe)
{
	uint32_t totals[BERTH_PROBE_OUTCOME_END];

	probe_totals(totals, probe);
	json_set_object(json, "$.rules");
	json_set_number(json, "$.rules.agrees", totals[BERTH_PROBE_AGREES]);
	json_set_number(json, "$.rules.deviates", totals[BERTH_PROBE_DEVIATES]);
	json_set_number(json, "$.rules.crashes", totals[BERTH_PROBE_CRASHES]);
	json_set_number(json, "$.rules.hangs", totals[BERTH_PROBE_HANGS]);
	json_set_number(json, "$.rules.not_applicable", totals[BERTH_PROBE_NOT_APPLICABLE]);
}

static void add_answer(json_builder *json, const berth_probe_case *one)
{
	if (one->answered)
		json_set_text(json, "$.cases[#-1].answer", berth_cl_status_string(one->answer));
	if (one->used)
		json_set_text(json, "$.cases[#-1].first_use",
			      berth_cl_status_string(one->use_answer));
	if (one->signal)
		json_set_text(json, "$.cases[#-1].signal", strsignal(one->signal));
	if (one->reason[0])
		json_set_text(json, "$.cases[#-1].reason", one->reason);
}

static void add_case(json_builder *json, const berth_probe_case *one)
{
	json_set_object(json, "$.cases[#]");
	json_set_text(json, "$.cases[#-1].rule", one->rule->id);
	json_set_text(json, "$.cases[#-1].name", one->name);
	json_set_text(json, "$.cases[#-1].side", one->breaks ? "breaks" : "keeps");
	json_set_text(json, "$.cases[#-1].op", berth_op_kind_string(one->kind));
	json_set_text(json, "$.cases[#-1].form", berth_op_form_string(one->form));
	json_set_text(json, "$.cases[#-1].outcome", berth_probe_outcome_string(one->outcome));
	json_set_array(json, "$.cases[#-1].expected");
	json_set_text(json, "$.cases[#-1].expected[#]", berth_cl_status_string(one->expected));
	for (uint32_t i = 0; i < one->code_count; i++)
		json_set_text(json, "$.cases[#-1].expected[#]",
			      berth_cl_status_string(one->codes[i]));
	add_answer(json, one);
}

berth_status probe_print_json(const berth_probe *probe, const char *device)
{
	json_builder *json = json_builder_create();
	const berth_probe_case *one;
	berth_status st;

	json_set_text(json, "$.device", device);
	json_set_text(json, "$.name", berth_probe_caps(probe)->name);
	json_set_text(json, "$.version", berth_probe_caps(probe)->device_version);
	json_set_text(json, "$.driver", berth_probe_caps(probe)->driver_version);
	add_totals(json, probe);
	json_set_array(json, "$.cases");
	for (size_t i = 0; (one = berth_probe_at(probe, i)); i++)
		add_case(json, one);
	st = json_print(json);
	json_builder_destroy(json);
	return st;
}
