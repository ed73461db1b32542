import { conflict, forbidden, GatewayError, invalidInput, toTimestamp } from '@gateway/core';
import { resumeJob } from '@gateway/jobs';
import { parseKubeconfig } from '@gateway/lite';
import type { AppContext } from '../../context.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import type {
  AgentFailureBody,
  ClusterProgressBody,
  ClusterReportBody,
  KubeconfigReportBody,
} from './schemas.ts';

const REFUSED = 'The token is unknown or no longer valid.';

/** The token alone authenticates the control node. The job reads the report when it resumes. */
export async function receiveClusterReport({
  app,
  body,
}: RequestContext<unknown, unknown, ClusterReportBody>) {
  const { token, ...report } = body;
  if (report.kubeconfig !== undefined) checkKubeconfig(report.kubeconfig);
  return accept(app, token, report, true);
}

/** The token stays valid. */
export function receiveClusterProgress({ app, body }: RequestContext<unknown, unknown, ClusterProgressBody>) {
  const { token, ...progress } = body;
  return accept(app, token, progress, false);
}

async function accept(app: AppContext, token: string, report: object, isFinal: boolean) {
  const id = await app.callbacks.accept(token, report, { type: 'lite.create', isFinal });
  if (id === null) throw forbidden(REFUSED);
  await resumeJob(app.redis.store, app.queues, { id, type: 'lite.create' });
  return { status: 'ok' as const };
}

/** The token alone authenticates the agent. The job reads the failure when it resumes. */
export async function receiveAgentFailure({ app, body }: RequestContext<unknown, unknown, AgentFailureBody>) {
  const { token, server_id: serverId, error } = body;
  const job = await app.machineFailures.accept(token, { serverId, error });
  if (job === null) throw forbidden(REFUSED);
  await resumeJob(app.redis.store, app.queues, job);
  return { status: 'ok' as const };
}

/** The token alone authenticates the control node. Health checks and downloads read the file each time. */
export async function receiveKubeconfig({
  app,
  body: { kubeconfig, token },
  logger,
}: RequestContext<unknown, unknown, KubeconfigReportBody>) {
  checkKubeconfig(kubeconfig);
  const renewal = await app.kubeconfigRenewals.accept(token, kubeconfig);
  switch (renewal.outcome) {
    case 'refused':
      throw forbidden(REFUSED);
    case 'early':
      throw conflict('wrong_state', 'The cluster has no configuration file yet.');
    case 'mismatch':
      logger.warn('A control node reported a configuration file that is not accepted', {
        cluster_id: renewal.clusterId,
        problem: renewal.problem,
      });
      throw conflict('unsuitable', `The configuration file ${renewal.problem}.`);
    case 'accepted':
      if (renewal.isChanged) {
        logger.info('The configuration file of a cluster is renewed', {
          cluster_id: renewal.clusterId,
          ends_at: toTimestamp(renewal.endsAt),
        });
      }
  }
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
