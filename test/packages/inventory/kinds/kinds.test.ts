import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kinds } from '@gateway/inventory';

const root = join(import.meta.dirname, '../../../..');

/** The kinds that steps name as what they could not remove. */
function kindsOfSteps(): { file: string; kind: string }[] {
  return globSync('apps/worker/src/sagas/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bleftover: .*?\btype: '(\w+)'/g)].map(
      ([, kind = '']) => ({ file, kind }),
    ),
  );
}

describe('the kinds of resources', () => {
  it('have every kind that a step creates', () => {
    const named = kindsOfSteps();

    assert.ok(named.length > 8);
    assert.deepEqual(
      named.filter(({ kind }) => !(kind in kinds)),
      [],
    );
  });
});
