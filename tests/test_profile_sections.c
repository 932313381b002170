/* SPDX-License-Identifier: Apache-2.0 */
/* The sections in which a profile departs from the specification, and profiles as text. */
#include "scratch.h"
#include "test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#include <berth/sim.h>

/* The least that a profile must say, in 10 lines. */
#define LEAST                                                                                      \
	"[profile]\nname = p\nsource = a test\n[caps]\ncl_version = 3.0\n"                         \
	"global_mem_bytes = 1000\nmax_alloc_bytes = 500\nbase_addr_align_bits = 1024\n"            \
	"[memory]\ncapacity_bytes = 900\n"

static berth_status load(berth_profile *out, const char *text)
{
	const char *path = scratch_path("p.ini");

	file_write(path, text, strlen(text));
	return berth_profile_load(out, path);
}

static void values(void)
{
	static const char text[] =
		LEAST "commit = ndrange\nimage_row_min_bytes = 64\nimage_rows_align = 8\n"
		      "[deviations]\nR38 = accept\nR25 = CL_MEM_OBJECT_ALLOCATION_FAILURE\n"
		      "R63 read  write rect = CL_INVALID_VALUE\nR105.pattern = crash\n"
		      "R63 image = accept\nQ.zero_bytes = CL_INVALID_VALUE\n"
		      "[order]\nfirst = R24 R37\nfirst = R100.bounds\n"
		      "[behaviour]\nsubbuffer_align_enforced_bytes = 4\nmax_alloc_enforced = flag\n"
		      "max_alloc_enforced_bytes = 1 GiB\nfrom_buffer_pitch0 = round_up\n"
		      "from_buffer_size = tight\npitch_unit_enforced = bytes\n"
		      "map_pitch_align_bytes = 256\nslice_pitch_2d = rows\nfree_time = finish\n"
		      "retain_parent = no\nzero_copy_ptr_align_bytes = 4 KiB\n"
		      "zero_copy_size_align_bytes = 64\n"
		      "[transfer]\nwrite_pageable_fixed_ns = 7000\n"
		      "write_pageable_bytes_per_second = 20 GiB\nlaunch_fixed_ns = 5000\n";
	berth_profile p;
	const berth_deviation *items = p.deviations.items;

	ASSERT_OK(load(&p, text));
	ASSERT_INT(p.memory.commit, BERTH_COMMIT_NDRANGE);
	ASSERT_INT(p.memory.image_row_min_bytes, 64);
	ASSERT_INT(p.memory.image_rows_align, 8);
	ASSERT_INT(p.deviations.count, 6);
	ASSERT_STRING(items[0].rule->id, "R38");
	ASSERT_INT(items[0].answer, BERTH_DEVIATION_ACCEPT);
	ASSERT_INT(items[1].answer, BERTH_DEVIATION_CODE);
	ASSERT_INT(items[1].code, -4);
	ASSERT_INT(items[2].kinds, 1u << BERTH_OP_READ | 1u << BERTH_OP_WRITE);
	ASSERT_INT(items[2].forms, 1u << BERTH_FORM_RECT);
	ASSERT_INT(items[3].answer, BERTH_DEVIATION_CRASH);
	ASSERT_INT(items[4].kinds, 0);
	ASSERT_INT(items[4].forms, 1u << BERTH_FORM_IMAGE);
	ASSERT_STRING(items[5].rule->id, "Q.zero_bytes");
	ASSERT_INT(p.deviations.first_count, 3);
	ASSERT_STRING(p.deviations.first[1]->id, "R37");
	ASSERT_STRING(p.deviations.first[2]->id, "R100.bounds");
	ASSERT_INT(p.behaviour.subbuffer_align_enforced_bytes, 4);
	ASSERT_INT(p.behaviour.max_alloc_enforced, BERTH_MAX_ALLOC_FLAG);
	ASSERT_INT(p.behaviour.max_alloc_enforced_bytes, 1 << 30);
	ASSERT_INT(p.behaviour.from_buffer_pitch0, BERTH_PITCH0_ROUND_UP);
	ASSERT_INT(p.behaviour.from_buffer_size, BERTH_FROM_BUFFER_TIGHT);
	ASSERT_INT(p.behaviour.pitch_unit_enforced, BERTH_ENFORCED_BYTES);
	ASSERT_INT(p.behaviour.map_pitch_align_bytes, 256);
	ASSERT_INT(p.behaviour.slice_pitch_2d, BERTH_SLICE_PITCH_ROWS);
	ASSERT_INT(p.behaviour.free_time, BERTH_FREE_FINISH);
	ASSERT_INT(p.behaviour.retain_parent, BERTH_RETAIN_PARENT_NO);
	ASSERT_INT(p.behaviour.zero_copy_ptr_align_bytes, 4096);
	ASSERT_INT(p.behaviour.zero_copy_size_align_bytes, 64);
	ASSERT_INT(p.transfer.lines[BERTH_TRANSFER_WRITE_PAGEABLE].fixed_ns, 7000);
	ASSERT_INT(p.transfer.lines[BERTH_TRANSFER_WRITE_PAGEABLE].bytes_per_second, UINT64_C(20)
											     << 30);
	ASSERT_INT(p.transfer.lines[BERTH_TRANSFER_LAUNCH].fixed_ns, 5000);
	ASSERT_INT(p.transfer.lines[BERTH_TRANSFER_READ_PINNED].fixed_ns, 0);
}

