/* SPDX-License-Identifier: Apache-2.0 */
/* The page: its template names places as {{NAME}}; each is filled by a row of a table. */
#include "report_page.h"

#include "report_json.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

berth_status berth__report_page_nonce(char out[BERTH__REPORT_NONCE_BYTES])
{
	unsigned char random[(BERTH__REPORT_NONCE_BYTES - 1) / 2];

	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return berth_error_set(BERTH_E_IO, 0, "no random numbers: %s", strerror(errno));
	for (size_t i = 0; i < sizeof(random); i++)
		snprintf(out + 2 * i, 3, "%02x", random[i]);
	return BERTH_OK;
}

static void put_base64(FILE *file, const char *text)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *at = (const unsigned char *)text;
	size_t left = strlen(text);

	for (; left > 0; at += 3, left -= left < 3 ? left : 3) {
		uint32_t bits = (uint32_t)at[0] << 16 | (left > 1 ? (uint32_t)at[1] << 8 : 0) |
				(left > 2 ? at[2] : 0);

		fputc(digits[bits >> 18], file);
		fputc(digits[bits >> 12 & 63], file);
		fputc(left > 1 ? digits[bits >> 6 & 63] : '=', file);
		fputc(left > 2 ? digits[bits & 63] : '=', file);
	}
}

/* ---- the places ---- */

static void put_title(FILE *file, const struct berth__report_page *page)
{
	berth__report_html_text(file, page->title);
}

static void put_nonce(FILE *file, const struct berth__report_page *page)
{
	fputs(page->nonce, file);
}

static void put_css(FILE *file, const struct berth__report_page *page)
{
	(void)page;
	fputs(berth__report_css, file);
}

static void put_js(FILE *file, const struct berth__report_page *page)
{
	(void)page;
	fputs(berth__report_js, file);
}

static void put_data(FILE *file, const struct berth__report_page *page)
{
	fputs(page->data, file);
}

/* As an image, its styles and its text stay apart from the page's. */
static void put_plan(FILE *file, const struct berth__report_page *page)
{
	if (!page->plan)
		return;
	fputs("<section aria-labelledby=\"plan-title\"><h2 id=\"plan-title\">Plan</h2>\n"
	      "<p>Every object at an offset of an arena, by the order of ops. "
	      "<code>berth plan --svg</code> draws it with tooltips.</p>\n"
	      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"The plan\">"
	      "<img class=\"plan\" alt=\"Packing picture of the plan: addresses over time\" "
	      "src=\"data:image/svg+xml;base64,",
	      file);
	put_base64(file, page->plan);
	fputs("\"></div></section>", file);
}

static const struct {
	const char *name;
	void (*put)(FILE *file, const struct berth__report_page *page);
} places[] = {
	{ "TITLE", put_title }, { "NONCE", put_nonce }, { "CSS", put_css },
	{ "JS", put_js },	{ "DATA", put_data },	{ "PLAN", put_plan },
};

/* @return what follows the place that @text begins with; NULL: it begins with none. */
static const char *fill(FILE *file, const char *text, const struct berth__report_page *page)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		size_t bytes = strlen(places[i].name);

		if (strncmp(text + 2, places[i].name, bytes) == 0 &&
		    strncmp(text + 2 + bytes, "}}", 2) == 0) {
			places[i].put(file, page);
			return text + bytes + 4;
		}
	}
	return NULL;
}

void berth__report_page_print(FILE *file, const struct berth__report_page *page)
{
	const char *text = berth__report_html, *place, *after;

	for (; (place = strstr(text, "{{")) != NULL; text = after) {
		fwrite(text, 1, (size_t)(place - text), file);
		if (!(after = fill(file, place, page))) {
			fwrite(place, 1, 2, file);
			after = place + 2;
		}
	}
	fputs(text, file);
}
