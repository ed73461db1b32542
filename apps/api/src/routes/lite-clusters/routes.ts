import { listOf } from '@gateway/core/shapes';
import { liteClusterMessageShape, liteScalingMessageShape } from '@gateway/jobs/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { liteClusterRows } from '../../http/schemas/lite-cluster.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import {
  createLiteCluster,
  deleteLiteCluster,
  getKubeconfig,
  getLiteCluster,
  listLiteClusters,
  listLiteClusterUpgrades,
  repairLiteCluster,
  replaceLiteCredential,
  scaleLiteCluster,
  scaleLiteClusterAsync,
  upgradeLiteCluster,
} from './handlers.ts';
import { liteClusterShape, liteClusterUpgradesShape } from './lite-cluster-shape.ts';
import {
  createLiteClusterBody,
  kubeconfigQuery,
  liteClusterListQuery,
  repairLiteClusterBody,
  scaleLiteClusterBody,
  upgradeLiteClusterBody,
} from './schemas.ts';

const tag = { name: 'lite', description: 'Kubernetes clusters directly on virtual machines' };
const service = 'lite';
const access = 'project';
const path = '/api/lite/clusters/:cluster_id';
const params = pathIds('cluster_id');

/** What the endpoints that change a cluster have in common. */
const changesCluster = {
  access,
  service,
  params,
  rateLimits: ['liteScale'],
  refusesReaders: true,
} as const;
const refused = ['cluster_not_active', 'conflict'] as const;
/** Of an endpoint that answers at the end of the job. */
const awaited = [...refused, 'token_expired', 'delegation_lost', 'cancelled', 'timeout'] as const;
const nodesJoin = ['quota_exceeded', 'no_valid_host', 'lite_nodes_not_ready', 'lite_not_configured'] as const;

