import assert from 'node:assert/strict';
import { GatewayError } from '@gateway/core';
import { chooseStrategy, findPrebuiltShares } from '@gateway/libraries';
import { library, prebuiltShare } from './library.ts';

const arrays = library('arrays');
const plots = library('plots');

describe('findPrebuiltShares', () => {
  it('selects the newest of several shares of a library', () => {
    const older = prebuiltShare('arrays', { id: 'older' });
    const newer = prebuiltShare('arrays', { id: 'newer', created_at: '2026-02-01T00:00:00.000000' });

    assert.equal(findPrebuiltShares([older, newer], [arrays]).get('arrays')?.id, 'newer');
    assert.equal(findPrebuiltShares([newer, older], [arrays]).get('arrays')?.id, 'newer');
  });

  const unusable = {
    'is not available': prebuiltShare('arrays', { status: 'creating' }),
    'is still being built': prebuiltShare('arrays', { metadata: { overlay_status: 'building' } }),
    'contains another version': prebuiltShare('arrays', { metadata: { overlay_version: '0.9' } }),
    'belongs to one instance': prebuiltShare('arrays', { metadata: { overlay_type: 'dynamic' } }),
    'contains another library': prebuiltShare('plots'),
  };
  for (const [reason, share] of Object.entries(unusable)) {
    it(`ignores a share that ${reason}`, () => {
      assert.equal(findPrebuiltShares([share], [arrays]).size, 0);
    });
  }
});

describe('chooseStrategy', () => {
  const all = findPrebuiltShares([prebuiltShare('arrays'), prebuiltShare('plots')], [arrays, plots]);
  const some = findPrebuiltShares([prebuiltShare('arrays')], [arrays, plots]);

  it('defaults to prebuilt only if every library has a share', () => {
    assert.equal(chooseStrategy(undefined, [arrays, plots], all), 'prebuilt');
    assert.equal(chooseStrategy(undefined, [arrays, plots], some), 'dynamic');
  });

  it('is dynamic if requested, even if every library has a share', () => {
    assert.equal(chooseStrategy('dynamic', [arrays, plots], all), 'dynamic');
  });

  it('refuses prebuilt if a library has no share, and names the library', () => {
    assert.throws(
      () => chooseStrategy('prebuilt', [arrays, plots], some),
      (error) => error instanceof GatewayError && error.status === 400 && /plots/.test(error.message),
    );
  });
});
