import { request } from 'node:https';
import type { TestCluster } from './test-cluster.ts';

/** Sends one request with the rights of the administrator; returns status and parsed body. */
export function send(
  { server, admin }: TestCluster,
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
}

/** Allows the pod to leave, which its finalizer holds. */
export async function release(cluster: TestCluster, name: string): Promise<void> {
  const body = { metadata: { finalizers: null } };
  await send(cluster, 'PATCH', `${PODS}/${name}`, body, 'application/merge-patch+json');
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

async function created(response: Promise<{ status: number; body: object }>): Promise<void> {
  const { status, body } = await response;
  if (status !== 201) throw new Error(`The cluster answered ${status}: ${JSON.stringify(body)}`);
}
