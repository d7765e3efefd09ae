/* What epoll reports events of. */
#ifndef SERVER_NET_SOURCE_H
#define SERVER_NET_SOURCE_H

enum source_kind { SOURCE_LISTEN, SOURCE_WAKE, SOURCE_ENGINE, SOURCE_LINK, SOURCE_CHANNEL };

/* The first member of the struct around it. */
struct source {
    enum source_kind kind;
};

#endif
