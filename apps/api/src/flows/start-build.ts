import { notFound } from '@gateway/core';
import { awaitJob, type BuildMessage, failureError, type JobEvent } from '@gateway/jobs';
import { buildSettings, requireBuildable, serviceUserMissing } from '@gateway/libraries';
import type { LibraryDefinition } from '@gateway/platform';
import type { RequestContext } from '../pipeline/request-context.ts';
import { joinExistingJob } from './join-existing-job.ts';

interface StartedBuild {
  library: LibraryDefinition;
  /** Null if the job has not created the share within the time limit. The job continues. */
  fileStorageId: string | null;
}

/** Enqueues a job that builds a library's prebuilt share, and waits until the share has an id. */
export async function startBuild(request: RequestContext, libraryId: string): Promise<StartedBuild> {
  const { app, jobId } = request;
  const library = app.config.libraries.find(({ id }) => id === libraryId);
  if (library === undefined) throw notFound(`There is no library "${libraryId}".`);
  if (!(await joinExistingJob(request))) await enqueueBuild(request, library);
  const record = await awaitJob(app.redis.store, app.relay, jobId, {
    timeoutMs: app.config.timeLimits.buildAcceptSeconds * 1000,
    until: hasShare,
    signal: app.waitAbort.signal,
  });
  const failure = record?.failure ?? null;
  if (failure !== null) throw failureError(failure, jobId);
  return { library, fileStorageId: record?.resourceId ?? null };
}

async function enqueueBuild(request: RequestContext, library: LibraryDefinition): Promise<void> {
  const { app, caller, jobId, requestId } = request;
  buildSettings(app.config, library);
  const service = await app.serviceAccount.bind({ requestId });
  if (service === null) throw serviceUserMissing();
  await requireBuildable(service.sharedFileSystem.shares, app.config, library);
  await app.producer.enqueue({
    type: 'library.build',
    payload: { libraryId: library.id, version: library.version },
    credential: caller.identity,
    requestId,
    jobId,
    resourceName: library.name,
    exclusive: { subject: `build:${library.id}`, refusal: `${library.name} is being built already.` },
  });
}

function hasShare({ data }: JobEvent): boolean {
  return (JSON.parse(data) as BuildMessage).file_storage_id !== null;
}
