void statements(int *p)
{
    asm volatile("{\n\t"
                 ".reg .b32 t;\n\t"
                 "add.s32 t, "
                 "%0, 1;\n\t"
                 "}"
                 :
                 : "r"(p));
    puts("add.s32 no, ptx;");
}
