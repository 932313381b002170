/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Macros that every public header of Berth uses: export, must-check, C++.
 *
 * Naming: `berth_<noun>_<verb>`. `_create/_destroy` pair on handles the caller
 * owns, `_retain/_release` on counted ones, `_init` on structs the caller
 * provides. Sizes end in `_bytes`, times in `_ns`. A pointer-to-pointer out
 * parameter gives ownership to the caller; a returned pointer is borrowed.
 * Out parameters are written only on BERTH_OK unless a function says otherwise.
 */
#ifndef BERTH_API_H
#define BERTH_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define BERTH_API __attribute__((__visibility__("default")))
#define BERTH_MUST_CHECK __attribute__((__warn_unused_result__))
#define BERTH_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define BERTH_API
#define BERTH_MUST_CHECK
#define BERTH_PRINTF(text, first)
#endif

#ifdef __cplusplus
#define BERTH_BEGIN_DECLS extern "C" {
#define BERTH_END_DECLS }
#else
#define BERTH_BEGIN_DECLS
#define BERTH_END_DECLS
#endif

BERTH_BEGIN_DECLS

/** The library's version, "MAJOR.MINOR.PATCH"; a static string. Thread safe. */
BERTH_API const char *berth_version(void);

BERTH_END_DECLS

#endif
