import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AVOIDED } from './support/source/avoided-words.ts';
import { commentLines } from './support/source/comment-lines.ts';
import { root } from './support/source/workspaces.ts';

const MAX_TITLE_WORDS = 12;

/** A literal title of a suite or a test. */
const TITLE = /\b(?:describe|it)(?:\.skip)?\(\s*(['"`])(?<title>(?:\\.|(?!\1)[\s\S])*)\1/g;

function titles(): { place: string; title: string }[] {
  return globSync('test/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(TITLE)].map(({ groups, input, index }) => ({
      place: `${file}:${input.slice(0, index).split('\n').length}`,
      title: groups?.title ?? '',
    })),
  );
}

/** A value in a template counts as one word. */
function wordsOf(title: string): string[] {
  const words = title.replace(/\$\{[^}]*\}/g, 'value').split(/\s+/);
  return words.filter((word) => /[\p{L}\p{N}]/u.test(word));
}

describe('the comments', () => {
  const comments = commentLines();

  it('fit the width of the formatter', () => {
    const { formatter } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));

    const wide = comments.filter(
      ({ line }) => line.length > formatter.lineWidth && !line.includes('biome-ignore'),
    );

    assert.deepEqual(
      wide.map(({ place }) => place),
      [],
    );
  });

  for (const [word, avoided] of Object.entries(AVOIDED)) {
    it(`use the field's word: ${word}`, () => {
      const found = comments.filter(({ prose }) => avoided.test(prose));

      assert.deepEqual(
        found.map(({ place, line }) => `${place}: ${line.trim()}`),
        [],
      );
    });
  }
});

describe('the titles of tests', () => {
  const found = titles();

  it(`have ${MAX_TITLE_WORDS} words or fewer`, () => {
    const long = found.filter(({ title }) => wordsOf(title).length > MAX_TITLE_WORDS);

    assert.ok(found.length > 1000, 'the pattern finds titles');
    assert.deepEqual(
      long.map(({ place, title }) => `${place}: ${title}`),
      [],
    );
  });

  for (const [word, avoided] of Object.entries(AVOIDED)) {
    it(`use the field's word: ${word}`, () => {
      const avoiding = found.filter(({ title }) => avoided.test(title));

      assert.deepEqual(
        avoiding.map(({ place, title }) => `${place}: ${title}`),
        [],
      );
    });
  }
});
