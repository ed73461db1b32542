import { type AutoBackupMessage, autoBackupProgress, type JobFailure } from '@gateway/jobs';
import type { JobContext } from '../jobs/job-context.ts';
import { JobCredentials } from '../jobs/job-credentials.ts';
import { jobMessage } from '../jobs/job-message.ts';
import type { JobRun, Processor } from '../jobs/processor.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import { autoBackupSteps } from '../sagas/auto-backup/index.ts';
import type { AutoBackupContext, AutoBackupState } from '../sagas/auto-backup/saga.ts';

type Job = JobContext<'volume.auto-backup'>;

const RIGHTS_LOST =
  'The user who set up the auto backup has lost the account or the role that it works with. Set it up again to continue.';

const saga = sagaProcessor<'volume.auto-backup', AutoBackupContext, AutoBackupState>((job) => ({
  steps: autoBackupSteps,
  context: contextOf(job),
  message: (update, state, failure): AutoBackupMessage =>
    jobMessage(update, failure, {
      volume_id: job.payload.volumeId,
      backup_id: failure === undefined ? (state.backupId ?? null) : null,
    }),
  completed: {
    step: 'COMPLETED',
    progress: autoBackupProgress.COMPLETED,
    message: 'The run of the auto backup has ended.',
  },
  failed: { step: 'FAILED', progress: autoBackupProgress.FAILED },
  // A volume changes its status while it is being backed up.
  changes: ['backup', 'volume'],
  recordOutcome: (failure, state) => recordOutcome(job, failure, state),
}));

/** Runs an auto backup with the delegation of its configuration. */
export const autoBackup: Processor<'volume.auto-backup'> = {
  ...saga,
  async run(run) {
    await saga.run(run);
    await revokeUnused(run);
  },
};

function contextOf({ worker, jobId, projectId, payload, call, logger }: Job): AutoBackupContext {
  const { autoBackups, config, openstack, serviceAccount } = worker;
  const configuration = () => autoBackups.store.read(payload.configurationId);
  const credentials = new JobCredentials({
    openstack,
    serviceAccount,
    credential: null,
    standing: {
      async trustId() {
        const found = await configuration();
        if (found !== null) return autoBackups.delegations.open(found.sealedDelegation).trustId;
        // A run whose configuration was removed still rolls back with its delegation.
        return (await autoBackups.delegations.retiredOf(payload.configurationId))?.trustId ?? null;
      },
      lostMessage: RIGHTS_LOST,
    },
    projectId,
    call,
    logger,
  });
  return {
    jobId,
    projectId,
    input: payload,
    config,
    logger,
    configuration,
    owner: () => credentials.owner,
    remover: () => credentials.remover,
    forcer: () => credentials.forcer(),
  };
}

/** Records how the run ended in its configuration. A volume that is gone ends the configuration. */
async function recordOutcome(
  { worker, payload, projectId, logger }: Job,
  failure: JobFailure | null,
  { subject, pruneProblem = null }: Readonly<Partial<AutoBackupState>>,
): Promise<void> {
  const { store, entries } = worker.autoBackups;
  const { configurationId, volumeId, due } = payload;
  if (failure !== null) {
    await store.recordOutcome(configurationId, due, {
      status: 'failed',
      error: failure.detail,
      at: Date.now(),
    });
  } else if (subject?.kind === 'volume') {
    await store.recordOutcome(configurationId, due, { status: 'ok', error: pruneProblem, at: Date.now() });
  } else if (subject?.kind === 'volume is gone') {
    await store.remove(projectId, volumeId, configurationId);
    await entries.update(configurationId);
    logger.info('An auto backup has ended: its volume is gone', { configuration_id: configurationId });
  }
}

/** Revokes the delegation of a configuration that was removed or set up again during the run. */
async function revokeUnused({ worker, payload, call, logger }: JobRun<'volume.auto-backup'>): Promise<void> {
  const { configurationId } = payload;
  try {
    await worker.autoBackups.delegations.revokeRetired(call, { configurationId });
  } catch (error) {
    // The maintenance task tries again.
    logger.warn('A delegation of an auto backup could not be revoked yet', { error });
  }
}
