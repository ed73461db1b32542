import type { BuildMessage } from '@gateway/jobs';
import type { JobContext } from '../jobs/job-context.ts';
import { jobMessage } from '../jobs/job-message.ts';
import type { WritesElsewhere } from '../jobs/saga-job.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import { buildLibrarySteps } from '../sagas/build-library/index.ts';
import type { BuildLibraryContext, BuildLibraryState } from '../sagas/build-library/saga.ts';
import { libraryMachineContext, serviceProjectOf } from './library-machine-context.ts';

export const libraryBuild = sagaProcessor<'library.build', BuildLibraryContext, BuildLibraryState>((job) => ({
  steps: buildLibrarySteps,
  context: libraryMachineContext(job, job.payload),
  message: (update, state, failure): BuildMessage =>
    jobMessage(update, failure, {
      library_id: job.payload.libraryId,
      version: job.payload.version,
      // After a failure neither of them exists.
      file_storage_id: failure === undefined ? (state.shareId ?? null) : null,
      server_id: failure === undefined && update.step !== 'COMPLETED' ? (state.serverId ?? null) : null,
      log_tail: state.reported?.logTail ?? null,
    }),
  completed: 'The library is built, and new instances use it.',
  // Even if the other project is unknown: all projects see the shares of libraries.
  writes: { resource: 'file_storage', as: 'created', touches: ['library'] },
  alsoWrites: () => writesInServiceProject(job),
}));

/** The service user's project has the share and, until the end, the builder. */
async function writesInServiceProject(job: JobContext<'library.build'>): Promise<WritesElsewhere | null> {
  const projectId = await serviceProjectOf(job);
  return projectId === null ? null : { projectId, resources: ['file_storage', 'instance', 'port', 'volume'] };
}
