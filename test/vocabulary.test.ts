import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AVOIDED } from './support/source/avoided-words.ts';
import { root } from './support/source/workspaces.ts';

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '');

/** The text without code, whose names follow other rules. */
function proseOf(page: string): string[] {
  let isCode = false;
  return readFileSync(join(root, page), 'utf8')
    .split('\n')
    .map((line) => {
      if (line.trimStart().startsWith('```')) isCode = !isCode;
      return isCode ? '' : line.replace(/`[^`]*`/g, '');
    });
}

describe('the documents', () => {
  for (const [word, avoided] of Object.entries(AVOIDED)) {
    it(`use the field's word: ${word}`, () => {
      const found = pages.flatMap((page) =>
        proseOf(page).flatMap((line, at) =>
          avoided.test(line) ? [`${page}:${at + 1}: ${line.trim()}`] : [],
        ),
      );

      assert.deepEqual(found, []);
    });
  }
});
