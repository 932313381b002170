/* SPDX-License-Identifier: Apache-2.0 */
/* A probe from a device's name to its answers. */
#include "probe.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define TIMEOUT_MS 20000
/* Of the memory that cases are lent; addresses in rows count from a multiple of the second. */
#define HOST_BYTES (UINT64_C(8) << 20)
#define HOST_ALIGN (UINT64_C(64) << 10)

#define X(name, value, string) [name] = string,
static const char *const outcome_names[] = { BERTH_PROBE_OUTCOME_MAP(X) };
#undef X

const char *berth_probe_outcome_string(berth_probe_outcome outcome)
{
	return (unsigned)outcome < BERTH_PROBE_OUTCOME_END ? outcome_names[outcome] : "unknown";
}

/* What the first child answers: the capabilities, or why the device cannot be opened. */
struct hello {
	berth_caps caps;
	berth_error error;
};

static void say_hello(int fd, void *userdata)
{
	const berth_probe *probe = userdata;
	struct hello hello = { .error.status = BERTH_OK };
	berth_device *device;

	if (berth__probe_open(&device, probe->device) == BERTH_OK)
		hello.caps = *berth_device_caps(device);
	else
		hello.error = *berth_error_get();
	berth__probe_child_write(fd, &hello, sizeof(hello));
}

/* Drivers end their texts with blanks, which no line of a profile can. */
static void trim(char *text)
{
	size_t length = strlen(text);

	while (length > 0 && text[length - 1] == ' ')
		text[--length] = '\0';
}

static berth_status ask_caps(berth_probe *probe)
{
	struct probe_child child;
	struct hello hello;
	enum probe_read got;
	berth_status st = berth__probe_child_start(&child, say_hello, probe);

	if (st != BERTH_OK)
		return st;
	got = berth__probe_child_read(&child, &hello, sizeof(hello), probe->timeout_ms);
	berth__probe_child_finish(&child, true);
	if (got != PROBE_READ_ALL)
		return berth_error_set(BERTH_E_LOST, 0, "the driver of '%s' %s when it was opened",
				       probe->device, got == PROBE_READ_LATE ? "hung" : "crashed");
	if (hello.error.status != BERTH_OK)
		return berth_error_set(hello.error.status, hello.error.cl_status, "%s",
				       hello.error.message);
	probe->caps = hello.caps;
	trim(probe->caps.device_version);
	trim(probe->caps.driver_version);
	trim(probe->caps.name);
	trim(probe->caps.vendor);
	return BERTH_OK;
}

/* More than asked, and then begin at a multiple of the alignment. */
static berth_status lend_host(struct probe_host *host)
{
	void *memory =
		mmap(NULL, HOST_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return berth_error_set(BERTH_E_NOMEM, 0, "no %llu bytes of memory for the cases",
				       (unsigned long long)HOST_BYTES);
	host->mapped = memory;
	host->memory =
		(void *)(((uintptr_t)memory + HOST_ALIGN - 1) & ~(uintptr_t)(HOST_ALIGN - 1));
	host->bytes = HOST_BYTES;
	return BERTH_OK;
}

/* "R100" is meant by "R100" and stands for "R100.bounds". */
static bool is_meant(const char *rule, const char *const *only)
{
	if (!only)
		return true;
	for (; *only; only++) {
		const size_t length = strlen(*only);

		if (strncmp(rule, *only, length) == 0 &&
		    (rule[length] == '\0' || rule[length] == '.'))
			return true;
	}
	return false;
}

/* Rows in the order of the rules table. */
static size_t rows_of(const char *rule, const struct probe_row *out[])
{
	size_t count = 0;

	for (size_t i = 0; berth__probe_tables[i]; i++) {
		const struct probe_rows *table = berth__probe_tables[i];

		for (size_t j = 0; j < table->count; j++) {
			if (strcmp(table->rows[j].rule, rule) != 0)
				continue;
			if (out)
				out[count] = &table->rows[j];
			count++;
		}
	}
	return count;
}

static size_t collect_rows(const struct probe_row *out[], const char *const *only)
{
	const berth_rule *rule;
	size_t count = 0;

	for (size_t i = 0; (rule = berth_rules_at(i)); i++)
		if (is_meant(rule->id, only))
			count += rows_of(rule->id, out ? out + count : NULL);
	return count;
}

static berth_status plan(berth_probe *probe, const char *const *only)
{
	const size_t count = collect_rows(NULL, only);
	const struct probe_row **rows = calloc(count ? count : 1, sizeof(*rows));
	berth_status st = BERTH_OK;

	probe->runs = calloc(count ? count : 1, sizeof(*probe->runs));
	if (!rows || !probe->runs) {
		free(rows);
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for %zu cases", count);
	}
	collect_rows(rows, only);
	for (; probe->count < count && st == BERTH_OK; probe->count++)
		st = berth__probe_plan(&probe->runs[probe->count], rows[probe->count], probe->count,
				       &probe->caps, &probe->host);
	free(rows);
	return st;
}

static berth_status check_only(const char *const *only)
{
	for (; only && *only; only++) {
		const char *const one[] = { *only, NULL };

		if (collect_rows(NULL, one) == 0)
			return berth_error_set(BERTH_E_NOT_FOUND, 0, "'%s' is no rule with cases",
					       *only);
	}
	return BERTH_OK;
}

static berth_status start(berth_probe *probe, const char *device,
			  const berth_probe_options *options)
{
	berth_status st = check_only(options->only);

	if (st != BERTH_OK)
		return st;
	probe->timeout_ms = options->timeout_ms ? options->timeout_ms : TIMEOUT_MS;
	probe->device = strdup(device);
	if (!probe->device)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a probe");
	st = ask_caps(probe);
	if (st == BERTH_OK)
		st = lend_host(&probe->host);
	if (st == BERTH_OK)
		st = plan(probe, options->only);
	return st == BERTH_OK && !options->plan_only ? berth__probe_execute_all(probe, options)
						     : st;
}

berth_status berth_probe_run(berth_probe **out, const char *device,
			     const berth_probe_options *options)
{
	const berth_probe_options defaults = BERTH_PROBE_OPTIONS_INIT;
	berth_probe *probe;
	berth_status st;

	if (!options)
		options = &defaults;
	if (options->size != sizeof(*options))
		return berth_error_set(BERTH_E_INVAL, 0, "options of %u bytes, %zu are needed",
				       options->size, sizeof(*options));
	probe = calloc(1, sizeof(*probe));
	if (!probe)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a probe");
	st = start(probe, device, options);
	if (st != BERTH_OK) {
		berth_probe_destroy(probe);
		return st;
	}
	*out = probe;
	return BERTH_OK;
}

void berth_probe_destroy(berth_probe *probe)
{
	if (!probe)
		return;
	if (probe->host.mapped)
		munmap(probe->host.mapped, HOST_BYTES);
	free(probe->runs);
	free(probe->device);
	free(probe);
}

const berth_caps *berth_probe_caps(const berth_probe *probe)
{
	return &probe->caps;
}

size_t berth_probe_count(const berth_probe *probe)
{
	return probe->count;
}

const berth_probe_case *berth_probe_at(const berth_probe *probe, size_t index)
{
	return index < probe->count ? &probe->runs[index].answer : NULL;
}