static bool is_all_zero(const void *memory, size_t bytes)
{
	const unsigned char *at = memory;

	for (size_t i = 0; i < bytes; i++)
		if (at[i])
			return false;
	return true;
}

static void nothing_said_is_the_specification(void)
{
	berth_profile p;

	ASSERT_OK(load(&p, LEAST));
	CU_ASSERT(is_all_zero(&p.behaviour, sizeof(p.behaviour)));
	CU_ASSERT(is_all_zero(&p.transfer, sizeof(p.transfer)));
	ASSERT_INT(p.deviations.count, 0);
	ASSERT_INT(p.deviations.first_count, 0);
	CU_ASSERT_FALSE(berth_transfer_times_known(&p.transfer));
}

static void wrong_values(void)
{
	static const struct {
		const char *text, *place, *allowed;
	} cases[] = {
		{ "[deviations]\nR999 = accept\n", "p.ini:12: 'R999': 'R999'", "the id of a rule" },
		{ "[deviations]\nR38 = maybe\n", "p.ini:12: 'R38': 'maybe'", "accept, crash, or" },
		{ "[deviations]\nR38 =\n", "p.ini:12: 'R38': ''", "accept, crash, or" },
		{ "[deviations]\nR38 = CL_SUCCESS\n", "p.ini:12: 'R38': 'CL_SUCCESS'",
		  "an OpenCL code" },
		{ "[deviations]\nR38 read = accept\n", "p.ini:12: 'R38 read': 'read'",
		  "that the rule is about" },
		{ "[deviations]\nR38 sideways = accept\n", "p.ini:12: 'R38 sideways': 'sideways'",
		  "a form: linear, rect, image" },
		{ "[deviations]\nR38 = accept\nR38 = crash\n", "p.ini:13: 'R38'", "is there" },
		{ "[order]\nfirst = R24 R0\n", "p.ini:12: 'first': 'R0'", "the id of a rule" },
		{ "[order]\nfirst = R24 R37 R24\n", "p.ini:12: first: 'R24' stands twice", "" },
		{ "[order]\nfirst = R24\nfirst = R24\n", "p.ini:13: first: 'R24' stands twice",
		  "" },
		{ "[order]\nlast = R24\n", "p.ini:12: key 'last' is not known in section [order]",
		  "" },
		{ "[behaviour]\nsubbuffer_align_enforced_bytes = 3\n",
		  "p.ini:12: subbuffer_align_enforced_bytes = '3'", "a power of two or 0" },
		{ "[behaviour]\nmax_alloc_enforced = yes\n", "p.ini:12: max_alloc_enforced = 'yes'",
		  "one of strict none flag" },
		{ "[behaviour]\nfrom_buffer_pitch0 = up\n", "p.ini:12: from_buffer_pitch0 = 'up'",
		  "one of error tight round_up" },
		{ "[behaviour]\nfrom_buffer_size = loose\n", "p.ini:12: from_buffer_size = 'loose'",
		  "one of padded tight" },
		{ "[behaviour]\npitch_unit_enforced = px\n", "p.ini:12: pitch_unit_enforced = 'px'",
		  "one of as_reported pixels bytes" },
		{ "[behaviour]\nslice_pitch_2d = 4\n", "p.ini:12: slice_pitch_2d = '4'",
		  "one of zero rows" },
		{ "[behaviour]\nfree_time = later\n", "p.ini:12: free_time = 'later'",
		  "one of release finish context process" },
		{ "[behaviour]\nretain_parent = maybe\n", "p.ini:12: retain_parent = 'maybe'",
		  "one of yes no leak" },
		{ "[behaviour]\nzero_copy_ptr_align_bytes = 4097\n",
		  "p.ini:12: zero_copy_ptr_align_bytes = '4097'", "a power of two" },
		{ "[behaviour]\nmap_pitch_align_bytes = 2 pixels\n",
		  "p.ini:12: map_pitch_align_bytes = '2 pixels'", "KiB, MiB or GiB" },
		{ "[behaviour]\nlimit_over_devices = max\n",
		  "p.ini:12: key 'limit_over_devices' is not known in section [behaviour]", "" },
		{ "[transfer]\nwrite_fixed_ns = 1\n",
		  "p.ini:12: key 'write_fixed_ns' is not known in section [transfer]", "" },
		{ "[transfer]\nread_pinned_fixed_ns = -1\n",
		  "p.ini:12: read_pinned_fixed_ns = '-1'", "a whole number" },
		{ "[transfer]\nread_pinned_fixed_ns = 1 KiB\n",
		  "p.ini:12: read_pinned_fixed_ns = '1 KiB'", "a whole number" },
		{ "commit = later\n", "p.ini:11: commit = 'later'",
		  "one of create first_use migrate ndrange" },
	};
	berth_profile profile, before;
	char text[1024];

	memset(&before, 0x5a, sizeof(before));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		test_case("%s", cases[i].text);
		snprintf(text, sizeof(text), "%s%s", LEAST, cases[i].text);
		profile = before;
		ASSERT_INT(load(&profile, text), BERTH_E_FORMAT);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].place);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].allowed);
		CU_ASSERT_EQUAL(memcmp(&profile, &before, sizeof(profile)), 0);
	}
}

