import type { LiteCluster } from './cluster.ts';
import { describeLostCredential } from './lost-credential.ts';

/** The `status_reason` of a cluster: why its last job failed, and the problems of an ACTIVE cluster. */
export function describeStatus(cluster: LiteCluster): string | null {
  const { status, statusReason } = cluster;
  const problems =
    status === 'ACTIVE'
      ? [
          ...(cluster.isCredentialLost ? [describeLostCredential(cluster)] : []),
          ...(cluster.isNeverReached ? [neverReached(cluster)] : []),
        ]
      : [];
  const sentences = new Set([...(statusReason === null ? [] : [statusReason]), ...problems]);
  return [...sentences].join(' ') || null;
}

function neverReached({ hasFloatingIp, serverIp }: LiteCluster): string {
  const remedy = hasFloatingIp
    ? 'The workers need a way to this floating IP, and lite.allowed_from.api must admit them.'
    : 'The workers need a way to this fixed address, or new clusters a floating IP (lite.floating_ip: true).';
  return (
    `The gateway has not reached the API server at ${serverIp} yet: the health of the cluster is not known, ` +
    `and nodes are removed without being drained. ${remedy}`
  );
}
