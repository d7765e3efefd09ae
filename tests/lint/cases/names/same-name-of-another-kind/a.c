#define SET_OF(x) x

bool set_find(struct set *set);

static const struct table rows[] = {
    {"find", set_find},
};

struct set_find {
    int (*find)(struct set *set);
};

static bool set_find(struct set *set)
{
    return find(set);
}

int main(void)
{
}
