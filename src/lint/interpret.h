/* Runs the first rounds of one thread's loops: finds the values of its registers, where they
 * are constants, at the instructions of interest. It follows one path only. At an unknown
 * branch it stays in the loop for some rounds and then leaves it, so what it finds may happen
 * but need not. */
#ifndef PTXOPT_LINT_INTERPRET_H
#define PTXOPT_LINT_INTERPRET_H

#include "lint/lint.h"
#include "value/values.h"

struct interpreter;

/* Called for each instruction of interest that runs, or may run (see interpret_certain). False ends
 * the run.
 */
typedef bool interpret_look(void *context, struct interpreter *run, uint32_t instr);

/* 0: the look is not called for the instruction; else INTERPRET_MET, with the bit 1 << n for each
 * operand n that interpret_operand is asked for there. */
typedef uint32_t interpret_interest(const struct lint *lint, uint32_t instr);

#define INTERPRET_MET (1u << 31)

/* Reads the function for the instructions of interest; end with interpret_end. */
struct interpreter *interpret_begin(const struct lint *lint, interpret_interest *interest);
void interpret_end(struct interpreter *run);

/* Executes the function as thread number `thread` of the CTA does, which is the first lane of
 * its warp and the one that elect.sync chooses. False when that takes too many steps: then the
 * code at work has stopped short (lint_stop_short). A call, and a table of branches, end the run
 * (lint_stop_at_call). */
bool interpret_thread(struct interpreter *run, uint32_t thread, interpret_look *look,
                      void *context);

/* What operand n of the instruction, one of interest, holds now; VALUE_NONE when it is not known.
 */
struct value interpret_operand(const struct interpreter *run, uint32_t instr, uint32_t n);

/* The guard of the instruction that the look is called for is known to hold. */
bool interpret_certain(const struct interpreter *run);

/* How many branches ahead were chosen without knowing, those that go on with a loop apart. */
uint32_t interpret_choices(const struct interpreter *run);

/* How often a loop inside of another one was left without knowing that it ends there. */
uint32_t interpret_guesses(const struct interpreter *run);

#endif
