/* Decides whether something else than one signal may order an instruction after another one. Its
 * answers only suppress findings or lower their level. */
#ifndef PTXOPT_LINT_OTHERWISE_H
#define PTXOPT_LINT_OTHERWISE_H

#include "base/intern.h"
#include "base/intervals.h"
#include "base/vec.h"
#include "lint/handover.h"

/* The waits that may order one instruction after another one, as far as they were examined. */
struct otherwise_pair {
    struct item_list waits; /* indices in handovers->at */
    uint32_t examined;      /* of the waits before the second instruction */
};

/* A channel other than that of `but` may order second after first: a thread that has executed first
 * may signal through it, and second can be reached from a wait for that signal. */
bool otherwise_ordered(const struct lint *lint, uint32_t first, uint32_t second,
                       const struct handover *but);

/* As otherwise_ordered, but only the waits from index `from` in handovers->at on count, and of
 * them only a poll of a flag or a wait that reaches `until`: no other wait is on the way from there
 * to second. likely: a wait that most likely is for `but` counts as a wait for it. */
bool otherwise_ordered_from(const struct lint *lint, uint32_t first, uint32_t second,
                            const struct handover *but, uint32_t until, bool likely, uint32_t from);

/* What otherwise_ordered_again has found for pairs of instructions. Zero-initialise it, and free it
 * with otherwise_forget. */
struct otherwise_known {
    struct intern pairs;
    struct VEC(struct otherwise_pair) at; /* by number in pairs */
};

/* As otherwise_ordered_from with second and 0 as until and from, for a pair that is asked about
 * with several signals. */
bool otherwise_ordered_again(const struct lint *lint, struct otherwise_known *known, uint32_t first,
                             uint32_t second, const struct handover *but, bool likely);
void otherwise_forget(struct otherwise_known *known);

/* A thread that has executed first may signal to one that signals to another one, and so on, and
 * the last one waits before it executes second. A wait for an element
 * of an array of mbarriers counts only for signals that most likely are at elements of that array.
 */
bool otherwise_told_by_others(const struct lint *lint, uint32_t first, uint32_t second);

/* ---- the parts of otherwise_ordered_from ---- */

/* The index in handovers->at of the first wait that may order second after first and reaches
 * second, whatever signal it is for; handovers->count: there is none. */
uint32_t otherwise_first(const struct lint *lint, uint32_t first, uint32_t second);

/* The result of otherwise_first for one instruction `first`. */
struct otherwise_last {
    const struct handover_list *waits; /* before `second`; NULL: nothing was asked */
    uint32_t set;                      /* the conditions of `second` */
    uint32_t order;
    bool alike; /* it is the same for all with these waits and conditions */
};

/* As otherwise_first, for one `second` after the other. */
uint32_t otherwise_first_again(const struct lint *lint, struct otherwise_last *last, uint32_t first,
                               uint32_t second);

/* The wait is not for the signal of `but`. likely: as in otherwise_ordered_from. */
bool otherwise_counts(const struct lint *lint, const struct handover *but,
                      const struct handover *wait, bool likely);

/* It is a poll of a flag, or a wait that reaches `until`. */
bool otherwise_until(const struct lint *lint, const struct handover *wait, uint32_t until);

#endif
