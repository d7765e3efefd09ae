/* Short rewrites as text, each with the verdict it must get: rewrites that are never allowed, the
 * rules, each assumption. A proof that is found must also pass as a certificate, and
 * expects_values must change nothing. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "check/check.h"

/* Short words for the instructions of the rows below. */
static const char *const words[][2] = {
    {"ld", "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%r9];"},
    {"ld2", "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r3, %r4}, [%r9+16];"},
    {"st", "tcgen05.st.sync.aligned.32x32b.x2.b32 [%r8], {%r5, %r6};"},
    {"mma", "tcgen05.mma.cta_group::1.kind::f16 [%r20], %rd1, %rd2, %r21, %p1;"},
    {"mma2", "tcgen05.mma.cta_group::1.kind::f16 [%r22], %rd1, %rd2, %r21, %p1;"},
    {"cp", "tcgen05.cp.cta_group::1.128x256b [%r20], %rd1;"},
    {"shift", "tcgen05.shift.cta_group::1.down [%r20];"},
    {"wl", "tcgen05.wait::ld.sync.aligned;"},
    {"ws", "tcgen05.wait::st.sync.aligned;"},
    {"fb", "tcgen05.fence::before_thread_sync;"},
    {"fa", "tcgen05.fence::after_thread_sync;"},
    {"com", "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r30];"},
    {"arr", "mbarrier.arrive.shared.b64 _, [%r31];"},
    {"rel", "st.relaxed.gpu.global.u32 [%rd7], %r1;"},
    {"red", "red.relaxed.gpu.global.add.u32 [%rd7], %r50;"},
    {"tw", "mbarrier.try_wait.parity.shared.b64 %p2, [%r31], %r32;"},
    {"bar", "bar.sync 0;"},
    {"dea", "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r20, 256;"},
    {"pa", "fence.proxy.async;"},
    {"pc", "fence.proxy.async.shared::cta;"},
};

enum stand_in { LINE, COMMENT, BLANK };

struct row {
    const char *name;
    const char *program; /* a line that starts with `-` is not in AFTER */
    enum check_verdict wanted;
    bool is_func;
    uint32_t assume, deny;
    enum stand_in stand_in; /* the text that a removed line leaves */
    const char *version;
};