export const liteClusterEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/lite/clusters',
    tag,
    summary: "The project's clusters",
    access,
    service,
    watched: 'lite_cluster',
    query: liteClusterListQuery,
    response: listOf(liteClusterShape),
    rows: liteClusterRows,
    handler: listLiteClusters,
  }),
  endpoint({
    method: 'POST',
    path: '/api/lite/clusters/async',
    tag,
    summary: 'Create a cluster and follow its progress',
    description:
      'Answers a stream of events. Leaving it does not stop the creation: `X-Job-Id` names the job, whose events can be ' +
      'followed again. Answers 503 with the code `lite_not_configured` if the configuration does not define the nodes.',
    access,
    service,
    body: createLiteClusterBody,
    response: liteClusterMessageShape,
    produces: 'text/event-stream',
    rateLimits: ['liteCreate'],
    startsJob: 'lite.create',
    errors: ['network_required', 'conflict', 'quota_exceeded', 'lite_not_configured'],
    refusesReaders: true,
    handler: createLiteCluster,
  }),
  endpoint({
    method: 'GET',
    path,
    tag,
    summary: 'One cluster',
    description: 'Deleted clusters stay readable.',
    access,
    service,
    params,
    response: liteClusterShape,
    handler: getLiteCluster,
  }),
  endpoint({
    method: 'PATCH',
    path: `${path}/scale`,
    tag,
    summary: 'Change the number of agents',
    description:
      'Answers when the new agents have joined, or the removed ones are gone: their nodes are drained first, highest ' +
      'numbers first. If adding agents fails, none is added. While the API server of the cluster does not answer at ' +
      'all, new agents are not awaited, and the nodes of removed ones are not drained. Answers 504 with the id of the ' +
      'job after a time limit.',
    ...changesCluster,
    startsJob: 'lite.scale',
    body: scaleLiteClusterBody,
    response: liteClusterShape,
    errors: [...awaited, ...nodesJoin],
    handler: scaleLiteCluster,
  }),
  endpoint({
    method: 'POST',
    path: `${path}/scale/async`,
    tag,
    summary: 'Change the number of agents and follow the progress',
    description:
      'Answers a stream of events that ends when the new agents have joined, or the removed ones are gone. While the API ' +
      'server of the cluster does not answer at all, new agents are not awaited. Leaving the stream does not stop the ' +
      'job: `X-Job-Id` names it, and its events can be followed again.',
    ...changesCluster,
    startsJob: 'lite.scale',
    body: scaleLiteClusterBody,
    response: liteScalingMessageShape,
    produces: 'text/event-stream',
    errors: refused,
    handler: scaleLiteClusterAsync,
  }),
  endpoint({
    method: 'POST',
    path: `${path}/repair`,
    tag,
    summary: 'Replace a dead node',
    description:
      'For an agent that is not ready, or whose VM is gone, switched off or in the state ERROR: a new agent joins, then the ' +
      'old one is removed with its VM, its port and its boot volume. Answers when that is done. If the new one does not ' +
      'join, it is removed, and the cluster stays as it was. While the API server of the cluster does not answer at all, ' +
      'the new agent is not awaited, and the old one is removed all the same. A node that is alive is refused with 409 ' +
      '`node_not_dead`; with `force` it is drained and replaced. Answers 504 with the id of the job after a time limit.',
    ...changesCluster,
    startsJob: 'lite.repair',
    body: repairLiteClusterBody,
    response: liteClusterShape,
    errors: [...awaited, ...nodesJoin, 'not_found', 'node_not_dead'],
    handler: repairLiteCluster,
  }),
  endpoint({
    method: 'POST',
    path: `${path}/credential`,
    tag,
    summary: "Replace the credential of a cluster's plugins by one of the caller",
    description:
      'For a cluster whose credential belongs to somebody who leaves the project. Answers when the programs of the plugins ' +
      'have restarted with the new credential and the old one is deleted. If they do not become available, the cluster ' +
      'keeps its credential. Who may read secrets in the cluster can use it: it has the roles of the caller without that ' +
      'of administrators. Answers 504 with the id of the job after a time limit.',
    ...changesCluster,
    startsJob: 'lite.credential',
    response: liteClusterShape,
    errors: [...awaited, 'lite_plugins_not_available', 'plugin_unavailable'],
    handler: replaceLiteCredential,
  }),
  endpoint({
    method: 'GET',
    path: `${path}/upgrades`,
    tag,
    summary: 'The releases that a cluster can be upgraded to',
    description: 'One minor release of Kubernetes at a time, and never back.',
    access,
    service,
    params,
    response: liteClusterUpgradesShape,
    handler: listLiteClusterUpgrades,
  }),
  endpoint({
    method: 'POST',
    path: `${path}/upgrade`,
    tag,
    summary: 'Upgrade a cluster to another release of k3s',
    description:
      'Starts a job, whose state is in `upgrade` of the cluster. The control node is upgraded first, after a copy of its ' +
      'database was made; then the agents, one after the other: they are drained before, within the limits of disruption ' +
      'budgets; then the plugins. A failure stops the upgrade: `status_reason` names the node, all nodes take pods again, and ' +
      'the same request continues. With the release that the cluster has, its nodes get the mirrors of registries that are ' +
      'configured now, and its plugins the objects of this version of the gateway; no node is drained.',
    ...changesCluster,
    startsJob: 'lite.upgrade',
    body: upgradeLiteClusterBody,
    status: 202,
    response: liteClusterShape,
    errors: refused,
    handler: upgradeLiteCluster,
  }),
  endpoint({
    method: 'DELETE',
    path,
    tag,
    summary: 'Delete a cluster with all of its resources',
    description:
      'A creation in progress is cancelled. The resources are removed after the response; what cannot be removed yet is in ' +
      '`status_reason`.',
    access,
    service,
    params,
    // The job drops lists when it removes something.
    writes: [],
    status: 204,
    refusesReaders: true,
    handler: deleteLiteCluster,
  }),
  endpoint({
    method: 'GET',
    path: `${path}/kubeconfig`,
    tag,
    summary: 'The configuration file of a cluster',
    head: 'Whether the configuration file of a cluster can be read',
    description:
      'For clients of Kubernetes. It is usable from outside the cloud only if the control node has a floating IP. With ' +
      '`auth=identity` it contains no secret, and is 409 `plugin_missing` if the cluster has no plugin `identity_auth`.',
    access,
    service,
    params,
    query: kubeconfigQuery,
    errors: ['plugin_missing', 'sealing_key_missing'],
    exampleText: 'apiVersion: v1\nkind: Config\nclusters: []\n',
    produces: 'application/octet-stream',
    secret: true,
    handler: getKubeconfig,
  }),
];
