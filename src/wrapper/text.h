/* Opens the text of a call in such a way that ptxas can still read it. */
#ifndef PTXOPT_WRAPPER_TEXT_H
#define PTXOPT_WRAPPER_TEXT_H

struct text {
    int fd; /* descriptor of the complete text, at its start; negative: the text cannot be read
               twice */
    int descriptor; /* descriptor that ptxas reads the text from (0 for "-"); negative: ptxas opens
                       the path */
    int instead; /* descriptor to duplicate to `descriptor` before ptxas runs; negative: not needed
                  */
};

/* Opens path, an input of ptxas: a file, or a descriptor such as "-", whose text is copied to
 * memory because it can be read only once. Other inputs (a named pipe, a device, a folder) are not
 * opened. If memory does not hold the complete text, only ptxas can read it: fd is negative, and
 * instead is a pipe with the text. */
struct text text_open(const char *path);

#endif
