import assert from 'node:assert/strict';
import type { BackupRecord } from '@gateway/openstack';
import {
  canContinueChain,
  chainsOf,
  splitChains,
} from '../../../apps/worker/src/sagas/auto-backup/chains.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const [recorded] = fixtureBody<BackupRecord[]>('block-storage/backups', 'backups');

/** `F` is a full backup, `i` an incremental one, `E` a full one in an error state; each a minute later. */
function backups(kinds: string): BackupRecord[] {
  return [...kinds].map((kind, index) => {
    const time = `2026-01-01T00:${String(index).padStart(2, '0')}:00.000000`;
    return {
      ...(recorded as BackupRecord),
      id: `${kind}${index}`,
      size: 1,
      is_incremental: kind === 'i',
      status: kind === 'E' ? 'error' : 'available',
      created_at: time,
      data_timestamp: time,
    };
  });
}

const idsOf = (chains: readonly (readonly BackupRecord[])[]) =>
  chains.map((chain) => chain.map(({ id }) => id).join(' '));

describe('the chains of an auto backup', () => {
  const isOwn = () => true;

  it('begin with each full backup, in the order of time', () => {
    assert.deepEqual(idsOf(chainsOf(backups('FiiFFi').toReversed())), ['F0 i1 i2', 'F3', 'F4 i5']);
  });

  it('of the same second are in the order of their due times', () => {
    const [older, newer] = backups('FF').map((backup, index) => ({
      ...backup,
      created_at: '2026-01-01T00:00:00.000000',
      name: ['renamed', 'daily-20260101T000000Z'][index] ?? '',
    }));

    assert.deepEqual(idsOf(chainsOf([newer as BackupRecord, older as BackupRecord])), ['F0', 'F1']);
  });

  it('end with the latest one, whatever its time', () => {
    assert.deepEqual(idsOf(chainsOf(backups('FFiF'), 'F0')), ['F1 i2', 'F3', 'F0']);
    assert.deepEqual(idsOf(chainsOf(backups('iFF'), 'i0')), ['F1', 'F2 i0']);
  });

  for (const [kinds, retention, kept, surplus] of [
    ['FFF', 2, ['F1', 'F2'], ['F0']],
    ['FiiF', 1, ['F3'], ['F0 i1 i2']],
    ['FiiF', 2, ['F0 i1 i2', 'F3'], []],
    ['FiFiF', 2, ['F2 i3', 'F4'], ['F0 i1']],
    ['FEF', 2, ['F0', 'E1', 'F2'], []],
    ['', 2, [], []],
  ] as const) {
    it(`${kinds} are kept whole until newer ones are ${retention}`, () => {
      const split = splitChains(chainsOf(backups(kinds)), retention);

      assert.deepEqual([idsOf(split.kept), idsOf(split.surplus)], [kept, surplus]);
    });
  }

  it('are kept whole if the service does not say what is incremental', () => {
    const unknown = backups('FiF').map((backup) => ({ ...backup, is_incremental: null }));

    assert.deepEqual(idsOf(chainsOf(unknown)), ['F0 i1 F2']);
  });

  it('continue until they are complete', () => {
    const rules = { isOwn, fullEvery: 3, volumeSizeGb: 1 };

    assert.equal(canContinueChain(backups(''), rules), false);
    assert.equal(canContinueChain(backups('F'), rules), true);
    assert.equal(canContinueChain(backups('FiiFi'), rules), true);
    assert.equal(canContinueChain(backups('Fii'), rules), false);
  });

  it('continue only with their own available backup of the whole volume', () => {
    const rules = { isOwn, fullEvery: 9, volumeSizeGb: 1 };

    assert.equal(canContinueChain(backups('FE'), rules), false);
    assert.equal(canContinueChain(backups('F'), { ...rules, volumeSizeGb: 2 }), false);
    assert.equal(canContinueChain(backups('FF'), { ...rules, isOwn: ({ id }) => id === 'F0' }), false);
  });

  it('do not continue on an unknown backup or for an unknown size', () => {
    const rules = { isOwn, fullEvery: 9, volumeSizeGb: 1 };
    const [undated] = backups('F').map((backup) => ({ ...backup, data_timestamp: '' }));

    assert.equal(canContinueChain([...backups('FF'), undated as BackupRecord], rules), false);
    assert.equal(canContinueChain(backups('F'), { ...rules, volumeSizeGb: 0 }), false);
  });
});
