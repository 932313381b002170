/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feeds damaged logs, tables and pickles to the imports; a trace that is made of one must be
 * readable. Without arguments: copies of valid ones, damaged in ways that are the same each
 * time; else the files named.
 */
#include "mutate.h"

#include "scratch.h"

#include <berth/exchange.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char rmm[] = "Thread,Time,Action,Pointer,Size,Stream\n"
			  "1,23:59:59.5,allocate,0x100,256,0x0\n"
			  "9999999999,00:00:00.1,allocate failure,(nil),512,0x0\n"
			  "1,00:00:01:25,free,0x100,256,0x0\n";

static const char calls[] = "seq,kind,form,status,name,uses,events,object,bytes,digest\n"
			    "1,buffer_create,,0,,,,1,64,\n"
			    "2,write,linear,0,,,1:1;2:2,1,64,00112233445566778899aabbccddeeff\n"
			    "3,use,,0,k,1:0:3;1:1:1,,,,\n"
			    "4,release,,0,,,,1,,\n,meta,,,lost,,,,3,\n,end,,,exit,,,,,\n";

static const char plan[] = "id,lower,upper,size\na,0,3,4096\nb,1,2,7\n";

/* {'device_traces': [[{'action': 'alloc', 'addr': 256, 'size': 16}]], 'segments': []} */
static const char torch[] = "\x80\x04}(\x8c\x0d" "device_traces\x94]]}(\x8c\x06" "action\x8c\x05"
			    "alloc\x8c\x04" "addrM\x00\x01\x8c\x04size\x94K\x10uaa\x8c\x08segments]u.";

static berth_exchange_format format;

static void input(const unsigned char *content, size_t bytes)
{
	const char *path = scratch_path("input"), *made = scratch_path("made.db");
	const berth_trace_op *row;
	berth_trace *trace;
	berth_status st;

	file_write(path, content, bytes);
	if (berth_import(NULL, made, path, format, NULL) != BERTH_OK)
		return;
	if (berth_trace_open(&trace, made) != BERTH_OK) {
		fprintf(stderr, "fuzz_import: %s\n", berth_error_get()->message);
		abort();
	}
	while ((st = berth_trace_next(&row, trace)) == BERTH_OK && row)
		;
	if (st != BERTH_OK) {
		fprintf(stderr, "fuzz_import: %s\n", berth_error_get()->message);
		abort();
	}
	berth_trace_close(trace);
}

static void mutate(berth_exchange_format chosen, const char *valid, size_t bytes)
{
	const struct fuzz_plan plan_of = { 0, bytes, 4096, 200 };

	format = chosen;
	fuzz_mutations((const unsigned char *)valid, bytes, &plan_of, input);
}

int main(int argc, char **argv)
{
	scratch_make();
	for (format = BERTH_EXCHANGE_CHROME; argc > 1 && format < BERTH_EXCHANGE_FORMAT_END; format++)
		if (berth_exchange_format_imported(format))
			fuzz_files(argv + 1, argc - 1, input);
	if (argc == 1) {
		mutate(BERTH_EXCHANGE_RMM, rmm, sizeof(rmm) - 1);
		mutate(BERTH_EXCHANGE_CSV, calls, sizeof(calls) - 1);
		mutate(BERTH_EXCHANGE_PLAN, plan, sizeof(plan) - 1);
		mutate(BERTH_EXCHANGE_PYTORCH, torch, sizeof(torch) - 1);
	}
	scratch_remove();
	return 0;
}
