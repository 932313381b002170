# A driver of our own that answers every call, refuses, is slow, and calls OpenCL itself: the
# recording says what the program says that it was answered. Under the sanitizers like the rest.
need_layer
command -v sqlite3 >/dev/null || skip "no sqlite3"
PATH=$BUILT/cli:$PATH
mkdir icd
echo "$BUILT/cli/.libs/synthetic_icd.so" >icd/synthetic.icd
OCL_ICD_VENDORS=$PWD/icd
export OCL_ICD_VENDORS

# libunwind locks a mutex when a thread is gone for ThreadSanitizer, which crashes: its step of the
# gate asks for no stacks.
stacks=${SYNTHETIC_STACKS---stacks}

# What the driver retains (no object) is told from what the program does only in calls that the
# layer wraps, which those on programs are not.
one() {
	echo "== $*"
	env "$@" berth record -o t.db $stacks --payload 1M -- synthetic_program >answers.txt 2>messages.txt
	echo "[exit $?]"
	sed 's/.*/messages: &/' messages.txt | grep -v ' ops' 
	sqlite3 -readonly t.db "SELECT k.name, count(*), sum(status IS NOT 0), sum(status) FROM op
		JOIN op_kind k ON k.id = op.kind WHERE k.name NOT IN ('order', 'arg', 'label')
		AND NOT (k.name = 'retain' AND object IS NULL)
		GROUP BY k.name ORDER BY k.name" >recorded.txt
	test -s answers.txt && diff answers.txt recorded.txt && echo "the trace says what the program was told"
	sqlite3 -readonly t.db "SELECT 'lost: ' || value FROM meta WHERE key = 'lost';
		SELECT 'never released: ' || count(*) FROM leak;
		SELECT 'counted: ' || name FROM untracked WHERE name LIKE '%inside%' ORDER BY name;"
}

one SYNTHETIC_REFUSE=0
one SYNTHETIC_REFUSE=5
one SYNTHETIC_REFUSE=7 SYNTHETIC_SLOW=50
one SYNTHETIC_REFUSE=11 SYNTHETIC_REENTER=1
