import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InterpreterSource } from './interpreter-archive.ts';
import type { PythonPackage } from './wheel.ts';

/** Prints the version of Python that it was compiled for. */
const source = `
#include <Python.h>
static PyObject *greeting(PyObject *self, PyObject *unused) {
    return PyUnicode_FromString("compiled for " PY_VERSION);
}
static PyMethodDef methods[] = {{"greeting", greeting, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_compiled", NULL, -1, methods};
PyMODINIT_FUNC PyInit__compiled(void) { return PyModule_Create(&module); }
`;

/** A package with an extension module, which only this version of Python can import, and a program. */
export function compiledPackage({ prefix, version }: InterpreterSource): PythonPackage {
  const folder = mkdtempSync(join(tmpdir(), 'compiled-package-'));
  const [sourceFile, moduleFile] = [join(folder, 'module.c'), join(folder, 'module.so')];
  writeFileSync(sourceFile, source);
  const include = join(prefix, `include/python${version}`);
  execFileSync('cc', ['-shared', '-fPIC', `-I${include}`, '-o', moduleFile, sourceFile]);
  const module = readFileSync(moduleFile);
  rmSync(folder, { recursive: true });
  const abi = `cp${version.replace('.', '')}`;
  return {
    name: 'compiled-library',
    version: '1.0',
    tag: `${abi}-${abi}-linux_x86_64`,
    files: {
      [`_compiled.cpython-${version.replace('.', '')}-x86_64-linux-gnu.so`]: module,
      'compiled_library.py': 'from _compiled import greeting\n\n\ndef main():\n    print(greeting())\n',
      'compiled_library-1.0.dist-info/entry_points.txt':
        '[console_scripts]\ncompiled-library = compiled_library:main\n',
    },
  };
}
