import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { filesOf, verifier } from './plan.ts';

interface Result {
  name: string;
  version: string | null;
  imported: boolean;
  error: string | null;
}

/** Runs the program of verifiers with packages that consist of these files. */
function importAll(packages: Record<string, Record<string, string>>, names = Object.keys(packages)) {
  const folder = mkdtempSync(join(tmpdir(), 'import-packages-'));
  try {
    for (const [name, files] of Object.entries(packages)) {
      const info = `${name.replaceAll('-', '_')}-1.0.dist-info`;
      const record = [...Object.keys(files), `${info}/METADATA`].map((path) => `${path},,\n`).join('');
      const metadata = `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`;
      const all = { [`${info}/METADATA`]: metadata, [`${info}/RECORD`]: record, ...files };
      for (const [path, content] of Object.entries(all)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), content);
      }
    }
    const program = join(folder, 'import-packages.py');
    const content = filesOf(verifier()).get('/usr/local/lib/gateway/import-packages.py') ?? '';
    writeFileSync(program, content);
    const { stdout, status, stderr } = spawnSync('python3', [program, ...names], {
      env: { PATH: process.env.PATH, PYTHONPATH: folder },
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    return new Map((JSON.parse(stdout) as Result[]).map((result) => [result.name, result]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the imports of a verifier', function () {
  this.timeout(120_000);

  it('find the modules of a package by its metadata, whatever its name', () => {
    const results = importAll({
      'py-yaml': {
        'yaml/__init__.py': 'print("noise")',
        '_yaml/__init__.py': 'raise ImportError("private")',
      },
      single: { 'alone.py': '', '__pycache__/alone.cpython-311.pyc': '' },
      spaced: { 'space/part/__init__.py': '' },
    });

    for (const [name, result] of results)
      assert.deepEqual(result, { name, version: '1.0', imported: true, error: null });
  });

  it('accept a package without modules that is installed', () => {
    const { imported, error, version } = importAll({ data: { '../../../share/data': '' } }).get('data') ?? {};

    assert.deepEqual([imported, error, version], [false, null, '1.0']);
  });

  it('report the last line of a failure, and continue', () => {
    const results = importAll({
      broken: { 'broken.py': 'import no_such_module' },
      crashed: { 'crashed.py': 'import os, signal; os.kill(os.getpid(), signal.SIGKILL)' },
      quits: { 'quits.py': 'raise SystemExit(3)' },
      works: { 'works.py': '' },
    });

    assert.equal(results.get('broken')?.error, "ModuleNotFoundError: No module named 'no_such_module'");
    assert.equal(results.get('crashed')?.error, 'the import was ended by signal 9');
    assert.equal(results.get('quits')?.error, 'the import exited with status 3');
    assert.deepEqual(
      [...results.values()].map(({ imported }) => imported),
      [false, false, false, true],
    );
  });

  it('report a package that is not installed', () => {
    const result = importAll({}, ['missing']).get('missing');

    assert.deepEqual(result, {
      name: 'missing',
      version: null,
      imported: false,
      error: 'the package is not installed',
    });
  });
});