static void too_many(void)
{
	static char text[65536];
	static berth_profile profile;
	size_t used = (size_t)snprintf(text, sizeof(text), "%s[deviations]\n", LEAST);
	const berth_rule *rule;
	unsigned count = 0;

	for (size_t i = 0; (rule = berth_rules_at(i)); i++)
		for (unsigned kind = 1; kind < BERTH_OP_KIND_END; kind++)
			if ((rule->kinds >> kind & 1) && count++ <= BERTH_DEVIATIONS_MAX)
				used += (size_t)snprintf(text + used, sizeof(text) - used,
							 "%s %s = accept\n", rule->id,
							 berth_op_kind_string((berth_op_kind)kind));
	if (count <= BERTH_DEVIATIONS_MAX)
		return; /* the table is not that large */
	ASSERT_INT(load(&profile, text), BERTH_E_FORMAT);
	ASSERT_CONTAINS(berth_error_get()->message, "more than 256 deviations");
}

/* @return the text of a profile, to be freed; fails the test when there is none */
static char *text_of(const berth_profile *profile)
{
	char *text = NULL;

	ASSERT_OK(berth_profile_to_text(&text, profile));
	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	return text;
}

static void assert_same(const berth_profile *a, const berth_profile *b)
{
	CU_ASSERT_EQUAL(memcmp(&a->memory, &b->memory, sizeof(a->memory)), 0);
	CU_ASSERT_EQUAL(memcmp(&a->behaviour, &b->behaviour, sizeof(a->behaviour)), 0);
	CU_ASSERT_EQUAL(memcmp(&a->transfer, &b->transfer, sizeof(a->transfer)), 0);
	CU_ASSERT_EQUAL(memcmp(&a->deviations, &b->deviations, sizeof(a->deviations)), 0);
	CU_ASSERT_EQUAL(memcmp(a->caps.formats, b->caps.formats, sizeof(a->caps.formats)), 0);
	ASSERT_INT(a->caps.max_alloc_bytes, b->caps.max_alloc_bytes);
	ASSERT_INT(a->caps.cl_version, b->caps.cl_version);
	ASSERT_INT(a->caps.svm_caps, b->caps.svm_caps);
	ASSERT_STRING(a->caps.device_version, b->caps.device_version);
}

