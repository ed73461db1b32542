import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { encodeUserData, firstBootData, maxUserDataBytes } from '@gateway/cloud-init';
import { GatewayError } from '@gateway/core';
import { cephLayer, layered } from './plan.ts';

function decode(encoded: string): Buffer {
  return Buffer.from(encoded, 'base64');
}

describe('encodeUserData', () => {
  it('leaves data that fits readable', () => {
    const text = firstBootData(layered([cephLayer('a', { accessKey: 'größe' })]));

    assert.equal(decode(encodeUserData(text)).toString(), text);
  });

  it('compresses from the first byte that does not fit', () => {
    const fits = '#'.repeat(49_149);

    assert.equal(decode(encodeUserData(fits)).toString(), fits);
    const zipped = encodeUserData(`${fits}#`);
    assert.equal(gunzipSync(decode(zipped)).toString(), `${fits}#`);
  });

  it('refuses what is too long even compressed, as the caller’s to change', () => {
    const noise = randomBytes(60_000).toString('base64');

    assert.throws(
      () => encodeUserData(noise),
      (error) => error instanceof GatewayError && error.status === 400,
    );
  });

  it('has room for a hundred layers', () => {
    const layers = Array.from({ length: 100 }, (_, index) => cephLayer(`library-${index}`));

    assert.ok(encodeUserData(firstBootData(layered(layers))).length <= maxUserDataBytes);
  });
});
