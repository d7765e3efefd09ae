# ptxoptd, the service: built where libmicrohttpd, jansson, OpenSSL and zlib are (conditional
# HAVE_SERVER). All but main.c is a library, so that the tests call it without a socket.

if HAVE_SERVER
sbin_PROGRAMS += ptxoptd
ptxoptd_SOURCES = server/main.c
ptxoptd_LDADD = libptxoptd.la

noinst_LTLIBRARIES += libptxoptd.la
libptxoptd_la_SOURCES = \
	server/base/allowance.c server/base/allowance.h \
	server/base/attempt.c server/base/attempt.h server/base/cgroup.c server/base/cgroup.h server/base/clock.c server/base/clock.h \
	server/base/log.c server/base/log.h server/base/settings_read.c \
	server/base/message.c server/base/message.h server/base/metrics.c server/base/metrics.h \
	server/base/network.c server/base/network.h \
	server/base/process_metrics.c server/base/process_metrics.h \
	server/base/service.c server/base/service.h server/base/settings.c server/base/settings.h \
	server/base/spans.c server/base/spans.h server/base/trace.c server/base/trace.h \
	server/handle/catalog.c server/handle/codec.c server/handle/codec.h \
	server/handle/documents.c server/handle/documents.h server/handle/embedded.c server/handle/embedded.h \
	server/handle/handlers.h server/handle/health.c server/handle/input.c server/handle/input.h \
	server/handle/json_out.c server/handle/json_out.h server/handle/negotiate.c \
	server/handle/negotiate.h server/handle/optimize.c server/handle/precheck.c \
	server/handle/precheck.h server/handle/problem.c server/handle/problem.h \
	server/handle/proof.c server/handle/proof.h server/handle/range.c server/handle/range.h server/handle/report.c server/handle/result.c \
	server/handle/routes.c server/handle/routes.h server/handle/verify.c \
	server/net/addresses.c server/net/addresses.h \
	server/net/admit.c server/net/admit.h server/net/auth.c server/net/auth.h \
	server/net/certificate.c server/net/certificate.h server/net/channel.c server/net/channel.h \
	server/net/connection.c server/net/connection.h \
	server/net/fault.h server/net/flow.c server/net/flow.h \
	server/net/forwarded.c server/net/forwarded.h server/net/framing.c \
	server/net/framing.h server/net/head.c server/net/head.h server/net/httpd.c \
	server/net/httpd.h server/net/link.c server/net/link.h server/net/listen.c server/net/listen.h \
	server/net/loop.c server/net/loop.h server/net/origin.c \
	server/net/origin.h server/net/proxy_header.c server/net/proxy_header.h server/net/response.c server/net/response.h \
	server/net/source.h server/net/timeouts.c server/net/timeouts.h server/net/tls.c server/net/tls.h server/net/wire.c server/net/wire.h \
	server/store/answers.c server/store/answers.h server/store/cache.c server/store/cache.h \
	server/store/crashes.c server/store/crashes.h server/store/digest.c server/store/digest.h \
	server/store/digests.c server/store/digests.h \
	server/store/disk.c server/store/disk.h server/store/lru.c server/store/lru.h \
	server/store/remote.c server/store/remote.h server/store/remote_kind.h server/store/seal.c \
	server/store/seal.h server/store/shared.c server/store/shared.h \
	server/work/answer.c server/work/answer.h server/work/batch.c server/work/batch.h \
	server/work/child.c server/work/child.h server/work/clients.c server/work/clients.h \
	server/work/deadlines.c server/work/deadlines.h server/work/exchange.c \
	server/work/exchange.h server/work/isolate.c server/work/isolate.h \
	server/work/line_answer.c server/work/line_answer.h server/work/lines.c server/work/lines.h \
	server/work/prove.c server/work/prove.h server/work/queue.c server/work/queue.h \
	server/work/run.c server/work/run.h server/work/spawner.c server/work/spawner.h \
	server/work/transfer.c server/work/transfer.h
if HAVE_CURL
libptxoptd_la_SOURCES += server/store/http_client.c server/store/http_client.h server/store/remote_http.c server/store/remote_s3.c
endif
if HAVE_HIREDIS
libptxoptd_la_SOURCES += server/store/remote_redis.c
endif
server_cflags = $(MICROHTTPD_CFLAGS) $(JANSSON_CFLAGS) $(CRYPTO_CFLAGS) $(ZLIB_CFLAGS) \
	$(ZSTD_CFLAGS) $(GNUTLS_CFLAGS) $(CURL_CFLAGS) $(HIREDIS_CFLAGS) $(SECCOMP_CFLAGS)
