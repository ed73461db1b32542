import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './support/source/workspaces.ts';

/** Words for which the field has another one, as far as a pattern can tell their meaning. */
const AVOIDED: Record<string, RegExp> = {
  cannot: /\bcan not\b/,
  continues: /\bgo(?:es|ing|ne)? on\b/,
  'reads, checks, polls': /\blook(?:s|ed|ing)? (?:at|again|for|into|once more)\b|\blooks\b(?! up)/,
  'releases, defers': /\b(?:hand(?:s|ed)? back|sets? aside|gives? back)\b/,
  'rolls back, aborts': /\b(?:turn(?:s|ed)? back|giv(?:es?|en|ing) up)\b/,
  'says, shows, reports': /\b(?:tell|tells|telling|told)\b/,
  scheduled: /\bupkeep\b/,
  'stores, caches': /\b(?:remember|forget)(?:s|ed|ting)?\b|\bforgotten\b/,
  unavailable: /\b(?:is|are|was|were) away\b/,
  'associated resources, attributes': /\b(?:belongings|surroundings|facts)\b/,
  'prevents it': /\bin the way\b/,
  resumes: /\b(?:wakes?|woken|waking|wake-up)\b/,
  'is granted, requires': /\b(?:let in|wants)\b/,
};

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
