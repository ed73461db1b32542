import { needsDelegation } from '@gateway/auto-backup';
import { type AutoBackupMessage, type JobFailure, readJob } from '@gateway/jobs';
import { autoBackupCredentials } from '../jobs/auto-backup-credentials.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { jobMessage } from '../jobs/job-message.ts';
import type { JobRun, Processor } from '../jobs/processor.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import { leavePlace } from '../jobs/start-auto-backup.ts';
import { autoBackupSteps } from '../sagas/auto-backup/index.ts';
import type { AutoBackupContext, AutoBackupState } from '../sagas/auto-backup/saga.ts';

type Job = JobContext<'volume.auto-backup'>;

const saga = sagaProcessor<'volume.auto-backup', AutoBackupContext, AutoBackupState>((job) => ({
  steps: autoBackupSteps,
  context: contextOf(job),
  message: (update, state, failure): AutoBackupMessage =>
    jobMessage(update, failure, {
      volume_id: job.payload.volumeId,
      backup_id: failure === undefined ? (state.backupId ?? null) : null,
    }),
  completed: 'The run of the auto backup has ended.',
  // A volume changes its status while it is being backed up.
  writes: { resource: 'backup', as: 'created', touches: ['volume', 'auto_backup'] },
  problem: ({ subject }) => (subject?.kind === 'volume is gone' ? VOLUME_MISSING : null),
  recordOutcome: (failure, state) => recordOutcome(job, failure, state),
}));

/** Runs an auto backup with the delegation of its configuration. */
export const autoBackup: Processor<'volume.auto-backup'> = {
  ...saga,
  async run(run) {
    await saga.run(run);
    await endPlace(run);
    await revokeUnused(run);
  },
};

function contextOf(job: Job): AutoBackupContext {
  const { worker, jobId, projectId, payload, logger } = job;
  const { autoBackups, config } = worker;
  const { configurationId } = payload;
  const credentials = autoBackupCredentials(worker, { ...job, configurationId });
  const rights = { remover: () => credentials.remover, forcer: () => credentials.forcer() };
  return {
    jobId,
    projectId,
    input: payload,
    config,
    logger,
    configuration: () => autoBackups.store.read(configurationId),
    owner: () => credentials.owner,
    ownRemover: () => credentials.ownerIn(projectId),
    ...rights,
    resourceOwner: {
      client: async () => credentials.owner,
      removal: async () => rights,
      mark: async () => ({ jobId, projectId }),
    },
  };
}

/**
 * Records how the run ended in its configuration. Further checks decide whether a volume that was not found
 * is gone for good.
 */
async function recordOutcome(
  { worker, jobId, payload, projectId }: Job,
  failure: JobFailure | null,
  { subject, pruneProblem = null }: Readonly<Partial<AutoBackupState>>,
): Promise<void> {
  const { store } = worker.autoBackups;
  const { configurationId, due } = payload;
  const createdAt = (await readJob(worker.redis.store, jobId))?.createdAt ?? due;
  const record = (status: 'ok' | 'failed', error: string | null) =>
    store.recordOutcome(configurationId, createdAt, { status, error, at: Date.now() });
  if (failure !== null) await record('failed', failure.detail);
  else if (subject?.kind === 'volume') await record('ok', pruneProblem);
  else if (subject?.kind === 'volume is gone') {
    await record('failed', VOLUME_MISSING);
    await store.requestVolumeCheck(projectId);
  }
}

const VOLUME_MISSING = 'The volume was not found. The auto backup ends if it is gone.';

async function endPlace({ worker, payload, logger }: JobRun<'volume.auto-backup'>): Promise<void> {
  try {
    await leavePlace(worker, payload.configurationId);
  } catch (error) {
    // The maintenance task starts the next run.
    logger.warn('The next auto backup could not be started yet', { error });
  }
}

/** Revokes the delegation of a configuration that was removed or set up again during the run. */
async function revokeUnused({ worker, payload, call, logger }: JobRun<'volume.auto-backup'>): Promise<void> {
  const { configurationId } = payload;
  try {
    const { delegations, store } = worker.autoBackups;
    const runs = { redis: worker.redis.store, queues: worker.queues };
    await delegations.revokeRetired(call, {
      configurationId,
      isNeeded: async () =>
        (await store.read(configurationId)) === null && needsDelegation(runs, configurationId),
    });
  } catch (error) {
    // The maintenance task tries again.
    logger.warn('A delegation of an auto backup could not be revoked yet', { error });
  }
}
