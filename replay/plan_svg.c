/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan as a picture. Everything is in pixels of a drawing that is scaled by whoever shows
 * it; numbers have two digits after the point, which parts thousands of boxes.
 */
#include "plan_svg.h"

#include "whole_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <berth/plan_output.h>

#define LEFT 110.0
#define TOP 70.0
#define WIDTH 1280.0 /* of the plot */
#define HEIGHT 720.0 /* of all arenas together */
#define ARENA_GAP 22.0
#define ARENA_MIN 4.0 /* an arena is seen, however small */
#define LOAD_HEIGHT 140.0
#define MARGIN 40.0

/* A letter's width; a box has its name in it when it is wide and high enough. */
#define LETTER 6.5
#define LETTER_HEIGHT 11.0

/* A thinner box has no border, which would cover it, and no box is thinner than the least. */
#define THIN 2.5
#define THINNEST .4

static const struct {
	const char *class, *name, *colour;
} kinds[] = {
	[BERTH_PLAN_ITEM_BUFFER] = { "b", "buffer", "#4c78a8" },
	[BERTH_PLAN_ITEM_IMAGE] = { "i", "image", "#f2993a" },
	[BERTH_PLAN_ITEM_BOTH] = { "x", "buffer with images on it", "#5ba866" },
};

struct drawing {
	FILE *file;
	const berth_plan_model *model;
	const berth_plan *plan;
	uint64_t *times; /* at which something begins or ends, ascending */
	size_t time_count;
	double *arena_top; /* of each arena, and of what comes below them */
	double *arena_height;
	double *load; /* bytes alive from each time on */
};

/* ---- where things are ---- */

static int compare_times(const void *a, const void *b)
{
	uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return (first > second) - (first < second);
}

static void collect_times(struct drawing *drawing)
{
	const berth_plan_input *input = &drawing->model->input;
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < input->request_count; i++) {
		if (input->requests[i].whole_run)
			continue;
		drawing->times[count++] = input->requests[i].lower;
		drawing->times[count++] = input->requests[i].upper;
	}
	qsort(drawing->times, count, sizeof(*drawing->times), compare_times);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || drawing->times[kept - 1] != drawing->times[i])
			drawing->times[kept++] = drawing->times[i];
	drawing->time_count = kept;
}

/* The index of a time that is there. */
static size_t time_index(const struct drawing *drawing, uint64_t time)
{
	size_t low = 0, high = drawing->time_count;

	while (low + 1 < high) {
		size_t middle = low + (high - low) / 2;

		if (drawing->times[middle] <= time)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static double x_of_index(const struct drawing *drawing, size_t index)
{
	size_t steps = drawing->time_count > 1 ? drawing->time_count - 1 : 1;

	return LEFT + WIDTH * (double)index / (double)steps;
}

/* Where a request begins and ends, as indexes of times. */
static void span_of(size_t *begin, size_t *end, const struct drawing *drawing, size_t request)
{
	const berth_plan_request *asked = &drawing->model->input.requests[request];

	*begin = asked->whole_run ? 0 : time_index(drawing, asked->lower);
	*end = asked->whole_run ? drawing->time_count - 1 : time_index(drawing, asked->upper);
}

static void lay_out_arenas(struct drawing *drawing)
{
	const berth_plan *plan = drawing->plan;
	double top = TOP, total = plan->total_bytes > 0 ? (double)plan->total_bytes : 1;

	for (uint32_t i = 0; i < plan->arena_count; i++) {
		double height = HEIGHT * (double)plan->arena_bytes[i] / total;

		drawing->arena_height[i] = height < ARENA_MIN ? ARENA_MIN : height;
		drawing->arena_top[i] = top;
		top += drawing->arena_height[i] + ARENA_GAP;
	}
	drawing->arena_top[plan->arena_count] = top;
}

/* ---- text ---- */

/* As content of an element: markup becomes text, what no XML may hold becomes '?'. */
static void put_text(FILE *file, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '<')
			fputs("&lt;", file);
		else if (c == '&')
			fputs("&amp;", file);
		else
			fputc(c < 0x20 || c >= 0x7f ? '?' : c, file);
	}
}

/* ---- parts ---- */

