/* Finds the line of a byte. `a?b` is no question, nor is &ask?to=us. */

/* Is the byte there? */
