import assert from 'node:assert/strict';
import {
  formatStored,
  fromStored,
  NewerFormError,
  parseStored,
  Sealer,
  storedForms,
  toStored,
} from '@gateway/core';

describe('forms of stored values', () => {
  const first = { name: 'thing', version: 1 };
  const second = {
    name: 'thing',
    version: 2,
    fromBefore: ({ size, ...rest }: Record<string, unknown>) => ({ ...rest, sizeGb: size }),
  };

  it('write the version, and read the value without it', () => {
    const text = formatStored(first, { size: 4 });

    assert.deepEqual(JSON.parse(text), { form: 1, size: 4 });
    assert.deepEqual(parseStored(first, text), { size: 4 });
  });

  it('read the fields of a hash', () => {
    assert.deepEqual(fromStored(first, { form: '1', size: '4' }), { size: '4' });
  });

  it('read what the release before has written', () => {
    assert.deepEqual(fromStored(second, toStored(first, { size: 4 })), { sizeGb: 4 });
  });

  for (const form of [2, '2', 'unknown', undefined]) {
    it(`refuse the version ${JSON.stringify(form)} with a 503`, () => {
      assert.throws(
        () => parseStored(first, JSON.stringify({ form, sizeGb: 4 })),
        (error) =>
          error instanceof NewerFormError && error.status === 503 && error.retryAfterSeconds !== undefined,
      );
    });
  }

  it('refuse a text that was sealed in a newer form', () => {
    const sealer = new Sealer([{ id: 'k1', key: Buffer.alloc(32, 1) }]);
    const sealed = sealer.seal('test', 'text').replace('v1.', 'v2.');

    assert.throws(() => sealer.open('test', sealed), NewerFormError);
  });

  it('have a reader for the version before', () => {
    const without = Object.values<{ name: string; version: number; fromBefore?: unknown }>(
      storedForms,
    ).filter(({ version, fromBefore }) => version > 1 !== (fromBefore !== undefined));

    assert.deepEqual(without, []);
  });
});
