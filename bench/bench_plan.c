/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The planner against greedy by size, best fit, as inference runtimes do it: bytes over the lower
 * bound, and time. On generated inputs always; and on every file id,lower,upper,size of the
 * folders below $BERTH_BENCH_PLANS where that is set (half-open lifetimes; for instance the
 * benchmarks of google/minimalloc and cappadokes/idealloc).
 *
 * Generated are: a rectangle cut into pieces, so that the bound can be reached and nothing else
 * will do; a training run, where what the way forward makes is kept for the way back; and lifetimes
 * by chance.
 */
#include <berth/plan.h>

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct rows {
	berth_plan_request *rows;
	size_t count, room;
};

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

static void add(struct rows *rows, uint64_t bytes, uint64_t lower, uint64_t upper)
{
	berth_plan_request request = BERTH_PLAN_REQUEST_INIT;

	if (rows->count == rows->room) {
		rows->room = rows->room ? 2 * rows->room : 1024;
		rows->rows = reallocarray(rows->rows, rows->room, sizeof(request));
		if (!rows->rows) {
			perror("bench_plan");
			exit(1);
		}
	}
	request.bytes = bytes;
	request.lower = lower;
	request.upper = upper;
	rows->rows[rows->count++] = request;
}

/* ---- inputs ---- */

/* Cut pieces in two, in time or in bytes, until there are enough. */
static void cut_rectangle(struct rows *rows, size_t count, uint64_t seed)
{
	add(rows, 1048576, 0, 4096);
	while (rows->count < count) {
		berth_plan_request *piece = &rows->rows[next_random(&seed) % rows->count];
		uint64_t length = piece->upper - piece->lower, bytes = piece->bytes;

		if (next_random(&seed) % 2 && length > 8) {
			uint64_t cut = piece->lower + 1 + next_random(&seed) % (length - 1);
			uint64_t upper = piece->upper;

			piece->upper = cut;
			add(rows, bytes, cut, upper);
		} else if (bytes > 4096) {
			uint64_t cut = 1024 * (1 + next_random(&seed) % (bytes / 1024 - 1));
			uint64_t lower = piece->lower, upper = piece->upper;

			piece->bytes = cut;
			add(rows, bytes - cut, lower, upper);
		}
	}
}

static uint64_t tensor_bytes(uint64_t *seed)
{
	return 512 * (1 + next_random(seed) % ((uint64_t)1 << next_random(seed) % 16));
}

static void training(struct rows *rows, size_t count, uint64_t seed)
{
	uint64_t layers = count / 5, end = 2 * layers;

	for (uint64_t layer = 0; layer < layers; layer++) {
		uint64_t back = end - layer;

		add(rows, tensor_bytes(&seed), layer, back);
		add(rows, tensor_bytes(&seed), layer, layer + 1 + next_random(&seed) % 3);
		add(rows, tensor_bytes(&seed), back, back + 1 + next_random(&seed) % 3);
		add(rows, tensor_bytes(&seed), layer, layer + 1 + next_random(&seed) % 40);
		add(rows, tensor_bytes(&seed) / 8 + 512, back, end + 4);
	}
}

static void by_chance(struct rows *rows, size_t count, uint64_t seed)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t lower = next_random(&seed) % count;

		add(rows, tensor_bytes(&seed), lower, lower + 1 + next_random(&seed) % 500);
	}
}

static bool read_csv(struct rows *rows, const char *path)
{
	FILE *file = fopen(path, "r");
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		uint64_t lower, upper, bytes;

		if (sscanf(line, "%*[^,],%" SCNu64 ",%" SCNu64 ",%" SCNu64, &lower, &upper,
			   &bytes) == 3)
			add(rows, bytes, lower, upper);
	}
	if (file)
		fclose(file);
	return rows->count > 0;
}

/* ---- the baseline ---- */

struct placed {
	uint64_t offset, end, lower, upper;
};

