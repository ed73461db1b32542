import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Sealer, type SealingKey } from '@gateway/core';

function key(id: string): SealingKey {
  return { id, key: randomBytes(32) };
}

/** The sealed text with one byte of its data changed, or cut to `length` bytes. */
function tamper(sealed: string, { flip, length }: { flip?: number; length?: number }): string {
  const [version, id, data = ''] = sealed.split('.');
  const bytes = Buffer.from(data, 'base64url').subarray(0, length);
  if (flip !== undefined) bytes[flip] = (bytes[flip] ?? 0) ^ 1;
  return `${version}.${id}.${bytes.toString('base64url')}`;
}

describe('Sealer', () => {
  const current = key('k2');
  const sealer = new Sealer([current]);

  it('opens any text that it sealed', () => {
    for (const text of ['gAAAAAtoken', '', 'пароль 🔑', 'a'.repeat(100_000)]) {
      assert.equal(sealer.open('credential', sealer.seal('credential', text)), text);
    }
  });

  it('has version and key id, hides the text, and varies', () => {
    const sealed = sealer.seal('credential', 'gAAAAAtoken');
    assert.match(sealed, /^v1\.k2\.[\w-]+$/);
    assert.notEqual(sealed, sealer.seal('credential', 'gAAAAAtoken'));
    const bytes = Buffer.from(sealed.split('.')[2] ?? '', 'base64url');
    assert.equal(bytes.includes('gAAAAAtoken'), false);
  });

  it('shows whether a text needs only the first key', () => {
    const older = key('k1');
    const rotated = new Sealer([current, older]);

    assert.equal(rotated.isCurrent(rotated.seal('credential', 'text')), true);
    assert.equal(rotated.isCurrent(new Sealer([older]).seal('credential', 'text')), false);
  });

  it('opens with an older key, and seals with the first', () => {
    const older = key('k1');
    const before = new Sealer([older]).seal('credential', 'token');
    const rotated = new Sealer([current, older]);
    assert.equal(rotated.open('credential', before), 'token');
    assert.equal(rotated.seal('credential', 'token').split('.')[1], 'k2');
    const missing: string[] = [];
    const without = new Sealer([current], (keyId) => missing.push(keyId));
    assert.throws(() => without.open('credential', before), { keyId: 'k1', reason: /sealing key k1/ });
    assert.deepEqual(missing, ['k1']);
    assert.equal(without.openIfKnown('credential', before), null);
    assert.deepEqual(missing, ['k1'], 'nobody has to add the key of what clients send');
  });

  it('does not open for another purpose', () => {
    assert.throws(() => sealer.open('adminPass', sealer.seal('credential', 'token')));
  });

  it('does not open with another key of the same id', () => {
    const needed: string[] = [];
    const other = new Sealer([key('k2')], (keyId) => needed.push(keyId));
    const sealed = sealer.seal('credential', 'token');

    const refusal = { name: 'UnknownSealingKeyError', keyId: 'k2', reason: /another key under the id k2/ };
    assert.throws(() => other.open('credential', sealed), refusal);
    assert.deepEqual(needed, ['k2']);
    assert.equal(other.openIfKnown('credential', sealed), null);
    assert.deepEqual(needed, ['k2'], 'nobody has to mend the key of what clients send');
  });

  it('does not open if iv, tag or text were changed', () => {
    const sealed = sealer.seal('credential', 'token');
    for (const flip of [0, 11, 12, 27, 28, 32]) {
      assert.throws(() => sealer.open('credential', tamper(sealed, { flip })), `byte ${flip} was changed`);
    }
  });

  it('does not open a truncated text', () => {
    const sealed = sealer.seal('credential', 'token');
    for (let length = 0; length < 33; length++) {
      assert.throws(() => sealer.open('credential', tamper(sealed, { length })), `cut to ${length} bytes`);
    }
  });

  it('rejects tags of less than full length, which are easier to forge', () => {
    const [version, id, data = ''] = sealer.seal('credential', '').split('.');
    const shortTag = Buffer.from(data, 'base64url')
      .subarray(0, 12 + 4)
      .toString('base64url');
    assert.throws(() => sealer.open('credential', `${version}.${id}.${shortTag}`));
  });

  it('does not open other texts', () => {
    for (const text of ['', 'v1', 'v1.k2', 'v2.k2.AAAA', 'v1.k9.AAAA', 'plain text']) {
      assert.throws(
        () => sealer.open('credential', text),
        /cannot open|unable|invalid|cannot decrypt|newer version/i,
      );
    }
  });

  it('throws without keys, or for a key of the wrong length', () => {
    assert.throws(() => new Sealer([]), /at least one key/);
    assert.throws(() => new Sealer([{ id: 'short', key: randomBytes(16) }]), /short is not 32 bytes/);
  });

  it('returns fingerprints that are stable and hide the text', () => {
    const [stored] = sealer.fingerprints('response', 'hunter2');

    assert.deepEqual(sealer.fingerprints('response', 'hunter2'), [stored]);
    assert.match(stored, /^v1\.k2\.[\w-]{43}$/);
    assert.notEqual(sealer.fingerprints('response', 'hunter3')[0], stored);
    const plain = createHash('sha256').update('hunter2').digest('base64url');
    assert.notEqual(stored.split('.')[2], plain);
  });

  it('returns another fingerprint for another purpose or key', () => {
    const [stored] = sealer.fingerprints('response', 'text');

    assert.notEqual(sealer.fingerprints('question', 'text')[0], stored);
    assert.notEqual(new Sealer([key('k2')]).fingerprints('response', 'text')[0], stored);
  });

  it('returns fingerprints of older keys, those of the first key first', () => {
    const older = key('k1');
    const [before] = new Sealer([older]).fingerprints('response', 'text');
    const rotated = new Sealer([current, older]).fingerprints('response', 'text');

    assert.ok(rotated.includes(before));
    assert.deepEqual(rotated[0], sealer.fingerprints('response', 'text')[0]);
  });
});