static const struct row rows[] = {
    {"covered line", "ld\n-wl\nld2\nwl\nadd.u32 %r40,%r1,%r3;\nret;", CHECK_PROVEN, false, 0, 0,
     LINE, "8.7"},
    {"covered comment", "ld\n-wl\nld2\nwl\nadd.u32 %r40,%r1,%r3;\nret;", CHECK_PROVEN, false, 0, 0,
     COMMENT, "8.7"},
    {"covered blank", "ld\n-wl\nld2\nwl\nadd.u32 %r40,%r1,%r3;\nret;", CHECK_PROVEN, false, 0, 0,
     BLANK, "8.7"},
    {"a relaxed store after mma keeps its fence",
     "mma\n-fb\nst.relaxed.gpu.global.u32 [%rd7], %r40;\nret;", CHECK_REFUSED, false, 0, 0, LINE,
     "8.7"},
    {"a commit does not track ld", "ld\n-fb\ncom\nret;", CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"a commit does not track ld, however silent the exit", "ld\n-fb\ncom\nret;", CHECK_REFUSED,
     false, CHECK_EXIT_SILENT, 0, LINE, "8.7"},
    {"a fence with nothing issued is idle", "-fb\n@%p3 com\nret;", CHECK_PROVEN, false, 0, 0, LINE,
     "8.7"},
    {"fence; @p commit", "mma\n-fb\n@%p3 com\nret;", CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"@p fence; @p commit", "mma\n-@%p3 fb\n@%p3 com\nret;", CHECK_PROVEN, false, 0, 0, LINE,
     "8.7"},
    {"@p fence; p changes; @p commit", "mma\n-@%p3 fb\nsetp.eq.u32 %p3, %r1, 0;\n@%p3 com\nret;",
     CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"@p fence; @!p commit", "mma\n-@%p3 fb\n@!%p3 com\nret;", CHECK_REFUSED, false, 0, 0, LINE,
     "8.7"},
    {"fence::after in an mma loop", "L:\ntw\n@!%p2 bra L;\n-fa\nmma\ncom\nbra L;", CHECK_REFUSED,
     false, 0, 0, LINE, "8.7"},
    {"used registers do not end the read", "ld\n-wl\nadd.u32 %r40,%r1,%r2;\narr\nret;",
     CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"ld; wait; dealloc", "ld\n-wl\ndea\nret;", CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"a relay needs fence::after", "tw\n-fa\nfb\narr\nret;", CHECK_REFUSED, false, 0, 0, LINE,
     "8.7"},
    {"a relay needs fence::before", "tw\nfa\n-fb\narr\nret;", CHECK_REFUSED, false, 0, 0, LINE,
     "8.7"},
    {"no relay when fences are not cumulative", "tw\nfa\n-fb\narr\nret;", CHECK_PROVEN, false,
     CHECK_NOT_CUMULATIVE, 0, LINE, "8.7"},
    {"st; wait::st; bar.sync", "st\n-ws\nbar\nret;", CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"a guarded wait is not deleted", "ld\n-@%p3 wl\nret;", CHECK_REFUSED, false, 0, 0, LINE,
     "8.7"},
    {"a guarded wait covers nothing", "ld\n@%p3 wl\n-wl\nret;", CHECK_REFUSED, false, 0, 0, LINE,
     "8.7"},
    {"a loaded register is rewritten", "ld\n-wl\nmov.u32 %r1, 0;\nld2\nwl\nret;", CHECK_REFUSED,
     false, 0, 0, LINE, "8.7"},
    {"an address is rewritten round a loop",
     "L:\nadd.u32 %r9, %r9, 16;\nld\n-wl\nadd.u32 %r40,%r1,%r2;\n@%p3 bra L;\nwl\nret;",
     CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"a loaded register is loaded again round a loop",
     "L:\nld\n-wl\nadd.u32 %r40,%r1,%r2;\n@%p3 bra L;\nwl\nret;", CHECK_REFUSED, false, 0, 0, LINE,
     "8.7"},
    {"loop other regs", "L:\nld\nld2\nwl\n-wl\nbar\n@%p3 bra L;\nwl\nret;", CHECK_PROVEN, false, 0,
     0, LINE, "8.7"},
    {"only the next round observes the second wait", "L:\nld\nld2\nwl\n-wl\n@%p3 bra L;\nwl\nret;",
     CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"a wait at the start of a .func", "-wl\nret;", CHECK_REFUSED, true, 0, 0, LINE, "8.7"},
    {"a fence at the start of a .func", "-fb\nret;", CHECK_REFUSED, true, 0, 0, LINE, "8.7"},
    {"a wait after a call", "call f;\n-wl\nret;", CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"the back edge brings a load", "L:\n-wl\ntw\nld\n@%p3 bra L;\nwl\nret;", CHECK_REFUSED, false,
     0, 0, LINE, "8.7"},
    {"idle", "ld\nwl\n-wl\nfb\narr\nret;", CHECK_PROVEN, false, 0, 0, LINE, "8.7"},
    {"idle entry", "-wl\nmma\nret;", CHECK_PROVEN, false, 0, 0, LINE, "8.7"},
    {"before idle", "ld\nwl\nfb\narr\n-fb\narr\nret;", CHECK_PROVEN, false, 0, 0, LINE, "8.7"},
    {"before commit", "mma\n-fb\ncom\nret;", CHECK_PROVEN, false, 0, 0, LINE, "8.7"},
    {"before commit off", "mma\n-fb\ncom\nret;", CHECK_REFUSED, false, 0, CHECK_COMMIT_FENCES, LINE,
     "8.7"},
    {"before commit then ld", "mma\n-fb\ncom\nld\nret;", CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"pair fence", "mma\n-fb\nmma\ncom\nret;", CHECK_PROVEN, false, 0, 0, LINE, "8.7"},
    {"pair fence2", "mma\n-fb\nmma2\ncom\nret;", CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"pair fence3", "mma\n-fb\nadd.u32 %r20, %r20, 4;\nmma\ncom\nret;", CHECK_REFUSED, false, 0, 0,
     LINE, "8.7"},
    {"pair cp",
     "cp\n-fb\ntcgen05.mma.cta_group::1.kind::f16 [%r22], [%r20], %rd2, %r21, %p1;\ncom\nret;",
     CHECK_PROVEN, false, 0, 0, LINE, "8.7"},
    {"pair cp2", "cp\n-fb\nmma2\ncom\nret;", CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"after idle", "tw\nfa\n-fa\nmma\ncom\nret;", CHECK_PROVEN, false, 0, 0, LINE, "8.7"},
    {"after overtaken", "tw\n-fa\ntw\nfa\nmma\ncom\nret;", CHECK_PROVEN, false, 0, 0, LINE, "8.7"},
    {"wait pair", "st\n-ws\nld\nwl\nws\nret;", CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"wait pair94", "st\n-ws\nld\nwl\nws\nret;", CHECK_PROVEN, false, 0, 0, LINE, "9.4"},
    {"wait pair94c", "st\n-ws\nld\nwl\nret;", CHECK_REFUSED, false, 0, 0, LINE, "9.4"},
    {"proxy", "pa\nadd.u32 %r1,%r1,1;\n-pa\nret;", CHECK_PROVEN, false, 0, 0, LINE, "8.7"},
    {"proxy narrower", "pa\n-pc\nret;", CHECK_PROVEN, false, 0, 0, LINE, "8.7"},
    {"proxy wider", "pc\n-pa\nret;", CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"proxy st", "pa\nst.shared.u32 [%r1], %r2;\n-pa\nret;", CHECK_REFUSED, false, 0, 0, LINE,
     "8.7"},
    {"a label between two proxy fences", "pa\n@%p1 bra L;\nadd.u32 %r1,%r1,1;\nL:\n-pa\nret;",
     CHECK_PROVEN, false, 0, 0, LINE, "8.7"},
    {"proxy br2", "@%p1 bra L;\npa\nL:\n-pa\nret;", CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"other del", "ld\n-add.u32 %r1,%r1,1;\nwl\nret;", CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"unknown tcgen", "tcgen05.frob [%r1];\nld\nwl\n-wl\nret;", CHECK_CANNOT_TELL, false, 0, 0,
     LINE, "8.7"},
    {"mixed",
     "mma\ntcgen05.commit.cta_group::2.mbarrier::arrive::one.b64 [%r1];\nld\nwl\n-wl\nret;",
     CHECK_CANNOT_TELL, false, 0, 0, LINE, "8.7"},
    {"scopes", "ld\n-wl\n{\n.reg .b32 %r1;\nmov.u32 %r1, 0;\n}\nwl\nret;", CHECK_PROVEN, false, 0,
     0, LINE, "8.7"},
    {"scopes2", "ld\n-wl\n{\n.reg .b32 %r7;\nmov.u32 %r1, 0;\n}\nwl\nret;", CHECK_REFUSED, false, 0,
     0, LINE, "8.7"},
    {"spin",
     "com\n{\n.reg .pred P1;\nLAB:\nmbarrier.try_wait.parity.shared.b64 P1, [%r31], %r32;\n@P1 bra "
     "DONE;\nbra LAB;\nDONE:\n}\n-fa\n{\n.reg .pred P1;\nLAB:\nmbarrier.try_wait.parity.shared.b64 "
     "P1, [%r31], %r32;\n@P1 bra DONE;\nbra LAB;\nDONE:\n}\nfa\nmma\ncom\nret;",
     CHECK_PROVEN, false, 0, 0, LINE, "8.7"},
    {"brx", "brx.idx %r1, T;\nT: .branchtargets A, B;\nA:\nld\nB:\n-wl\nret;", CHECK_REFUSED, false,
     0, 0, LINE, "8.7"},
    {"brx bad", "brx.idx %r1, T;\nA:\nld\nB:\n-wl\nret;", CHECK_CANNOT_TELL, false, 0, 0, LINE,
     "8.7"},
    {"a name with a leading zero may be a range's", "ld\n-wl\nmov.u32 %r01, 0;\nld2\nwl\nret;",
     CHECK_CANNOT_TELL, false, 0, 0, LINE, "8.7"},
    {"a number of ten digits may wrap around", "ld\n-wl\nmov.u32 %r4294967297, 0;\nld2\nwl\nret;",
     CHECK_CANNOT_TELL, false, 0, 0, LINE, "8.7"},
    {"a nested range whose stem ends in a digit hides nothing",
     "ld\n-wl\n{\n.reg .b32 %r1<4>;\nmov.u32 %r1, 0;\n}\nld2\nwl\nret;", CHECK_CANNOT_TELL, false,
     0, 0, LINE, "8.7"},
    {"a nested range counted in octal",
     "ld\n-wl\n{\n.reg .b32 %r<01>;\nmov.u32 %r1, 0;\n}\nld2\nwl\nret;", CHECK_CANNOT_TELL, false,
     0, 0, LINE, "8.7"},
    {"a label of two blocks around a branch",
     "bra M;\nL: arr\nret;\nM:\nld\n-wl\n{\n{\nbra L;\n}\nL:\nld2\nwl\n}\nret;", CHECK_CANNOT_TELL,
     false, 0, 0, LINE, "8.7"},
    {"a table of two blocks around a brx",
     "T: .branchtargets A;\nld\n-wl\n{\nbrx.idx %r50, T;\nT: .branchtargets B;\nB:\nwl\nret;\n}\n"
     "A:\narr\nret;",
     CHECK_CANNOT_TELL, false, 0, 0, LINE, "8.7"},
    {"an unknown instruction that names a label", "ld\nhop.uni B;\nwl\nB:\n-wl\narr\nret;",
     CHECK_CANNOT_TELL, false, 0, 0, LINE, "8.7"},
    {"a store of an unknown kind",
     "ld\n-wl\nst.weak.rendezvous.global.u32 [%rd7], %r50;\nld2\nwl\nret;", CHECK_REFUSED, false, 0,
     0, LINE, "8.7"},
    {"cp to the accumulator is no pair", "cp\n-fa\nmma\ncom\nret;", CHECK_REFUSED, false, 0, 0,
     LINE, "8.7"},
    {"what a try_wait brings may be the thread's own", "mma\ncom\ntw\nfa\n-fb\narr\nret;",
     CHECK_REFUSED, false, CHECK_NOT_CUMULATIVE, 0, LINE, "8.7"},
    {"a deleted wait between two proxy fences is not there", "pa\n-ws\n-pa\nret;", CHECK_PROVEN,
     false, 0, 0, LINE, "8.7"},
    {"regdep off", "ld\n-wl\nadd.u32 %r40,%r1,%r2;\nwl\nret;", CHECK_REFUSED, false, 0,
     CHECK_REGISTER_DEPENDENCY, LINE, "8.7"},
    {"regdep on", "ld\n-wl\nadd.u32 %r40,%r1,%r2;\nwl\nret;", CHECK_PROVEN, false, 0, 0, LINE,
     "8.7"},
    {"nobarrier off", "ld\nwl\n-wl\nret;", CHECK_REFUSED, false, 0, CHECK_SYNC_IS_NO_BARRIER, LINE,
     "8.7"},
    {"reads", "ld\n-wl\nld2\nwl\nret;", CHECK_REFUSED, false, 0, CHECK_READS_COMMUTE, LINE, "8.7"},
    {"wait-publishes", "ld\nwl\n-fb\narr\nret;", CHECK_PROVEN, false, CHECK_WAIT_PUBLISHES, 0, LINE,
     "8.7"},
    {"wait no publish", "ld\nwl\n-fb\narr\nret;", CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"st src", "st\n-ws\nmov.u32 %r5, 1;\nws\nret;", CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"addr", "ld\n-wl\nadd.u32 %r9, %r9, 1;\nwl\nret;", CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"overtaken before", "mma\n-fb\nfb\narr\nret;", CHECK_PROVEN, false, 0, 0, LINE, "8.7"},
    {"overtaken before ld", "mma\n-fb\nld\nfb\narr\nret;", CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"a commit's fence counts towards an arrive", "mma\n-fb\ncom\narr\nret;", CHECK_PROVEN, false,
     0, 0, LINE, "8.7"},
    {"and is an assumption", "mma\n-fb\ncom\narr\nret;", CHECK_REFUSED, false, 0,
     CHECK_COMMIT_FENCES, LINE, "8.7"},
    {"a commit's fence does not count towards a reduction", "mma\n-fb\ncom\nred\nret;",
     CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"of two fences around a commit one orders the reduction", "cp\n-fb\ncom\n-fb\nred\nret;",
     CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"which one does not matter to it", "cp\n-fb\ncom\nfb\nred\nret;", CHECK_PROVEN, false, 0, 0,
     LINE, "8.7"},
    {"what was received before the mma is after its commit", "tw\nfa\nmma\n-fb\ncom\narr\nret;",
     CHECK_PROVEN, false, 0, 0, LINE, "8.7"},
    {"what was received after the mma is not", "mma\ntw\nfa\n-fb\ncom\narr\nret;", CHECK_REFUSED,
     false, 0, 0, LINE, "8.7"},
    {"a guarded mma may leave its commit nothing to track", "tw\nfa\n@%p3 mma\n-fb\ncom\narr\nret;",
     CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"a commit does not stand for a wait of the thread's own", "ld\nwl\nmma\n-fb\ncom\narr\nret;",
     CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"an acquire between fence and commit", "mma\n-fb\ntw\ncom\narr\nret;", CHECK_REFUSED, false, 0,
     0, LINE, "8.7"},
    {"an arrive that tells what others did",
     "mbarrier.arrive.noComplete.shared.b64 %rd8, [%r31], 1;\n"
     "mbarrier.pending_count.b64 %r60, %rd8;\nsetp.ne.u32 %p3, %r60, 0;\n"
     "@%p3 bra L;\n-fa\nmma\nL:\nret;",
     CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"shift of what the mma reads",
     "tcgen05.mma.cta_group::1.kind::f16 [%r22], [%r20], %rd2, %r21, %p1;\n-fa\nshift\ncom\nret;",
     CHECK_PROVEN, false, 0, 0, LINE, "8.7"},
    {"shift of what the mma writes", "mma\n-fa\nshift\ncom\nret;", CHECK_REFUSED, false, 0, 0, LINE,
     "8.7"},
    {"mma of what the mma before writes",
     "mma\n-fa\n"
     "tcgen05.mma.cta_group::1.kind::f16 [%r20], [%r22], %rd2, %r21, %p1;\ncom\nret;",
     CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"cp of the scales of an mma",
     "cp\n-fa\ntcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X "
     "[%r22], %rd1, %rd2, %r21, [%r20], [%r20], %p1;\ncom\nret;",
     CHECK_PROVEN, false, 0, 0, LINE, "8.7"},
    {"and is an assumption, too",
     "cp\n-fa\ntcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X "
     "[%r22], %rd1, %rd2, %r21, [%r20], [%r20], %p1;\ncom\nret;",
     CHECK_REFUSED, false, 0, CHECK_SCALES_FOLLOW_CP, LINE, "8.7"},
    {"somebody may mean the cp", "cp\n-ws\nld\nwl\nret;", CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"of two waits the first may go whatever else is pending", "st\nld\n-wl\nwl\nws\nret;",
     CHECK_PROVEN, false, 0, 0, LINE, "8.7"},
    {"a wait after a call and an arrive", "call f;\n-wl\narr\nret;", CHECK_REFUSED, false, 0, 0,
     LINE, "8.7"},
    {"a fence after a call", "call f;\n-fb\narr\nret;", CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"a fence after a call and a commit", "call f;\n-fb\ncom\narr\nret;", CHECK_REFUSED, false, 0,
     0, LINE, "8.7"},
    {"an mma reads what a store wrote", "st.shared.u32 [%r1], %r2;\n-pc\nmma\nret;", CHECK_REFUSED,
     false, 0, 0, LINE, "8.7"},
    {"a proxy fence between two waits", "ld\n-wl\npa\nwl\narr\nret;", CHECK_REFUSED, false, 0, 0,
     LINE, "8.7"},
    {"a load of which nothing needs a value before one wait", "ld\n-wl\nld2\nwl\nred\nret;",
     CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"a load of which a store needs the values before one wait",
     "ld\n-wl\nst.global.v2.u32 [%rd7],{%r1,%r2};\nld2\nwl\nred\nret;", CHECK_PROVEN, false, 0, 0,
     LINE, "8.7"},
    {"the same, and a value that cannot be read",
     "ld\n-wl\nst.global.v2.u32 [%rd7],{%r1,%r2};\n@%p3 add.u32 %r40,@;\nld2\nwl\nred\nret;",
     CHECK_REFUSED, false, 0, 0, LINE, "8.7"},
    {"a value that cannot be read and is not asked for",
     "ld\n-wl\nld2\nwl\n@%p3 add.u32 %r40,@;\nret;", CHECK_PROVEN, false, 0, 0, LINE, "8.7"},
};

