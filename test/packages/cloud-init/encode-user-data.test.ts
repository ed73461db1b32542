import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { encodeUserData, firstBootData, MAX_USER_DATA_BYTES } from '@gateway/cloud-init';
import { GatewayError } from '@gateway/core';
import { cephLayer, layered } from './plan.ts';

function decode(encoded: string): Buffer {
  return Buffer.from(encoded, 'base64');
}

describe('encodeUserData', () => {
  it('does not compress data that fits', () => {
    const text = firstBootData(layered([cephLayer('a', { accessKey: 'größe' })]));

    assert.equal(decode(encodeUserData(text, 'instance')).toString(), text);
  });

  it('compresses data from one byte above the limit', () => {
    const fits = '#'.repeat(49_149);

    assert.equal(decode(encodeUserData(fits, 'instance')).toString(), fits);
    const zipped = encodeUserData(`${fits}#`, 'instance');
    assert.equal(gunzipSync(decode(zipped)).toString(), `${fits}#`);
  });

  for (const [machine, remedy] of [
    ['instance', /select fewer libraries/],
    ['builder', /shorten the commands of the library/],
    ['cluster', /fewer certificate authorities/],
  ] as const) {
    it(`rejects too long compressed data of the ${machine}, with a remedy`, () => {
      const noise = randomBytes(60_000).toString('base64');

      assert.throws(
        () => encodeUserData(noise, machine),
        (error) => error instanceof GatewayError && error.status === 400 && remedy.test(error.message),
      );
    });
  }

  it('fits a hundred layers', () => {
    const layers = Array.from({ length: 100 }, (_, index) => cephLayer(`library-${index}`));

    assert.ok(encodeUserData(firstBootData(layered(layers)), 'instance').length <= MAX_USER_DATA_BYTES);
  });
});
