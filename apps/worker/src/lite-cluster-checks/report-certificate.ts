import type { LiteCluster, LiteClusterHealth } from '@gateway/lite';
import type { WorkerContext } from '../context.ts';

const DAY_SECONDS = 86_400;
/** Nodes renew their certificates long before: something prevents it. */
const REPORTED_DAYS = 14;

/**
 * Lets webhooks know that a certificate of a cluster ends soon. Each check reports it, and the first report
 * counts, until the certificate ends.
 */
export async function reportCertificate(
  { logger, metrics, webhooks }: WorkerContext,
  { id, name, projectId }: LiteCluster,
  { certificate_expires_at: endsAt }: LiteClusterHealth,
): Promise<void> {
  if (endsAt === null) return;
  const now = Date.now();
  const end = Date.parse(endsAt);
  if (end < now || end > now + REPORTED_DAYS * DAY_SECONDS * 1000) return;
  const event = {
    id: `${id}_certificate_${end}`,
    type: 'lite_cluster.certificate_expiring' as const,
    at: now,
    projectId,
    data: {
      cluster_id: id,
      cluster_name: name,
      project_id: projectId,
      certificate_expires_at: endsAt,
    },
  };
  try {
    const lost = await webhooks.storeEvent(event, { seenSeconds: (REPORTED_DAYS + 1) * DAY_SECONDS });
    if (lost > 0) metrics.webhookDelivered('failed', lost);
  } catch (error) {
    // The next check reports it again.
    logger.warn('Webhooks do not learn of a certificate yet', { cluster_id: id, error });
  }
}