static void print_word(struct buf *out, struct str word)
{
    size_t i = 0, count = sizeof words / sizeof *words;
    while (i < count && !str_is(word, words[i][0])) i++;
    if (i < count)
        buf_puts(out, words[i][1]);
    else
        buf_add(out, word.p, word.n);
}

static void print_line(struct buf *out, struct str line, bool after, enum stand_in stand_in)
{
    bool deleted = line.n && line.p[0] == '-';
    if (deleted && after) {
        buf_puts(out, stand_in == COMMENT ? "    // gone\n" : stand_in == BLANK ? "\n" : "");
        return;
    }
    struct str word = {line.p + deleted, line.n - deleted};
    buf_puts(out, "    ");
    const char *blank = word.n && word.p[0] == '@' ? memchr(word.p, ' ', word.n) : NULL;
    if (blank) {
        size_t guard = (size_t)(blank + 1 - word.p);
        buf_add(out, word.p, guard);
        word = (struct str){word.p + guard, word.n - guard};
    }
    print_word(out, word);
    buf_putc(out, '\n');
}

static void print_program(struct buf *out, const struct row *row, bool after)
{
    buf_printf(out, ".version %s\n.target sm_100a\n.address_size 64\n%s k()\n{\n", row->version,
               row->is_func ? ".visible .func" : ".visible .entry");
    buf_puts(out, "    .reg .b32 %r<100>;\n");
    for (const char *at = row->program; *at;) {
        size_t n = strcspn(at, "\n");
        print_line(out, (struct str){at, n}, after, row->stand_in);
        at += n + (at[n] == '\n');
    }
    buf_puts(out, "}\n");
}

