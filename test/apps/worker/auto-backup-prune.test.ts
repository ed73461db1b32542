import assert from 'node:assert/strict';
import type { BackupRecord } from '@gateway/openstack';
import type { AutoBackupStepContext } from '../../../apps/worker/src/sagas/auto-backup/saga.ts';
import { pruneBackups } from '../../../apps/worker/src/sagas/auto-backup/steps/prune.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const [recorded] = fixtureBody<BackupRecord[]>('block-storage/backups', 'backups');

const HOUR_MS = 3_600_000;

/** What the service says: without a zone. */
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString().replace('Z', '000');

describe('the retention of an auto backup', () => {
  /** Prunes `n`, which was just made, and an older full backup, by default with an incremental one. */
  async function prune(older: Partial<BackupRecord>, { alone = false } = {}) {
    const common = { ...(recorded as BackupRecord), metadata: { gateway_auto_backup_id: 'c1' } };
    const status = 'available';
    const list = [
      { ...common, id: 'f', is_incremental: false, status, created_at: ago(99), updated_at: null, ...older },
      ...(alone ? [] : [{ ...common, id: 'i', is_incremental: true, status, created_at: ago(22) }]),
      { ...common, id: 'n', is_incremental: false, status, created_at: ago(0) },
    ].map((backup) => ({ ...backup, 'os-backup-project-attr:project_id': 'p1' }));
    const blockStorage = { backups: { list: async () => list } };
    const context = {
      input: { configurationId: 'c1', volumeId: 'v1' },
      projectId: 'p1',
      state: { subject: { kind: 'volume' }, backupId: 'n' },
      config: { timeLimits: { backupSeconds: 86_400, stepRetrySeconds: 0 } },
      configuration: async () => ({ retention: 1 }),
      owner: () => ({ blockStorage }),
      // Nothing of a held chain is deleted.
      ownRemover: () => assert.fail(),
    };
    return (await pruneBackups.run(context as unknown as AutoBackupStepContext)).pruneProblem;
  }

  it('names the backup whose state keeps its chain', async () => {
    const words = 'The backup was created, but older ones could not be deleted:';

    assert.equal(
      await prune({ status: 'creating' }),
      `${words} the state of f is creating, and does not end.`,
    );
    assert.equal(await prune({ created_at: '' }), `${words} the service does not say when f was created.`);
  });

  it('leaves a deletion that an earlier run has begun', async () => {
    const words = 'The backup was created, but older ones could not be deleted:';

    assert.equal(await prune({ status: 'deleting', updated_at: ago(1) }, { alone: true }), null);
    assert.equal(
      await prune({ status: 'deleting', updated_at: ago(25) }, { alone: true }),
      `${words} the state of f is deleting, and does not end.`,
    );
  });

  it('waits for a state that has just begun', async () => {
    assert.equal(await prune({ status: 'restoring', updated_at: ago(1) }), null);
    assert.equal(await prune({ status: 'creating', created_at: ago(23) }), null);
  });
});
