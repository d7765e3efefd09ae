# Makes Debian's packages of what `make dist` ships, in deb.dir, and runs lintian. The tests are expected to have run
# before; DEB_BUILD_OPTIONS= runs them again.
DEB_BUILD_OPTIONS = nocheck
deb:
	+$(call distribute_apart,deb.dir) && cd deb.dir/source \
	&& DEB_BUILD_OPTIONS='$(DEB_BUILD_OPTIONS)' dpkg-buildpackage -us -uc \
	&& lintian --fail-on error,warning --info ../$(PACKAGE)_*.changes
.PHONY: deb

# By name: a build in the tree leaves its own files there.
EXTRA_DIST += \
	debian/changelog debian/control debian/copyright debian/libptxopt-dev.install debian/libptxopt1.install \
	debian/libptxopt1.symbols debian/not-installed debian/ptxopt.docs debian/ptxopt.examples \
	debian/ptxopt.install debian/ptxoptd.default debian/ptxoptd.docs debian/ptxoptd.install \
	debian/python3-ptxopt.docs debian/python3-ptxopt.install debian/rules debian/source/format debian/source/lintian-overrides \
	debian/tests/cli debian/tests/control debian/tests/library debian/tests/python debian/tests/service
