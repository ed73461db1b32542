import assert from 'node:assert/strict';
import { checkAdditionalVolumes } from '@gateway/resources';
import { createBackupSteps } from '../../../apps/worker/src/sagas/create-resource/backup.ts';
import { restoreBackupSteps } from '../../../apps/worker/src/sagas/create-resource/restore.ts';

const HELP = 'If this state does not end, an administrator can reset it.';

/** The context of a job in a project whose volume and backup have these states. */
function contextOf<Context>(input: object, { volume = 'available', backup = 'available' }): Context {
  const record = async (status: string) => ({ id: 'one', status, size: 1 });
  const belongsTo = async () => true;
  const blockStorage = {
    volumes: { get: () => record(volume), belongsTo },
    backups: { get: () => record(backup), belongsTo },
    limits: { get: async () => ({}) },
  };
  return { input, projectId: 'project', owner: () => ({ blockStorage }) } as Context;
}

describe('a job that a passing state refuses', () => {
  it('says what helps the owner of a volume to attach', async () => {
    const input = { additionalVolumeIds: ['one'] };

    await assert.rejects(checkAdditionalVolumes(contextOf(input, { volume: 'extending' })), {
      message: `Volume one cannot be attached: its status is extending, not available. ${HELP}`,
    });
    await assert.rejects(checkAdditionalVolumes(contextOf(input, { volume: 'in-use' })), {
      message: 'Volume one cannot be attached: its status is in-use, not available.',
    });
  });

  it('recommends no reset of what a shelved instance may have', async () => {
    const input = { additionalVolumeIds: ['one'] };

    await assert.rejects(checkAdditionalVolumes(contextOf(input, { volume: 'reserved' })), ({ message }) => {
      assert.match(message, /not available\. Volumes of a shelved instance are reserved/);
      assert.doesNotMatch(message, /does not end/);
      return true;
    });
  });

  it('says what helps the owner of a volume to back up', async () => {
    const input = { description: null, force: false, name: 'nightly', volumeId: 'one' };

    await assert.rejects(
      createBackupSteps[0]?.run?.(contextOf(input, { volume: 'extending' })) as Promise<unknown>,
      {
        message: `The volume cannot be backed up in its state extending. ${HELP}`,
      },
    );
  });

  it('says what helps the owner of a backup and of its target', async () => {
    const input = { backupId: 'one', name: null, volumeId: 'one' };
    const plan = (states: object) =>
      restoreBackupSteps[0]?.run?.(contextOf(input, states)) as Promise<unknown>;

    await assert.rejects(plan({ backup: 'creating' }), {
      message: `The backup cannot be restored in its state creating. ${HELP}`,
    });
    await assert.rejects(plan({ volume: 'detaching' }), {
      message: `The volume cannot be overwritten in its state detaching: it has to be available. ${HELP}`,
    });
  });
});
