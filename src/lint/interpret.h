/* Simulates the first iterations of the loops of one thread, and gives the values of its registers,
 * where they are constants, at the instructions of interest. The simulation follows one path only:
 * at a branch with an unknown condition it stays in the loop for some iterations and then leaves
 * the loop. So what a rule finds in it may happen, but need not. */
#ifndef PTXOPT_LINT_INTERPRET_H
#define PTXOPT_LINT_INTERPRET_H

#include "lint/lint.h"
#include "value/values.h"

struct interpreter;

/* Called for each instruction of interest that runs, or may run (see interpret_certain). Returning
 * false ends the simulation. */
typedef bool interpret_look(void *context, struct interpreter *run, uint32_t instr);

/* Asked about each instruction that does not only compute. Returns 0 if the simulation does not
 * call the look for the instruction; otherwise INTERPRET_MET, with the bit 1 << n for each operand
 * n for which the look calls interpret_operand. */
typedef uint32_t interpret_interest(const struct lint *lint, uint32_t instr, const void *context);

#define INTERPRET_MET (1u << 31)

/* INTERPRET_MET, with the bit of operand n; without it if n is too large, which no instruction of
 * the ISA needs. */
static inline uint32_t interpret_needs(uint32_t n)
{
    return INTERPRET_MET | (n < 31 ? 1u << n : 0);
}

/* Why no thread has reached some instruction for which loops are iterated: a thread took too many
 * steps, or it came to a call or a table of branches. */
struct interpret_gaps {
    bool steps, call;
};

/* Prepares the simulation of the function. context: for interest. The caller must end it with
 * interpret_end, or with interpret_free. */
struct interpreter *interpret_begin(struct lint *lint, interpret_interest *interest,
                                    const void *context);
void interpret_end(struct interpreter *run); /* tells the gaps, and frees the run */
void interpret_free(struct interpreter *run);

/* The gaps. behind: those behind interpret_count_apart, and only those. */
struct interpret_gaps interpret_find_gaps(const struct interpreter *run, bool behind);

/* Notes that the current code has searched only a part, if there are gaps. */
void interpret_tell_gaps(const struct lint *lint, struct interpret_gaps gaps);

/* What is chosen for one thread about values that are the same for the CTA is chosen for the
 * threads after it, too. Where a loop ends by a chosen number of iterations, that is no guess and
 * no free choice. Call it before the first thread. */
void interpret_keep_choices(struct interpreter *run);

/* Steps of the current or, between two threads, the next thread from here on are not taken from
 * those of the threads after it, and what it reaches may still be new to them. */
void interpret_count_apart(struct interpreter *run);

/* Some thread has called a function, or aborted the kernel by a trap. */
bool interpret_left_open(const struct interpreter *run);

/* Executes the function as thread number `thread` of the CTA, which is the first lane of its warp
 * and the lane that elect.sync chooses. False if that takes too many steps; lint_stop_short has
 * then been called. A call, or a table of branches whose index is unknown, ends the simulation
 * (lint_stop_at_call). */
bool interpret_thread(struct interpreter *run, uint32_t thread, interpret_look *look,
                      void *context);

/* Returns the current value of operand n of an instruction of interest; VALUE_NONE if the value is
 * unknown. */
struct value interpret_operand(const struct interpreter *run, uint32_t instr, uint32_t n);

/* The guard of the current instruction is known to be true. */
bool interpret_certain(const struct interpreter *run);

/* The number of branches so far for which the simulation chose a side without knowing the
 * condition, except branches back to the beginning of a loop. interpret_free_choices: of these,
 * those that do not compare a constant with an unknown number, or do not go where they go if that
 * number is large, and that do not stay in an outermost loop as long as one number is less than
 * another. Choices by one large number do not contradict each other. */
uint32_t interpret_choices(const struct interpreter *run);
uint32_t interpret_free_choices(const struct interpreter *run);

/* The number of choices (interpret_choices) when one of them last jumped over the wait, which is an
 * instruction of interest. 0: none. To leave a loop does not count. */
uint32_t interpret_skipped_at(const struct interpreter *run, uint32_t wait);

/* The number of times that the simulation left an inner loop without knowing that the loop ends
 * there. */
uint32_t interpret_guesses(const struct interpreter *run);

#endif
