import { forbidden, GatewayError, invalidInput } from '@gateway/core';
import { resumeJob } from '@gateway/jobs';
import { parseKubeconfig } from '@gateway/lite';
import type { RequestContext } from '../../pipeline/request-context.ts';
import type { ClusterReportBody } from './schemas.ts';

/** The token alone authenticates the control node. The job reads the report when it resumes. */
export async function receiveClusterReport({
  app,
  body,
}: RequestContext<unknown, unknown, ClusterReportBody>) {
  const { token, ...report } = body;
  if (report.kubeconfig !== undefined) checkKubeconfig(report.kubeconfig);
  const id = await app.callbacks.accept(token, report, { type: 'lite.create', isFinal: true });
  if (id === null) throw forbidden('The token is unknown or no longer valid.');
  await resumeJob(app.redis.store, app.queues, { id, type: 'lite.create' });
  return { status: 'ok' as const };
}

/** Checked before the token is used up. */
function checkKubeconfig(text: string): void {
  try {
    parseKubeconfig(text);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const errors = [{ field: 'body.kubeconfig', message: 'must be the configuration file of a cluster' }];
    throw invalidInput(error.message, { errors });
  }
}
