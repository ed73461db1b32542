import assert from 'node:assert/strict';
import { jobTypes } from '@gateway/jobs';
import { cleanedKinds } from './clean-up.ts';
import type { Change } from './inventory-differences.ts';
import { placesOf } from './kind.ts';
import { createPlain } from './kinds/create-plain.ts';
import { kinds } from './kinds/index.ts';

/** Job types that create nothing, so that a fault can leave nothing behind. */
const HARMLESS = ['session.prefill', 'lite.health'];

function increaseOf(change: Change): number {
  return typeof change === 'number' ? change : change[0];
}

describe('the fault suite', () => {
  it('covers every type of job', () => {
    const known = new Set([...HARMLESS, ...kinds.map(({ jobType }) => jobType)]);

    assert.deepEqual(
      Object.keys(jobTypes).filter((type) => !known.has(type)),
      [],
    );
  });

  it('removes after a case what its kind has created', () => {
    const created = kinds.flatMap(({ completed }) =>
      Object.entries(completed).flatMap(([name, change]) => (increaseOf(change) > 0 ? name : [])),
    );

    assert.deepEqual(
      created.filter((name) => !cleanedKinds.has(name)),
      [],
    );
  });

  for (const kind of kinds) {
    it(`covers every step of "${kind.name}"`, () => {
      assert.ok(placesOf(kind).length > 0);
    });
  }

  it('rejects a kind with missing or unknown steps', () => {
    const { server: _server, ...fewer } = createPlain.entries;

    assert.throws(() => placesOf({ ...createPlain, entries: fewer }), /does not know server of create plain/);
    assert.throws(
      () => placesOf({ ...createPlain, entries: { ...createPlain.entries, launch: 'no call' } }),
      /create plain has no step launch/,
    );
  });
});