static void there_and_back(const berth_profile *profile)
{
	static berth_profile again;
	char *text = text_of(profile), *text_again;

	ASSERT_OK(load(&again, text));
	assert_same(profile, &again);
	text_again = text_of(&again);
	ASSERT_STRING(text_again, text);
	free(text_again);
	free(text);
}

static void profiles_as_text(void)
{
	static const char departs[] = LEAST
		"[deviations]\nR63 read write rect image = CL_INVALID_VALUE\nR105.pattern = crash\n"
		"R38 = accept\n[order]\nfirst = R24 R37 R100.bounds\n[behaviour]\n"
		"from_buffer_pitch0 = tight\nmap_pitch_align_bytes = 64\nretain_parent = leak\n"
		"[transfer]\ncopy_bytes_per_second = 123456789\n";
	static berth_profile profile;

	for (size_t i = 0; i < berth_profile_builtin_count(); i++) {
		test_case("%s", berth_profile_builtin_name(i));
		ASSERT_OK(berth_profile_load(&profile, berth_profile_builtin_name(i)));
		there_and_back(&profile);
	}
	test_case("one that departs");
	ASSERT_OK(load(&profile, departs));
	there_and_back(&profile);
}

static void what_no_text_can_say(void)
{
	static const char comment[] = "a ;b", two_lines[] = "a\nb", blank[] = " a";
	const char *const texts[] = { comment, two_lines, blank };
	static berth_profile good, profile;
	char *text = NULL;

	ASSERT_OK(load(&good, LEAST));
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		test_case("'%s'", texts[i]);
		profile = good;
		strcpy(profile.caps.vendor, texts[i]);
		ASSERT_INT(berth_profile_to_text(&text, &profile), BERTH_E_INVAL);
		ASSERT_CONTAINS(berth_error_get()->message, "vendor");
	}
	test_case("a capacity of 0");
	profile = good;
	profile.memory.capacity_bytes = 0;
	ASSERT_INT(berth_profile_to_text(&text, &profile), BERTH_E_INVAL);
	ASSERT_CONTAINS(berth_error_get()->message, "capacity_bytes");
	test_case("a choice that is none");
	profile = good;
	profile.behaviour.free_time = (berth_free_time)17;
	ASSERT_INT(berth_profile_to_text(&text, &profile), BERTH_E_INVAL);
	ASSERT_CONTAINS(berth_error_get()->message, "free_time");
	CU_ASSERT_PTR_NULL(text);
}

int main(void)
{
	static const struct test tests[] = {
		{ "values", values },
		{ "nothing said is the specification", nothing_said_is_the_specification },
		{ "wrong values", wrong_values },
		{ "too many", too_many },
		{ "profiles as text", profiles_as_text },
		{ "what no text can say", what_no_text_can_say },
		{ NULL, NULL },
	};
	int status;

	scratch_make();
	status = test_main("profile sections", tests);
	scratch_remove();
	return status;
}
