import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '../../support/source/workspaces.ts';

const folder = join(root, 'packages/lite/src/plugins');
const readme = readFileSync(join(folder, 'README.md'), 'utf8');

/** The first lines of a file from another project. */
const HEADER =
  /^# From (?<project>\S+) (?<version>\S+), changed as (?:\.\.\/)+README\.md says:\n# (?<path>\S+)$/m;

describe('the manifests of other projects', () => {
  const files = globSync('*/**/*.yaml', { cwd: folder }).map((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return { file, text, source: HEADER.exec(text)?.groups };
  });

  it('name project, version and file that they come from', () => {
    const own = files.filter(({ source }) => source === undefined).map(({ file }) => file);

    assert.ok(files.length > own.length);
    for (const file of own)
      assert.ok(readme.includes(`\`${file}\``), `${file} is not listed as one of our own`);
  });

  it('have the versions that the table of the folders lists', () => {
    for (const { file, source } of files) {
      if (source === undefined) continue;
      const row = `| \`${dirname(file).split('/')[0]}\` | \`${source.project}\` | ${source.version} | \`${dirname(source.path ?? '')}\` |`;

      assert.ok(readme.includes(row), `${file}: ${row}`);
    }
  });

  it('have the names that they have there', () => {
    for (const { file, source } of files) {
      if (source === undefined || file.includes('/guest/')) continue;
      const name = basename(source.path ?? '').replace(/\.\w+$/, '');

      if (source.path?.endsWith('.md') !== true) assert.equal(basename(file, '.yaml'), name);
    }
  });
});
