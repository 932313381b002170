# What clinfo prints of a real device, in both its forms, is what Berth asks the driver.
need_recording
command -v clinfo >/dev/null || skip "no clinfo"
"$BUILT/cli/cl_program" exit 0 >/dev/null 2>&1 || skip "no PoCL"
clinfo >human.txt 2>/dev/null
clinfo --raw >raw.txt 2>/dev/null
# Values that do not follow the free memory of the machine.
limits() {
	berth devices --json "$@" | tr '{}' '\n\n' | grep -E "\"device\":\"(opencl:Portable|sim:clinfo)" |
		grep -oE '"(name|vendor|opencl|base_addr_align_bits|images|image2d_max_width|image2d_max_height|image2d_from_buffer|image_pitch_align)":("[^"]*"|[a-z0-9]*)'
}
limits >driver.out
for dump in human raw; do
	limits sim:clinfo:$dump.txt:0 >$dump.out
	cmp driver.out $dump.out && echo "$dump: the same"
done
wc -l <driver.out | tr -d ' '
