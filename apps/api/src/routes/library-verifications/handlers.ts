import { notOfLibrary } from '@gateway/libraries';
import { joinExistingJob } from '../../flows/join-existing-job.ts';
import { startVerification } from '../../flows/start-verification.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { findShare } from '../file-storage/find-share.ts';
import { receiveMachineReport } from '../machine-reports/receive-report.ts';
import type { VerifierReportBody } from './schemas.ts';
import type { StartedVerification } from './shapes.ts';

export async function verifyFileStorage(
  request: RequestContext<{ file_storage_id: string }>,
): Promise<StartedVerification> {
  const { file_storage_id } = request.params;
  if (!(await joinExistingJob(request))) {
    const { isPrebuilt } = await findShare(request, file_storage_id);
    if (!isPrebuilt) throw notOfLibrary();
    await startVerification(request, file_storage_id);
  }
  return { job_id: request.jobId, file_storage_id, status: 'running' };
}

/** The token alone authenticates the verifier. */
export function receiveVerifierReport({ app, body }: RequestContext<unknown, unknown, VerifierReportBody>) {
  return receiveMachineReport(app, 'library.verify', body);
}
