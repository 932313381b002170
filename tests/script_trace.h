/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces from a few lines of text, so that a test can show the program that it is about.
 * One op a line; '#' begins a comment. Sizes may end in K, M or G.
 *
 *	device KEY=VALUE[,...]	of the recorded device (sim.h, berth_profile_override())
 *	buffer ID BYTES [FLAG...]	flags: read_only, use_host, copy_host, alloc_host
 *	sub ID PARENT ORIGIN BYTES
 *	image ID WxH ORDER TYPE [on BUFFER PITCH] [FLAG...]
 *	image3d ID WxHxD ORDER TYPE
 *	write|read ID OFFSET BYTES [CONTENT]	content: a word; equal words have equal digests
 *	write_image|read_image ID WxH
 *	copy FROM TO BYTES
 *	map ID MAPPING BYTES [w]	unmap ID MAPPING
 *	use KERNEL ID...	writes to those that end in '!'
 *	arg KERNEL ID	release ID	retain ID	label ID TEXT
 *	mark NAME	begin NAME	end NAME	sync
 *	at MS	took US	queue N	thread N	host ADDRESS	hold for what follows: its time, duration,
 *		where it ran, the host pointers of creations
 *	fail CODE LINE	the line as above, answered with this code
 */
#ifndef BERTH_TESTS_SCRIPT_TRACE_H
#define BERTH_TESTS_SCRIPT_TRACE_H

#include <stdio.h>

#include <berth/status.h>

/* BERTH_E_FORMAT: the detail names the line. */
berth_status script_trace_write(const char *path, FILE *script);

#endif
