import { newUuid } from '../common/ids.ts';
import { type JsonObject, numberAt, stringAt, stringMapAt } from '../common/json.ts';
import { badRequest, conflict, forbidden, notFound } from '../common/service-error.ts';
import { seconds } from '../common/timestamps.ts';
import type { Caller } from '../http/operation.ts';
import { owns } from '../http/policy.ts';
import type { ContainerInfraCloud } from './cloud.ts';
import type { Cluster, ClusterTemplate } from './state.ts';
import { labelsOf } from './templates.ts';

const CREATE_MS = 500;
const DELETE_MS = 300;
const DEFAULT_QUOTA = 20;

export function findCluster(
  { containerInfra }: ContainerInfraCloud,
  caller: Caller,
  idOrName: string,
): Cluster {
  const visible = [...containerInfra.clusters.values()].filter(({ projectId }) => owns(caller, projectId));
  const found = visible.filter(({ id }) => id === idOrName);
  const named = visible.filter(({ name }) => name === idOrName);
  const [cluster, another] = found.length > 0 ? found : named;
  if (cluster === undefined) throw notFound(`Cluster ${idOrName} could not be found.`, 'client');
  if (another !== undefined)
    throw conflict('Multiple clusters exist with same name. Please use the cluster uuid instead.', 'client');
  return cluster;
}

/** In microversions before 1.10, none of which the simulated service has. */
const ZERO_NODES = 'Resizing a nodegroup to zero is not supported in the provided microversion.';

export function createCluster(cloud: ContainerInfraCloud, caller: Caller, input: JsonObject): Cluster {
  const name = stringAt(input, 'name') ?? '';
  if (!/^[a-zA-Z][a-zA-Z0-9_.-]*$/.test(name))
    throw invalid('name', name, 'Value should match the pattern ^[a-zA-Z][a-zA-Z0-9_.-]*$');
  const nodeCount = countAt(input, 'node_count', 0);
  if (nodeCount === 0) throw badRequest(ZERO_NODES, 'client');
  const masterCount = countAt(input, 'master_count', 1);
  const template = templateOf(cloud, stringAt(input, 'cluster_template_id') ?? '');
  const keyPair = stringAt(input, 'keypair') ?? null;
  if (keyPair !== null && cloud.compute.keyPairs.get(caller.userId)?.get(keyPair) === undefined)
    throw notFound(`Unable to find keypair ${keyPair}.`, 'client');
  if (masterCount > 1) throw badRequest('master_count must be 1 when master_lb_enabled is False', 'client');
  requireLabels(input);
  requireQuota(cloud, caller.projectId);
  const cluster: Cluster = {
    id: newUuid(),
    name,
    projectId: caller.projectId,
    userId: caller.userId,
    templateId: template.id,
    status: 'CREATE_IN_PROGRESS',
    masterCount,
    nodeCount,
    keyPair,
    labels: stringMapAt(input, 'labels'),
    stackId: null,
    createdMs: cloud.clock.now(),
    updatedMs: null,
  };
  cloud.containerInfra.clusters.set(cluster.id, cluster);
  cloud.schedule.after(CREATE_MS, finishCluster, cluster.id);
  return cluster;
}

/** Without `merge_labels` a cluster would lack the labels of its template, such as its version. */
function requireLabels(input: JsonObject): void {
  if (input.labels !== undefined && input.merge_labels !== true)
    throw badRequest('The simulated cloud supports labels with merge_labels only.', 'client');
}

function templateOf({ containerInfra }: ContainerInfraCloud, idOrName: string): ClusterTemplate {
  const template = [...containerInfra.templates.values()].find(
    ({ id, name }) => id === idOrName || name === idOrName,
  );
  if (template === undefined) throw badRequest(`ClusterTemplate ${idOrName} could not be found.`, 'client');
  return template;
}

function countAt(input: JsonObject, key: string, min: number): number {
  const count = input[key] === undefined ? 1 : (numberAt(input, key) ?? -1);
  if (count < min) throw invalid(key, String(count), `Value should be greater or equal to ${min}`);
  return count;
}

function invalid(key: string, value: string, reason: string): Error {
  return badRequest(`Invalid input for field/attribute ${key}. Value: '${value}'. ${reason}`, 'client');
}

/** @throws 403 when the project has reached its limit */
function requireQuota({ containerInfra }: ContainerInfraCloud, projectId: string): void {
  const limit = containerInfra.quotas.get(projectId) ?? DEFAULT_QUOTA;
  const used = [...containerInfra.clusters.values()].filter((cluster) => cluster.projectId === projectId);
  if (used.length >= limit)
    throw forbidden(
      `Resource limit exceeded: You have reached the maximum clusters per project, ${limit}. You may delete a cluster to make room for a new one.`,
      'client',
    );
}

/** Task of the schedule. */
export function finishCluster(cloud: ContainerInfraCloud, id: string): void {
  const cluster = cloud.containerInfra.clusters.get(id);
  if (cluster?.status !== 'CREATE_IN_PROGRESS') return;
  cluster.status = 'CREATE_COMPLETE';
  cluster.stackId = newUuid();
  cluster.updatedMs = cloud.clock.now();
}

/** A repeated deletion is accepted. */
export function deleteCluster(cloud: ContainerInfraCloud, caller: Caller, id: string): void {
  const cluster = findCluster(cloud, caller, id);
  if (cluster.status === 'DELETE_IN_PROGRESS') return;
  cluster.status = 'DELETE_IN_PROGRESS';
  cloud.schedule.after(DELETE_MS, finishClusterRemoval, cluster.id);
}

/** Task of the schedule. */
export function finishClusterRemoval(cloud: ContainerInfraCloud, id: string): void {
  cloud.containerInfra.clusters.delete(id);
}

export function presentCluster({ containerInfra }: ContainerInfraCloud, cluster: Cluster): object {
  const template = containerInfra.templates.get(cluster.templateId);
  const isComplete = cluster.stackId !== null;
  const addresses = (count: number, net: number) =>
    isComplete ? Array.from({ length: count }, (_, index) => `10.10.${net}.${10 + index}`) : [];
  return {
    uuid: cluster.id,
    name: cluster.name,
    cluster_template_id: cluster.templateId,
    keypair: cluster.keyPair,
    node_count: cluster.nodeCount,
    master_count: cluster.masterCount,
    docker_volume_size: 5,
    labels: { ...(template && labelsOf(template)), ...cluster.labels },
    create_timeout: 60,
    stack_id: cluster.stackId,
    status: cluster.status,
    status_reason: null,
    health_status: null,
    health_status_reason: {},
    discovery_url: null,
    api_address: isComplete ? 'https://10.10.1.10:6443' : null,
    coe_version: isComplete ? (template?.version ?? null) : null,
    container_version: isComplete ? '1.12.6' : null,
    project_id: cluster.projectId,
    user_id: cluster.userId,
    node_addresses: addresses(cluster.nodeCount, 2),
    master_addresses: addresses(cluster.masterCount, 1),
    created_at: timestamp(cluster.createdMs),
    updated_at: cluster.updatedMs === null ? null : timestamp(cluster.updatedMs),
  };
}

function timestamp(ms: number): string {
  return seconds(ms).replace('Z', '+00:00');
}
