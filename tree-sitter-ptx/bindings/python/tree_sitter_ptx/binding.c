/* language() for Python: a capsule with the TSLanguage. */
#include <Python.h>

typedef struct TSLanguage TSLanguage;

TSLanguage *tree_sitter_ptx(void);

static PyObject *language(PyObject *self, PyObject *args)
{
    (void)self;
    (void)args;
    return PyCapsule_New(tree_sitter_ptx(), "tree_sitter.Language", NULL);
}

static PyMethodDef methods[] = {
    {"language", language, METH_NOARGS, "The tree-sitter language of PTX."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef module = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_binding",
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__binding(void)
{
    return PyModuleDef_Init(&module);
}
