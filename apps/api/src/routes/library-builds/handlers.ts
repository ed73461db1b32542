import { readJobsOfType } from '@gateway/jobs';
import { addNames, instanceNames, shareNames } from '@gateway/resources';
import { startBuild } from '../../flows/start-build.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { latestVerifications } from '../library-verifications/present-verification.ts';
import { receiveMachineReport } from '../machine-reports/receive-report.ts';
import { presentBuild } from './present-build.ts';
import type { BuilderReportBody, BuildQuery } from './schemas.ts';
import type { StartedBuild } from './shapes.ts';

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

export async function getBuilds(request: RequestContext) {
  const { app } = request;
  const names = new Map(app.config.libraries.map(({ id, name }) => [id, name]));
  const [builds, verifications] = await Promise.all([
    readJobsOfType(app.redis.store, 'library.build'),
    readJobsOfType(app.redis.store, 'library.verify'),
  ]);
  const latest = latestVerifications(verifications);
  const rows = builds.map((build) => presentBuild(build, (id) => names.get(id) ?? id, latest));
  return addNames(sourcesOf(request), rows, {
    file_storage_id: shareNames.cloud,
    server_id: instanceNames.cloud,
  });
}

/** The token alone authenticates the builder. */
export function receiveBuilderReport({ app, body }: RequestContext<unknown, unknown, BuilderReportBody>) {
  return receiveMachineReport(app, 'library.build', body);
}
