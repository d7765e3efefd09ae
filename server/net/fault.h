/* Why a request is refused before anything is done about it. */
#ifndef SERVER_NET_FAULT_H
#define SERVER_NET_FAULT_H

/* Static. */
struct fault {
    int status;
    const char *code, *detail;
};

#endif