libptxoptd_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) -I. $(server_cflags)
libptxoptd_la_LIBADD = libptxopt_report.la libptxopt_internal.la $(MICROHTTPD_LIBS) $(JANSSON_LIBS) $(CRYPTO_LIBS) \
	$(ZLIB_LIBS) $(ZSTD_LIBS) $(GNUTLS_LIBS) $(CURL_LIBS) $(HIREDIS_LIBS) $(SECCOMP_LIBS) -lpthread
ptxoptd_CPPFLAGS = $(libptxoptd_la_CPPFLAGS)

if HAVE_HELP2MAN
nodist_man_MANS += ptxoptd.8
ptxoptd.8: ptxoptd$(EXEEXT) doc/man/ptxoptd.man
	$(AM_V_GEN)$(HELP2MAN) -N -s 8 --version-string='$(VERSION)' -n 'serve ptxopt over HTTP' -i $(srcdir)/doc/man/ptxoptd.man -o $@ ./ptxoptd$(EXEEXT)
CLEANFILES += ptxoptd.8
endif

nodist_bashcompletion_DATA += src/cli/completion/bash/ptxoptd
nodist_zshcompletion_DATA += src/cli/completion/zsh/_ptxoptd
nodist_fishcompletion_DATA += src/cli/completion/fish/ptxoptd.fish
src/cli/completion/bash/ptxoptd src/cli/completion/zsh/_ptxoptd src/cli/completion/fish/ptxoptd.fish: \
docgen$(EXEEXT) ptxoptd$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ./ptxoptd$(EXEEXT) --help | $(print_completion) ptxoptd >$@.tmp && mv $@.tmp $@

# The documents that the program contains, as bytes. This dependency is only for the first build: later the compiler's
# own list has it. (A rule for the object by name would replace automake's.)
$(libptxoptd_la_OBJECTS): | server/handle/openapi.inc server/handle/page.inc
server/handle/openapi.inc: server/openapi.json
	$(AM_V_GEN)$(MKDIR_P) $(@D) && od -An -v -tu1 $(srcdir)/server/openapi.json \
	| sed 's/\([0-9][0-9]*\)/\1,/g' >$@.tmp && mv $@.tmp $@
# With Debian's libjs-codemirror the page has an editor, otherwise a plain text area.
CODEMIRROR = /usr/share/javascript/codemirror
page_examples = examples/gemm-1cta/gemm-1cta.ptx examples/gemm-2cta/gemm-2cta.ptx \
	examples/attention/attention.ptx \
	tests/lint-codes/completion-untracked/copy-before-the-product.ptx
server/handle/page.inc: server/page.html server/page.sh server/codemirror.txt $(page_examples)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && (cd $(srcdir) && sh server/page.sh server/page.html $(CODEMIRROR) $(page_examples)) \
	| od -An -v -tu1 \
	| sed 's/\([0-9][0-9]*\)/\1,/g' >$@.tmp && mv $@.tmp $@
CLEANFILES += server/handle/openapi.inc server/handle/page.inc
endif

# The image that kubernetes.yaml pulls: its files in image.dir, and the image itself if buildah is installed.
if HAVE_SERVER
image.dir: ptxoptd$(EXEEXT) server/image/collect.sh
	$(AM_V_GEN)bash $(srcdir)/server/image/collect.sh ptxoptd$(EXEEXT) $@
image: image.dir
	buildah build --isolation chroot -t ptxoptd:$(VERSION) -f $(srcdir)/server/image/Containerfile image.dir
endif
EXTRA_DIST += server/image

# Examples for operators to start from.
serverdocdir = $(docdir)/server
dist_serverdoc_DATA = server/README.md server/alerts.yaml server/dashboard.json server/kubernetes.yaml server/nginx.conf server/openapi.json \
	server/ptxoptd.service server/ptxoptd.socket
EXTRA_DIST += server/codemirror.txt server/page.html server/page.sh
dist_serverdoc_DATA += server/autoscaling.yaml server/haproxy.cfg server/kubernetes.md server/kustomization.yaml server/nginx.md \
	server/systemd.md
