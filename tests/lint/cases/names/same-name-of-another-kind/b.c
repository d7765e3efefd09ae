bool set_find(struct set *set);

int main(void)
{
    if (set_find(NULL)) {
        return 1;
    }
}
