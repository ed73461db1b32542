import { type BuildMessage, buildProgress } from '@gateway/jobs';
import { serviceUserMissing } from '@gateway/libraries';
import type { JobContext } from '../jobs/job-context.ts';
import { jobMessage } from '../jobs/job-message.ts';
import type { ProjectChanges } from '../jobs/saga-job.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import { buildLibrarySteps } from '../sagas/build-library/index.ts';
import type { BuildLibraryContext, BuildLibraryState } from '../sagas/build-library/saga.ts';

export const libraryBuild = sagaProcessor<'library.build', BuildLibraryContext, BuildLibraryState>((job) => ({
  steps: buildLibrarySteps,
  context: contextOf(job),
  message: (update, state, failure): BuildMessage =>
    jobMessage(update, failure, {
      library_id: job.payload.libraryId,
      version: job.payload.version,
      // After a failure neither of them exists.
      file_storage_id: failure === undefined ? (state.shareId ?? null) : null,
      server_id: failure === undefined && update.step !== 'COMPLETED' ? (state.serverId ?? null) : null,
      log_tail: state.reported?.logTail ?? null,
    }),
  completed: {
    step: 'COMPLETED',
    progress: buildProgress.COMPLETED,
    message: 'The library is built, and new instances use it.',
  },
  failed: { step: 'FAILED', progress: buildProgress.FAILED },
  // Even if the other project is unknown: all projects see the shares of libraries.
  changes: ['library', 'file_storage'],
  alsoChanges: () => changesOfServiceProject(job),
}));

/** The service user's project has the share and, until the end, the builder. */
async function changesOfServiceProject({
  worker,
  call,
}: JobContext<'library.build'>): Promise<ProjectChanges | null> {
  const identity = await worker.serviceAccount.identity(call);
  if (identity === null) return null;
  return { projectId: identity.projectId, changes: ['file_storage', 'instance', 'port', 'volume'] };
}

function contextOf({
  worker: context,
  jobId,
  projectId,
  payload,
  logger,
  call,
}: JobContext<'library.build'>): BuildLibraryContext {
  const { callbacks, config, serviceAccount } = context;
  const service = () => required(serviceAccount.bind(call));
  const remover = () => required(serviceAccount.bindToOwnProject(call));
  const serviceProjectId = async () => (await required(serviceAccount.identity(call))).projectId;
  return {
    jobId,
    projectId,
    input: payload,
    config,
    logger,
    service,
    remover,
    serviceProjectId,
    // Everything that a build creates belongs to the service user's project.
    resourceOwner: {
      client: service,
      async removal() {
        const client = await remover();
        return { remover: () => client, forcer: async () => client };
      },
      mark: async () => ({ jobId, projectId: await serviceProjectId() }),
    },
    callback: {
      open: (lifetimeSeconds) => callbacks.issueToken(jobId, lifetimeSeconds),
      read: () => callbacks.read(jobId),
      close: () => callbacks.close(jobId),
    },
  };
}

/** @throws 503 if no service user is configured */
async function required<T>(found: Promise<T | null>): Promise<T> {
  const result = await found;
  if (result === null) throw serviceUserMissing();
  return result;
}
