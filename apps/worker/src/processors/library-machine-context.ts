import type { LibraryBuilding } from '@gateway/jobs';
import { serviceUserMissing } from '@gateway/libraries';
import type { JobContext } from '../jobs/job-context.ts';
import type { LibraryMachineContext } from '../sagas/library-machines/context.ts';

type LibraryJob = Pick<JobContext, 'worker' | 'jobId' | 'projectId' | 'logger' | 'call'>;

/** What the sagas with a machine for a library work with: the service user in its own project. */
export function libraryMachineContext<Input extends LibraryBuilding, Report>(
  { worker, jobId, projectId, logger, call }: LibraryJob,
  input: Input,
): LibraryMachineContext<Input, Report> {
  const { callbacks, config, serviceAccount } = worker;
  const service = () => required(serviceAccount.bind(call));
  const remover = () => required(serviceAccount.bindToOwnProject(call));
  const serviceProjectId = async () => (await required(serviceAccount.identity(call))).projectId;
  return {
    jobId,
    projectId,
    input,
    config,
    logger,
    service,
    remover,
    serviceProjectId,
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

/** The service user's project; null if no service user is configured. */
export async function serviceProjectOf({
  worker,
  call,
}: Pick<LibraryJob, 'worker' | 'call'>): Promise<string | null> {
  return (await worker.serviceAccount.identity(call))?.projectId ?? null;
}

/** @throws 503 if no service user is configured */
async function required<T>(found: Promise<T | null>): Promise<T> {
  const result = await found;
  if (result === null) throw serviceUserMissing();
  return result;
}