static bool is_same(const struct check_result *a, const struct check_result *b)
{
    return a->verdict == b->verdict && strcmp(a->message, b->message) == 0 &&
           str_eq(a->certificate, b->certificate);
}

/* Whether the result is the same if the caller expects that values are needed. */
static bool is_same_with_values(struct check_options options, struct str before, struct str after,
                                struct arena *arena)
{
    struct check_result result, again;
    options.expects_values = false;
    check_run(&options, before, after, arena, &result);
    options.expects_values = true;
    check_run(&options, before, after, arena, &again);
    if (!is_same(&result, &again)) printf("# with expected values: %s\n", again.message);
    return is_same(&result, &again);
}

static bool passes(const struct row *row, struct str before, struct str after)
{
    struct arena arena = {0};
    struct check_options options = {.assume = row->assume, .deny = row->deny, .certificate = true};
    struct check_result result, again;
    check_run(&options, before, after, &arena, &result);
    bool fine = result.verdict == row->wanted;
    if (!fine) printf("# %s\n", result.message);
    for (int certificate = 0; certificate < 2; certificate++) {
        options.certificate = certificate;
        fine &= is_same_with_values(options, before, after, &arena);
    }
    if (fine && result.verdict == CHECK_PROVEN) {
        check_certificate(&options, before, after, result.certificate, &arena, &again);
        fine = again.verdict == CHECK_PROVEN;
        if (!fine) printf("# certificate: %s\n", again.message);
    }
    arena_free(&arena);
    return fine;
}

int main(void)
{
    bool all = true;
    size_t count = sizeof rows / sizeof *rows;
    printf("1..%zu\n", count);
    for (size_t i = 0; i < count; i++) {
        struct buf before = {0}, after = {0};
        print_program(&before, &rows[i], false);
        print_program(&after, &rows[i], true);
        bool fine = passes(&rows[i], (struct str){before.data, before.len},
                           (struct str){after.data, after.len});
        printf("%s %zu - %s\n", fine ? "ok" : "not ok", i + 1, rows[i].name);
        all &= fine;
        buf_free(&before);
        buf_free(&after);
    }
    return !all;
}