static void put_head(const struct drawing *drawing, const char *title)
{
	const berth_plan *plan = drawing->plan;
	double height = drawing->arena_top[plan->arena_count] + LOAD_HEIGHT + MARGIN;
	double x = LEFT;
	FILE *file = drawing->file;

	fprintf(file,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
		"font-family=\"sans-serif\" font-size=\"11\">\n"
		"<style>rect{stroke:#fff;stroke-width:.4;vector-effect:non-scaling-stroke}"
		".f{fill:none;stroke:#888}text.n{fill:#fff;pointer-events:none}"
		".l{fill:#ccd6e0;stroke:#4c78a8}.m{stroke:#c33;stroke-dasharray:4 3}",
		LEFT + WIDTH + MARGIN, height);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		fprintf(file, ".%s{fill:%s}", kinds[i].class, kinds[i].colour);
	fputs(".o{fill-opacity:.8}.t{stroke:none}</style>\n<rect x=\"0\" y=\"0\" width=\"100%\" "
	      "height=\"100%\" "
	      "fill=\"#fff\"/>\n",
	      file);
	fprintf(file, "<text x=\"%.0f\" y=\"22\" font-size=\"15\">", LEFT);
	put_text(file, title);
	fprintf(file,
		"</text>\n<text x=\"%.0f\" y=\"40\">%" PRIu64 " bytes, arenas %" PRIu32
		", lower bound %" PRIu64 ", requests %zu</text>\n",
		LEFT, plan->total_bytes, plan->arena_count, plan->lower_bound_bytes,
		plan->place_count);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		fprintf(file,
			"<rect class=\"%s\" x=\"%.0f\" y=\"48\" width=\"12\" height=\"12\"/>"
			"<text x=\"%.0f\" y=\"58\">%s</text>\n",
			kinds[i].class, x, x + 16, kinds[i].name);
		x += 40 + LETTER * (double)strlen(kinds[i].name);
	}
}

static void put_arena_frame(const struct drawing *drawing, uint32_t arena)
{
	double top = drawing->arena_top[arena], height = drawing->arena_height[arena];
	bool room = height > 3 * LETTER_HEIGHT;
	FILE *file = drawing->file;

	fprintf(file,
		"<rect class=\"f\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>"
		"<text x=\"%.0f\" y=\"%.2f\" text-anchor=\"end\">arena %" PRIu32,
		LEFT, top, WIDTH, height, LEFT - 6, top + height, arena);
	if (room)
		fprintf(file, "</text><text x=\"%.0f\" y=\"%.2f\" text-anchor=\"end\">", LEFT - 6,
			top + LETTER_HEIGHT);
	fprintf(file, "%s%" PRIu64 "</text>\n", room ? "" : ": ",
		drawing->plan->arena_bytes[arena]);
}

/* A box of a request, with its tooltip; the caller has its place. */
static void put_rect(const struct drawing *drawing, size_t request, double x, double y,
		     double width, double height)
{
	const berth_plan_request *asked = &drawing->model->input.requests[request];
	const berth_plan_item *item = &drawing->model->items[request];
	const berth_plan_place *place = &drawing->plan->places[request];
	FILE *file = drawing->file;

	fprintf(file,
		"<rect class=\"%s%s%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
		"height=\"%.2f\"><title>",
		kinds[item->kind].class, request % 2 ? " o" : "",
		width < THIN || height < THIN ? " t" : "", x, y, width,
		height < THINNEST ? THINNEST : height);
	put_text(file, item->name);
	fprintf(file,
		": %s, %" PRIu64 " bytes at %" PRIu64 " of arena %" PRIu32 ", alive in [%" PRIu64
		", %" PRIu64 ")</title></rect>",
		kinds[item->kind].name, asked->bytes, place->offset_bytes, place->arena,
		asked->lower, asked->upper);
}

static void put_box(const struct drawing *drawing, size_t request)
{
	const berth_plan_request *asked = &drawing->model->input.requests[request];
	const berth_plan_item *item = &drawing->model->items[request];
	const berth_plan_place *place = &drawing->plan->places[request];
	double arena_bytes = (double)drawing->plan->arena_bytes[place->arena];
	double arena_height = drawing->arena_height[place->arena];
	double height = arena_height * (double)asked->bytes / arena_bytes;
	double bottom = drawing->arena_top[place->arena] +
			arena_height * (1 - (double)place->offset_bytes / arena_bytes);
	FILE *file = drawing->file;
	size_t begin, end;
	double x, width;

	span_of(&begin, &end, drawing, request);
	x = x_of_index(drawing, begin);
	width = x_of_index(drawing, end) - x;
	put_rect(drawing, request, x, bottom - height, width, height);
	if (height >= LETTER_HEIGHT && width >= LETTER * (double)(strlen(item->name) + 1)) {
		fprintf(file, "<text class=\"n\" x=\"%.2f\" y=\"%.2f\">", x + 3,
			bottom - (height - LETTER_HEIGHT) / 2 - 2);
		put_text(file, item->name);
		fputs("</text>", file);
	}
	fputc('\n', file);
}

