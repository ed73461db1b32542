import assert from 'node:assert/strict';
import { jobTraits } from '@gateway/jobs';
import { placesOf } from './kind.ts';
import { createPlain } from './kinds/create-plain.ts';
import { kinds } from './kinds/index.ts';

/** Job types that create nothing, so that a fault can leave nothing behind. */
const HARMLESS = ['session.prefill', 'lite.health'];

describe('the fault suite', () => {
  it('covers every type of job', () => {
    const known = new Set([...HARMLESS, ...kinds.map(({ jobType }) => jobType)]);

    assert.deepEqual(
      Object.keys(jobTraits).filter((type) => !known.has(type)),
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
