/* The files that are embedded in the program. */
#ifndef SERVER_HANDLE_DOCUMENTS_H
#define SERVER_HANDLE_DOCUMENTS_H

/* Before the first request, and after the last. */
void documents_prepare(void);
void documents_free(void);

#endif
