import { conflict, GatewayError, notFound } from '@gateway/core';
import { isCredentialReplaceable, type LiteCluster } from '@gateway/lite';
import type { ActionRule } from '@gateway/resources';

/** The fields of a lite cluster by which actions are allowed. */
interface LiteClusterState {
  cluster: Pick<LiteCluster, 'credential' | 'plugins' | 'status'>;
  /** The job that is changing the cluster; null without one. */
  busyWith: string | null;
}

type LiteClusterRule = ActionRule<LiteClusterState>;

const PATH = '/api/lite/clusters/{cluster_id}';

export const CLUSTER_BUSY = 'Another operation is running on the cluster';

/** A change by a job, of which an ACTIVE cluster takes one at a time. Its reasons are whole sentences. */
function changeRule(
  endpoint: string,
  unless: (cluster: LiteClusterState['cluster']) => string | null = () => null,
): LiteClusterRule {
  return {
    endpoint,
    refusal: '',
    reasonAgainst({ busyWith, cluster }) {
      if (cluster.status !== 'ACTIVE') return `The cluster is ${cluster.status}, not ACTIVE`;
      return busyWith === null ? unless(cluster) : CLUSTER_BUSY;
    },
    makeError: (detail, { busyWith, cluster }) =>
      cluster.status === 'ACTIVE'
        ? conflict(busyWith === null ? 'unsuitable' : 'busy', detail, { jobId: busyWith ?? undefined })
        : new GatewayError(400, 'cluster_not_active', detail),
  };
}

/** The actions on a lite cluster, in the order in which rows name them. */
export const liteClusterActions = {
  scale: changeRule(`PATCH ${PATH}/scale`),
  repair: changeRule(`POST ${PATH}/repair`),
  replace_credential: changeRule(`POST ${PATH}/credential`, ({ credential, plugins }) => {
    if (credential === null) return 'The cluster has no credential: none of its plugins calls the cloud';
    return isCredentialReplaceable(plugins)
      ? null
      : 'The credential of the cluster cannot be replaced: the program of secrets_kms reads it from a file of the control ' +
          'node, which the gateway cannot change. If its user has lost the role in the project, restore the role';
  }),
  upgrade: changeRule(`POST ${PATH}/upgrade`),
  get_kubeconfig: {
    endpoint: `GET ${PATH}/kubeconfig`,
    isReading: true,
    refusal: 'The cluster has no configuration file',
    forbids: ({ cluster }, { mayChange }) =>
      mayChange || cluster.plugins.includes('identity_auth')
        ? null
        : 'The file with the certificate requires a role that may change the project.',
    // A cluster that is not complete yet may still be rolled back.
    reasonAgainst: ({ cluster }) => (cluster.status === 'ACTIVE' ? null : ', or not yet'),
    makeError: (detail) => notFound(detail),
  } satisfies LiteClusterRule,
  /** Also while it is being created or changed. */
  delete: {
    endpoint: `DELETE ${PATH}`,
    refusal: 'The cluster',
    reasonAgainst: ({ cluster }) => (cluster.status === 'DELETED' ? ' is deleted' : null),
  } satisfies LiteClusterRule,
};
