# ptxoptd, the service: built where libmicrohttpd, jansson, OpenSSL and zlib are (conditional
# HAVE_SERVER). All but main.c is a library, so that the tests call it without a socket.

if HAVE_SERVER
sbin_PROGRAMS += ptxoptd
ptxoptd_SOURCES = server/main.c
ptxoptd_LDADD = libptxoptd.la

noinst_LTLIBRARIES += libptxoptd.la
libptxoptd_la_SOURCES = \
	server/admit.c server/admit.h server/attempt.c server/attempt.h server/auth.c server/auth.h server/batch.c server/batch.h server/cache.c server/cache.h \
	server/certificate.c server/certificate.h server/clients.c server/clients.h \
	server/codec.c server/codec.h server/crashes.c server/crashes.h server/digest.c server/digest.h server/embedded.c \
	server/embedded.h server/exchange.c server/exchange.h server/fault.h server/framing.c server/framing.h \
	server/handle_catalog.c server/handle_documents.c server/handle_health.c \
	server/handle_optimize.c server/handle_report.c server/handle_result.c \
	server/handle_verify.c server/head.c server/head.h server/httpd.c \
	server/httpd.h server/input.c server/input.h server/isolate.c server/isolate.h \
	server/json_out.c server/json_out.h server/lines.c server/lines.h server/listen.c \
	server/listen.h server/log.c server/log.h \
	server/message.c server/message.h server/metrics.c server/metrics.h server/negotiate.c \
	server/negotiate.h server/origin.c server/origin.h server/problem.c server/problem.h server/queue.c server/queue.h \
	server/remote.c server/remote.h server/routes.c server/routes.h server/service.c \
	server/service.h server/settings.c server/settings.h server/shared.c server/shared.h server/tls.c server/tls.h \
	server/watch.c server/watch.h server/wire.c server/wire.h
if HAVE_CURL
libptxoptd_la_SOURCES += server/remote_http.c
endif
if HAVE_HIREDIS
libptxoptd_la_SOURCES += server/remote_redis.c
endif
server_cflags = $(MICROHTTPD_CFLAGS) $(JANSSON_CFLAGS) $(CRYPTO_CFLAGS) $(ZLIB_CFLAGS) \
	$(ZSTD_CFLAGS) $(GNUTLS_CFLAGS) $(CURL_CFLAGS) $(HIREDIS_CFLAGS) $(SECCOMP_CFLAGS)
libptxoptd_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) -I. $(server_cflags)
libptxoptd_la_LIBADD = libptxopt_report.la libptxopt_internal.la $(MICROHTTPD_LIBS) $(JANSSON_LIBS) $(CRYPTO_LIBS) \
	$(ZLIB_LIBS) $(ZSTD_LIBS) $(GNUTLS_LIBS) $(CURL_LIBS) $(HIREDIS_LIBS) $(SECCOMP_LIBS) -lpthread
ptxoptd_CPPFLAGS = $(libptxoptd_la_CPPFLAGS)

if HAVE_HELP2MAN
nodist_man_MANS += ptxoptd.8
ptxoptd.8: ptxoptd$(EXEEXT)
	$(AM_V_GEN)$(HELP2MAN) -N -s 8 -n 'serve ptxopt over HTTP' -o $@ ./ptxoptd$(EXEEXT)
CLEANFILES += ptxoptd.8
endif

# The documents that the program has in itself, as bytes. Only for the first build: later the compiler's
# own list has them. (A rule for the object by name would take the place of automake's.)
$(libptxoptd_la_OBJECTS): | server/openapi.inc server/page.inc
server/openapi.inc: server/openapi.json
	$(AM_V_GEN)$(MKDIR_P) $(@D) && od -An -v -tu1 $(srcdir)/server/openapi.json \
	| sed 's/\([0-9][0-9]*\)/\1,/g' >$@.tmp && mv $@.tmp $@
server/page.inc: server/page.html
	$(AM_V_GEN)$(MKDIR_P) $(@D) && od -An -v -tu1 $(srcdir)/server/page.html \
	| sed 's/\([0-9][0-9]*\)/\1,/g' >$@.tmp && mv $@.tmp $@
CLEANFILES += server/openapi.inc server/page.inc
endif

# What those who run it start from.
serverdocdir = $(docdir)/server
dist_serverdoc_DATA = server/README.md server/kubernetes.yaml server/nginx.conf server/openapi.json \
	server/ptxoptd.service server/ptxoptd.socket
EXTRA_DIST += server/page.html