/* Bytes alive between one time and the next, as steps. */
static void put_load(const struct drawing *drawing, const double *load)
{
	const berth_plan *plan = drawing->plan;
	double bottom = drawing->arena_top[plan->arena_count] + LOAD_HEIGHT;
	double most = plan->total_bytes > 0 ? (double)plan->total_bytes : 1;
	double bound = bottom - LOAD_HEIGHT * (double)plan->lower_bound_bytes / most;
	FILE *file = drawing->file;

	fprintf(file, "<path class=\"l\" d=\"M%.2f %.2f", LEFT, bottom);
	for (size_t i = 0; i + 1 < drawing->time_count; i++)
		fprintf(file, "V%.2fH%.2f", bottom - LOAD_HEIGHT * load[i] / most,
			x_of_index(drawing, i + 1));
	fprintf(file, "V%.2fZ\"/>\n", bottom);
	fprintf(file,
		"<path class=\"m\" d=\"M%.2f %.2fH%.2f\"/><text x=\"%.0f\" y=\"%.2f\" "
		"text-anchor=\"end\">bound</text>"
		"<text x=\"%.0f\" y=\"%.2f\" text-anchor=\"end\">bytes alive</text>\n",
		LEFT, bound, LEFT + WIDTH, LEFT - 6, bound + 4, LEFT - 6, bottom);
	for (size_t i = 0; drawing->time_count > 0 && i <= 8; i++) {
		size_t index = (drawing->time_count - 1) * i / 8;

		fprintf(file,
			"<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%" PRIu64 "</text>\n",
			x_of_index(drawing, index), bottom + 14, drawing->times[index]);
	}
}

static void sum_load(const struct drawing *drawing, double *load)
{
	double alive = 0;

	/* As differences first: what begins and ends at a time. */
	for (size_t i = 0; drawing->time_count > 0 && i < drawing->plan->place_count; i++) {
		double bytes = (double)drawing->model->input.requests[i].bytes;
		size_t begin, end;

		span_of(&begin, &end, drawing, i);
		load[begin] += bytes;
		load[end] -= bytes;
	}
	for (size_t i = 0; i < drawing->time_count; i++) {
		alive += load[i];
		load[i] = alive;
	}
}

static void draw(struct drawing *drawing, const char *title)
{
	const berth_plan *plan = drawing->plan;

	lay_out_arenas(drawing);
	put_head(drawing, title);
	for (uint32_t i = 0; i < plan->arena_count; i++)
		put_arena_frame(drawing, i);
	for (size_t i = 0; i < plan->place_count; i++)
		if (drawing->model->input.requests[i].bytes > 0 && drawing->time_count > 0)
			put_box(drawing, i);
	sum_load(drawing, drawing->load);
	put_load(drawing, drawing->load);
	fputs("</svg>\n", drawing->file);
}

static void release(struct drawing *drawing)
{
	free(drawing->times);
	free(drawing->arena_top);
	free(drawing->arena_height);
	free(drawing->load);
}

/* Everything that can fail, before a file is begun. */
static berth_status prepare(struct drawing *drawing)
{
	const berth_plan *plan = drawing->plan;

	if (drawing->model->input.by_conflicts)
		return berth_error_set(BERTH_E_UNSUPPORTED, 0,
				       "a plan of conflicts has no lifetimes to draw");
	drawing->times = calloc(2 * plan->place_count + 1, sizeof(*drawing->times));
	drawing->arena_top = calloc((size_t)plan->arena_count + 1, sizeof(*drawing->arena_top));
	drawing->arena_height =
		calloc((size_t)plan->arena_count + 1, sizeof(*drawing->arena_height));
	if (drawing->times)
		collect_times(drawing);
	drawing->load = calloc(drawing->time_count + 1, sizeof(*drawing->load));
	if (drawing->times && drawing->arena_top && drawing->arena_height && drawing->load)
		return BERTH_OK;
	return berth_error_set(BERTH_E_NOMEM, 0, "no memory to draw %zu requests",
			       plan->place_count);
}

berth_status berth__plan_svg_print(FILE *file, const char *title, const berth_plan_model *model,
				   const berth_plan *plan)
{
	struct drawing drawing = { .file = file, .model = model, .plan = plan };
	berth_status st = prepare(&drawing);

	if (st == BERTH_OK)
		draw(&drawing, title);
	release(&drawing);
	return st;
}

berth_status berth_plan_svg_write(const char *path, const char *title,
				  const berth_plan_model *model, const berth_plan *plan)
{
	struct drawing drawing = { .model = model, .plan = plan };
	struct berth__whole_file file;
	berth_status st = prepare(&drawing);

	if (st == BERTH_OK && (st = berth__whole_file_begin(&file, path)) == BERTH_OK) {
		drawing.file = file.stream;
		draw(&drawing, title);
		st = berth__whole_file_end(&file, path);
	}
	release(&drawing);
	return st;
}
