# ptxoptd, the service: built where libmicrohttpd and jansson are (conditional HAVE_SERVER). To
# begin it, list its files as below; the tests find ./ptxoptd at the build root.
#
# if HAVE_SERVER
# sbin_PROGRAMS += ptxoptd
# ptxoptd_SOURCES = server/main.c server/httpd.c server/httpd.h
# ptxoptd_CPPFLAGS = $(AM_CPPFLAGS) $(MICROHTTPD_CFLAGS) $(JANSSON_CFLAGS)
# ptxoptd_LDADD = libptxopt_internal.la $(MICROHTTPD_LIBS) $(JANSSON_LIBS)
# endif
