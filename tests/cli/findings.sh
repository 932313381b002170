# Programs that cost more than they need, one for each rule, and beside each the same program
# done well, in which nothing is found. Numbers of people's reports where there are some.
found() {
	echo "== $1"
	shift
	rm -f t.db
	"$BUILT/make_trace" script t.db && berth findings t.db "$@" | sed 1,2d
}
well() {
	rm -f t.db
	"$BUILT/make_trace" script t.db && berth findings t.db "$@" | sed 's/^/well done: /;2,$d'
}
repeat() {
	for i in $(seq "$1" "$2"); do
		echo "$3" | sed "s/%/$i/g"
	done
}

found "a kernel with an object that was released" <<END
buffer 1 4M
use scale 1!
release 1
use scale 1!
END
well <<END
buffer 1 4M
use scale 1!
retain 1
release 1
use scale 1!
release 1
END

found "a parent released before its sub-buffer is legal; a use of it afterwards is not" <<END
buffer 1 4K
sub 2 1 0 1K
release 1
use k 2!
release 2
use k 1
END
well <<END
buffer 1 4K
sub 2 1 0 1K
release 1
use k 2!
release 2
END

found "a double release, and a release of NULL" <<END
buffer 1 4K
release 1
fail -38 release 1
fail -38 release 0
fail -38 release 0
END

found "leaks" <<END
buffer 1 1M
label 1 weights
buffer 2 2K
use k 1! 2!
sync
buffer 3 1K
release 3
END

found "a backlog: ten times 4 MiB, released before anybody waited" <<END
$(repeat 1 10 'buffer % 4M
use k %!
release %')
sync
END
well <<END
$(repeat 1 10 'buffer % 4M
use k %!
sync
release %')
END

found "created over device memory: 8192 MB of 8119 MB, and no error" <<END
device global_mem_bytes=8513388544
buffer 1 8192M
release 1
END

found "a weight of 887 MiB where 1024 is the most" <<END
device max_alloc_bytes=1GiB
buffer 1 887M
release 1
END
well <<END
device max_alloc_bytes=1GiB
buffer 1 800M
release 1
END

found "images near the axis of the device, and over that of another" --on sim:spec-minimum <<END
image 1 15000x16 RGBA HALF_FLOAT
release 1
END
found "images over the axis: 17920 of 16384" --on sim:spec-minimum <<END
image 1 17920x16 RGBA HALF_FLOAT
release 1
END

found "kept beyond the last use" <<END
buffer 1 8M
use k 1!
sync
buffer 2 8M
use k 2!
sync
release 2
release 1
END
well <<END
buffer 1 8M
use k 1!
sync
release 1
buffer 2 8M
use k 2!
sync
release 2
END

found "images and buffers in turn" <<END
buffer 1 4M
image 2 1024x1024 RGBA UNORM_INT8
use a 1!
use b 1
sync
use c 2!
use d 2
sync
release 1
release 2
END

found "rows of 100 pixels where 64 are needed: 28 % more" --on sim:adreno-650 <<END
$(repeat 1 16 'image % 100x330 RGBA HALF_FLOAT')
$(repeat 1 16 'use k %!')
sync
$(repeat 1 16 'release %')
END
well --on sim:adreno-650 <<END
$(repeat 1 16 'image % 128x330 RGBA HALF_FLOAT')
$(repeat 1 16 'use k %!')
sync
$(repeat 1 16 'release %')
END

found "a thousand buffers of 100 bytes" <<END
$(repeat 1 1000 'buffer % 100')
$(repeat 1 1000 'use k %!')
sync
$(repeat 1 1000 'release %')
END

found "weights uploaded twice: 684 + 96 MB of 780 more than needed" <<END
buffer 1 717645414
buffer 2 100663296
buffer 3 717645414
buffer 4 100663296
write 1 0 717645414 w
write 2 0 100663296 e
write 3 0 717645414 w
write 4 0 100663296 e
use k 1 2 3 4
sync
release 1
release 2
release 3
release 4
END
well <<END
buffer 1 8M
buffer 2 8M
write 1 0 8M a
use k 1!
write 2 0 8M a
use k 1 2
sync
release 1
release 2
END

found "buffers that live on below a sub-buffer of 1 KiB" <<END
buffer 1 8M
sub 2 1 0 1K
use k 1!
sync
release 1
use k 2
sync
release 2
END

found "bits read as bytes: 1024 for 128" --on sim:spec-minimum <<END
buffer 1 16K
sub 9 1 0 100
sub 10 1 1024 100
sub 11 1 2048 100
sub 12 1 3072 100
sub 13 1 4096 100
use k 1!
sync
$(for i in 9 10 11 12 13 1; do echo release $i; done)
END
well --on sim:spec-minimum <<END
buffer 1 16K
sub 10 1 128 100
sub 11 1 1024 100
sub 12 1 2048 100
sub 13 1 3072 100
use k 1!
sync
$(for i in 10 11 12 13 1; do echo release $i; done)
END
found "pixels read as bytes: a pitch of 832 for 64 pixels" --on sim:adreno-650 <<END
buffer 1 64K
fail -39 image 2 100x33 RGBA HALF_FLOAT on 1 832
use k 1!
sync
release 1
END

found "the same content again" <<END
buffer 1 1M
write 1 0 1M a
use k 1
write 1 0 1M a
use k 1
write 1 0 1M b
use k 1
read 1 0 1M b
sync
release 1
END

found "the same content up and down" <<END
buffer 1 1M read_only
$(repeat 1 4 'write 1 0 1M a
use k 1
read 1 0 1M a')
release 1
END

found "zero copy missed: host memory at an address that is no page's, 4 MiB" --on sim:adreno-650 <<END
host 4112
buffer 1 4M use_host
use k 1!
sync
release 1
END
well --on sim:adreno-650 <<END
buffer 1 4M use_host
use k 1!
sync
release 1
END
found "zero copy missed: writes where a map would do" --on sim:adreno-650 <<END
buffer 1 32M
took 20000
write 1 0 32M a
use k 1!
release 1
END

found "700 ms for 2 KiB: the read waits for the kernel" <<END
buffer 1 2K
use k 1!
took 700000
read 1 0 2K
took 10
release 1
END
well <<END
buffer 1 2K
use k 1!
took 700000
sync
took 10
read 1 0 2K
release 1
END

found "made again and again: 40 times 1 MiB" <<END
$(repeat 1 40 'buffer % 1M
use k %!
sync
release %')
END
well <<END
buffer 1 1M
$(repeat 1 40 'use k 1!
sync')
release 1
END

echo "== references balance, and memory grows: it is below the calls"
rm t.db
"$BUILT/make_trace" script t.db <<END
$(repeat 1 19 'buffer % 1000
use k %!
sync
release %')
END
try berth findings t.db
try berth findings t.db --json
berth findings t.db --junit r.xml >/dev/null
grep -c '<testcase' r.xml
try berth findings none.db
try berth findings t.db --on sim:none
try berth findings t.db --on none
list_files
