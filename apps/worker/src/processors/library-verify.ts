import type { VerificationMessage } from '@gateway/jobs';
import type { JobContext } from '../jobs/job-context.ts';
import { jobMessage } from '../jobs/job-message.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import { verifyLibrarySteps } from '../sagas/verify-library/index.ts';
import type { VerifyLibraryContext, VerifyLibraryState } from '../sagas/verify-library/saga.ts';
import { libraryMachineContext, serviceProjectOf } from './library-machine-context.ts';

export const libraryVerification = sagaProcessor<'library.verify', VerifyLibraryContext, VerifyLibraryState>(
  (job) => ({
    steps: verifyLibrarySteps,
    context: libraryMachineContext(job, job.payload),
    message: (update, state, failure): VerificationMessage =>
      jobMessage(update, failure, {
        library_id: job.payload.libraryId,
        version: job.payload.version,
        file_storage_id: job.payload.fileStorageId,
        // After a failure it does not exist.
        server_id: failure === undefined && update.step !== 'COMPLETED' ? (state.serverId ?? null) : null,
        log_tail: state.reported?.logTail ?? null,
        verdict: update.step === 'COMPLETED' ? (state.verdict ?? null) : null,
      }),
    completed: ({ verdict }) => verdict?.message ?? 'The library is verified.',
    writes: [],
    alsoWrites: () => writesInServiceProject(job),
  }),
);

/** The service user's project has the verifier until the end. */
async function writesInServiceProject(job: JobContext<'library.verify'>) {
  const projectId = await serviceProjectOf(job);
  return projectId === null ? null : { projectId, resources: ['instance', 'port', 'volume'] as const };
}
