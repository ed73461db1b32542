import assert from 'node:assert/strict';
import { request } from 'node:https';
import { eventually } from '../eventually.ts';
import type { TestCluster } from './test-cluster.ts';

/** An API server, and the credentials of its administrator. */
export type ApiAccess = Pick<TestCluster, 'server' | 'admin'>;

/** Sends one request with the rights of the administrator; returns status and parsed body. */
export function send(
  { server, admin }: ApiAccess,
  method: string,
  path: string,
  body?: object,
  contentType = 'application/json',
): Promise<{ status: number; body: { metadata?: { uid?: string }; reason?: string } }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${server}${path}`,
      {
        method,
        ca: admin.ca,
        cert: admin.clientCertificate,
        key: admin.clientKey,
        agent: false,
        headers: { 'content-type': contentType },
      },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
      },
    );
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The values of a secret in the namespace `kube-system`. */
export async function readSecret(cluster: ApiAccess, name: string): Promise<Record<string, string>> {
  const { status, body } = await send(cluster, 'GET', `${SECRETS}/${name}`);
  assert.equal(status, 200, JSON.stringify(body));
  const { data = {} } = body as { data?: Record<string, string> };
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );
}

/** Writes values of a secret in the namespace `kube-system`, which is created if it does not exist. */
export async function writeSecret(
  cluster: ApiAccess,
  name: string,
  values: Record<string, string>,
): Promise<void> {
  const data = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  );
  const { status } = await send(cluster, 'PATCH', `${SECRETS}/${name}`, { data }, MERGE);
  if (status === 404) await created(send(cluster, 'POST', SECRETS, { metadata: { name }, data }));
  else assert.equal(status, 200);
}

/** The annotations of the pods of a workload in the namespace `kube-system`. */
export async function podAnnotationsOf(
  cluster: ApiAccess,
  { kind, metadata }: Workload,
): Promise<Record<string, string>> {
  const { status, body } = await send(cluster, 'GET', `${WORKLOADS[kind]}/${metadata.name}`);
  assert.equal(status, 200, JSON.stringify(body));
  const { spec } = body as {
    spec?: { template?: { metadata?: { annotations?: Record<string, string> } } };
  };
  return spec?.template?.metadata?.annotations ?? {};
}

const SECRETS = '/api/v1/namespaces/kube-system/secrets';
const PODS = '/api/v1/namespaces/default/pods';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';

interface PodOptions {
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  /** Kind of the controller that the pod belongs to. */
  owner?: string;
}

export async function createPod(
  cluster: TestCluster,
  node: string,
  name: string,
  { owner, ...metadata }: PodOptions = {},
): Promise<void> {
  const ownerReferences =
    owner === undefined
      ? []
      : [{ apiVersion: 'apps/v1', kind: owner, name: 'owner', uid: name, controller: true }];
  await created(
    send(cluster, 'POST', PODS, {
      metadata: { name, ...metadata, ownerReferences },
      spec: { nodeName: node, containers: [{ name: 'main', image: 'registry.example/app:1' }] },
    }),
  );
  // No budget protects a pod that has not started.
  await eventually(async () => {
    const { body } = await send(cluster, 'GET', `${PODS}/${name}`);
    const { status } = body as { status?: { phase?: string } };
    return status?.phase === 'Running';
  });
}

const WORKLOADS: Record<string, string> = {
  Deployment: '/apis/apps/v1/namespaces/kube-system/deployments',
  DaemonSet: '/apis/apps/v1/namespaces/kube-system/daemonsets',
  Job: '/apis/batch/v1/namespaces/kube-system/jobs',
};
const SYSTEM_PODS = '/api/v1/namespaces/kube-system/pods';
const MERGE = 'application/merge-patch+json';

interface Workload {
  kind: string;
  metadata: { name: string };
}

/** Creates a workload in the namespace `kube-system`. */
export async function createWorkload(cluster: ApiAccess, workload: Workload): Promise<void> {
  await created(send(cluster, 'POST', WORKLOADS[workload.kind] ?? '', workload));
}

/** Writes the status of a workload in the namespace `kube-system`, as its controller does. */
export async function setWorkloadStatus(
  cluster: ApiAccess,
  { kind, metadata }: Workload,
  status: object,
): Promise<void> {
  await succeeded(send(cluster, 'PATCH', `${WORKLOADS[kind]}/${metadata.name}/status`, { status }, MERGE));
}

/** Creates a pod of a workload in the namespace `kube-system`. */
export async function createPodOf(cluster: ApiAccess, node: string, app: string): Promise<void> {
  const spec = { nodeName: node, containers: [{ name: 'main', image: 'registry.example/app:1' }] };
  await created(
    send(cluster, 'POST', SYSTEM_PODS, { metadata: { name: `${app}-0`, labels: { app } }, spec }),
  );
}

/** Writes the status of the only pod of a workload in the namespace `kube-system`, as its kubelet does. */
export async function setPodStatus(cluster: ApiAccess, app: string, status: object): Promise<void> {
  await succeeded(send(cluster, 'PATCH', `${SYSTEM_PODS}/${app}-0/status`, { status }, MERGE));
}

export async function setTaints(cluster: ApiAccess, node: string, taints: object[]): Promise<void> {
  await succeeded(send(cluster, 'PATCH', `/api/v1/nodes/${node}`, { spec: { taints } }, MERGE));
}

/** Allows the pod to leave, which its finalizer holds. */
export async function release(cluster: TestCluster, name: string): Promise<void> {
  const body = { metadata: { finalizers: null } };
  await send(cluster, 'PATCH', `${PODS}/${name}`, body, MERGE);
}

/** Whether the pod is there and not being deleted. */
export async function isRunning(cluster: TestCluster, name: string): Promise<boolean> {
  const { status, body } = await send(cluster, 'GET', `${PODS}/${name}`);
  return status === 200 && !('deletionTimestamp' in (body.metadata ?? {}));
}

/** Forbids evictions of pods with the labels. */
export async function createBudget(
  cluster: TestCluster,
  name: string,
  matchLabels: Record<string, string>,
): Promise<void> {
  const spec = { minAvailable: 1, selector: { matchLabels } };
  await created(send(cluster, 'POST', BUDGETS, { metadata: { name }, spec }));
}

export async function removeBudget(cluster: TestCluster, name: string): Promise<void> {
  await send(cluster, 'DELETE', `${BUDGETS}/${name}`);
}

function created(response: Promise<{ status: number; body: object }>): Promise<void> {
  return succeeded(response, 201);
}

async function succeeded(response: Promise<{ status: number; body: object }>, expected = 200): Promise<void> {
  const { status, body } = await response;
  if (status !== expected) throw new Error(`The cluster answered ${status}: ${JSON.stringify(body)}`);
}
