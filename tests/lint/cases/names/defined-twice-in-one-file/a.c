#ifdef HAVE_TLS
static void tls_open(void)
{
}
#else
static void tls_open(void)
{
}
#endif
