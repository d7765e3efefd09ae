static bool find(const struct set *set)
{
    return set->count;
}
