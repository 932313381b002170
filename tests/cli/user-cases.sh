# What people report (their numbers), and the verdict that each needed. A trace is the program
# that it happened to; the device is the one that it failed on.
verdict() {
	try_sed '/^  before it/,/^    /d; /^ops:/d; /^left out/d; /^other codes/d; /^bytes moved/d
		/^estimated/d; /^elapsed/d; /^trace/d; /^    [0-9]/d; /^  recorded:/d' \
		berth replay t.db --ghost "$@"
}

trace() {
	echo
	echo "== $1"
	rm -f t.db
	"$BUILT/make_trace" script t.db
}

trace "a pool that cannot grow a freed buffer: 1, 2, 3, 4 end at 10 held instead of 4" <<END
buffer 1 1M
release 1
buffer 2 2M
release 2
buffer 3 3M
release 3
buffer 4 4M
release 4
END
for policy in first-fit best-fit suballoc; do
	verdict --on sim:spec-minimum --pool $policy | grep -v "^peak:"
done

trace "free memory in holes: 512 KiB free, no hole of more than 256" <<END
buffer 1 256K
buffer 2 256K
buffer 3 256K
buffer 4 256K
release 1
release 3
buffer 5 512K
END
verdict --on sim:spec-minimum --memory 1M --pool suballoc
verdict --on sim:spec-minimum --memory 1M

trace "holes of 8 and 16 (here x 32 KiB): who takes the 16 for the 8 has no room for the 16" <<END
buffer 1 256K
buffer 2 256K
buffer 3 512K
release 1
release 3
buffer 4 256K
buffer 5 512K
END
verdict --on sim:spec-minimum --memory 1M --pool suballoc

trace "one weight needs 4096 bytes more than there are" <<END
buffer 1 27525120
END
verdict --on sim:spec-minimum --memory 27521024

trace "images that are too wide, whatever their bytes" <<END
image 1 9072x320 RGBA HALF_FLOAT
release 1
image 2 17920x1120 RGBA HALF_FLOAT
image 3 18560x16 RGBA HALF_FLOAT
END
verdict --on recorded --set image2d_max_width=8192,image2d_max_height=8192
verdict --on recorded --set image2d_max_width=16384,image2d_max_height=16384 --list 9

trace "8192 MiB of 8119 MiB: created, and out of memory at the kernel" <<END
buffer 1 8192M
use kernel 1!
END
verdict --on recorded --memory 8119M
verdict --on recorded --memory 8119M --set commit=first_use

trace "rounding to bins: what PyOpenCL's pool holds for five sizes" <<END
buffer 1 3048
buffer 2 1000000
buffer 3 1048577
buffer 4 3000000
buffer 5 100
END
verdict --on sim:spec-minimum --pool bins | grep held
verdict --on sim:spec-minimum --pool naive | grep held

trace "origins of sub-buffers: what breaks at which alignment, and the next that is legal" <<END
buffer 1 4096
sub 2 1 64 64
sub 3 1 128 64
sub 4 1 2048 64
END
for bits in 512 1024 2048 16384; do
	verdict --on recorded --set base_addr_align_bits=$bits --list 9 | grep -v "^peak"
done

trace "one graph buffer of 1664 MiB on a device with allocations of 1024" <<END
buffer 1 1664M
END
verdict --on recorded --max-alloc 1024M

trace "scratch buffers where the device gives 256 MiB: only the first is too large" <<END
buffer 1 311164928
buffer 2 38895616
buffer 3 45088768
END
verdict --on recorded --max-alloc 256M --list 9

trace "500 MiB refused in the program: only an error number was known" <<END
device max_alloc_bytes=419430400
fail -61 buffer 1 524288000
END
verdict --on recorded

trace "a device that says 256 MiB, 217.6 at once, and holds 13 x 200 MiB" <<END
device global_mem_bytes=268435456,max_alloc_bytes=228170137
$(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do echo "buffer $i 200M"; done)
END
verdict --on recorded
verdict --on recorded --memory 4G

trace "drivers that do not enforce their largest allocation: strict and lenient" <<END
buffer 1 600M
END
verdict --on recorded --max-alloc 512M
verdict --on recorded --max-alloc 512M --set max_alloc_enforced=none

trace "row pitches on a buffer: 64 pixels are wanted" <<END
buffer 1 67584
image 2 100x33 RGBA HALF_FLOAT on 1 800
image 3 100x33 RGBA HALF_FLOAT on 1 1000
image 4 100x33 RGBA HALF_FLOAT on 1 1024
image 5 100x33 RGBA FLOAT on 1 2048
END
verdict --on recorded --set image_pitch_align=64,image_base_align=64 --list 9
verdict --on recorded --set image2d_from_buffer=no,image_pitch_align=0,image_base_align=0

trace "released memory that comes free only at a clFinish" <<END
buffer 1 2M
release 1
buffer 2 3M
END
verdict --on recorded --memory 4M --set free_time=finish

trace "a pool's cache that nobody uses, and a kernel that finds no memory" <<END
buffer 1 2M
release 1
image3d 2 1024x1024x2 RGBA UNORM_INT8
use kernel 2!
END
verdict --on recorded --memory 8M --set commit=ndrange --pool suballoc