static int by_size(const void *a, const void *b)
{
	const berth_plan_request *x = a, *y = b;

	return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

/* Largest first, each into the tightest gap between what is alive with it. */
static uint64_t greedy_by_size(const struct rows *rows)
{
	berth_plan_request *sorted = calloc(rows->count, sizeof(*sorted));
	struct placed *placed = calloc(rows->count, sizeof(*placed));
	uint64_t peak = 0;

	for (size_t n = 0; sorted && placed && n < rows->count; n++) {
		uint64_t top = 0, best = UINT64_MAX, best_rest = UINT64_MAX;
		const berth_plan_request *next;
		size_t at;

		if (n == 0) {
			memcpy(sorted, rows->rows, rows->count * sizeof(*sorted));
			qsort(sorted, rows->count, sizeof(*sorted), by_size);
		}
		next = &sorted[n];
		for (size_t i = 0; i < n; i++) {
			if (placed[i].lower >= next->upper || next->lower >= placed[i].upper)
				continue;
			if (placed[i].offset >= top + next->bytes &&
			    placed[i].offset - top - next->bytes < best_rest) {
				best = top;
				best_rest = placed[i].offset - top - next->bytes;
			}
			top = placed[i].end > top ? placed[i].end : top;
		}
		top = best != UINT64_MAX ? best : top;
		for (at = n; at > 0 && placed[at - 1].offset > top; at--)
			placed[at] = placed[at - 1];
		placed[at] = (struct placed){ top, top + next->bytes, next->lower, next->upper };
		peak = top + next->bytes > peak ? top + next->bytes : peak;
	}
	free(sorted);
	free(placed);
	return peak;
}

/* ---- measuring ---- */

/* The baseline is quadratic. */
#define BASELINE_MAX 20000

/* Large inputs get more time than by default, to end within 5 s with the greedy plans. */
#define LARGE 20000
#define LARGE_BUDGET_NS 3000000000u

static int measure(const char *name, struct rows *rows)
{
	const berth_plan_input input = { .requests = rows->rows, .request_count = rows->count };
	berth_plan_options options = BERTH_PLAN_OPTIONS_INIT;
	berth_plan *plan;
	double bound;

	options.time_budget_ns = rows->count >= LARGE ? LARGE_BUDGET_NS : 0;
	if (berth_plan_create(&plan, &input, &options) != BERTH_OK) {
		fprintf(stderr, "bench_plan: %s: %s\n", name, berth_error_get()->message);
		return 1;
	}
	bound = (double)plan->lower_bound_bytes;
	printf("  %-36.36s %6zu %8.4f  %-7s %9.2f ms", name, rows->count,
	       (double)plan->total_bytes / bound, berth_plan_tier_string(plan->tier),
	       (double)plan->elapsed_ns / 1e6);
	if (rows->count <= BASELINE_MAX)
		printf(" %8.4f", (double)greedy_by_size(rows) / bound);
	printf("%s\n", plan->stopped == BERTH_PLAN_STOP_TIME ? "  (stopped by the clock)" : "");
	berth_plan_destroy(plan);
	return 0;
}

static int measure_generated(void)
{
	static const struct {
		const char *name;
		void (*make)(struct rows *rows, size_t count, uint64_t seed);
		size_t count;
	} inputs[] = {
		{ "a rectangle in pieces", cut_rectangle, 150 },
		{ "a rectangle in pieces", cut_rectangle, 300 },
		{ "lifetimes by chance", by_chance, 1000 },
		{ "a training run", training, 1000 },
		{ "a training run", training, 20000 },
		{ "a training run", training, 60000 },
		{ "lifetimes by chance", by_chance, 20000 },
		{ "lifetimes by chance", by_chance, 60000 },
	};
	int status = 0;

	for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
		struct rows rows = { 0 };

		inputs[i].make(&rows, inputs[i].count, i + 1);
		status |= measure(inputs[i].name, &rows);
		free(rows.rows);
	}
	return status;
}

/* Every CSV of a folder, and of those in it. */
static int measure_folder(const char *folder, int depth)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, NULL, alphasort), status = 0;

	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;
		const char *dot = strrchr(name, '.');
		struct rows rows = { 0 };
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s", folder, name);
		if (name[0] != '.' && entries[i]->d_type == DT_DIR && depth > 0)
			status |= measure_folder(path, depth - 1);
		else if (dot && strcmp(dot, ".csv") == 0 && read_csv(&rows, path))
			status |= measure(name, &rows);
		free(rows.rows);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return status;
}

int main(void)
{
	const char *folder = getenv("BERTH_BENCH_PLANS");
	struct rusage usage;
	int status;

	printf("planner: bytes over the lower bound, against greedy by size with best fit\n");
	printf("  %-36s %6s %8s  %-7s %12s %8s\n", "input", "count", "planner", "tier", "time",
	       "greedy");
	status = measure_generated();
	if (folder)
		status |= measure_folder(folder, 1);
	getrusage(RUSAGE_SELF, &usage);
	printf("  most memory used: %ld MiB\n", usage.ru_maxrss / 1024);
	return status;
}
