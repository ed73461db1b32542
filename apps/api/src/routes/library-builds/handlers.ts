import { forbidden } from '@gateway/core';
import { readJobsOfType, resumeJob } from '@gateway/jobs';
import { startBuild } from '../../flows/start-build.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { presentBuild } from './present-build.ts';
import type { BuilderReportBody, BuildQuery, StartedBuild } from './schemas.ts';

export async function buildLibrary(request: RequestContext<unknown, BuildQuery>): Promise<StartedBuild> {
  const { fileStorageId, library } = await startBuild(request, request.query.library_id);
  return {
    file_storage_id: fileStorageId,
    status: 'building',
    library: library.name,
    library_id: library.id,
    version: library.version,
    job_id: request.jobId,
  };
}

export async function getBuilds({ app }: RequestContext) {
  const names = new Map(app.config.libraries.map(({ id, name }) => [id, name]));
  const builds = await readJobsOfType(app.redis.store, 'library.build');
  return builds.map((build) => presentBuild(build, (id) => names.get(id) ?? id));
}

/** The token alone authenticates the builder. The job reads the report when it resumes. */
export async function receiveBuilderReport({
  app,
  body,
}: RequestContext<unknown, unknown, BuilderReportBody>) {
  const { token, ...report } = body;
  const isFinal = report.success !== undefined;
  const id = await app.callbacks.accept(token, report, { type: 'library.build', isFinal });
  if (id === null) throw forbidden('The token is unknown or no longer valid.');
  await resumeJob(app.redis.store, app.queues, { id, type: 'library.build' });
  return { status: 'ok' as const };
}
