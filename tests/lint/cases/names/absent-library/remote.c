struct remote *remote_open(void)
{
}
