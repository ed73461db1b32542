import { isObject, type Json, objectAt } from '../../common/json.ts';
import { BUDGETS, objectKey, objectsOf, PODS, removeObject } from './objects.ts';
import { failure, type KubernetesReply, notFound, type Target } from './request.ts';
import type { KubernetesCluster, KubernetesObject } from './state.ts';

const VIOLATION = "Cannot evict pod as it would violate the pod's disruption budget.";

/** Deletes a pod unless a disruption budget forbids it. */
export function evict(cluster: KubernetesCluster, target: Target, body: Json | undefined): KubernetesReply {
  const { namespace, name = '' } = target;
  const pod = cluster.objects.get(objectKey(PODS, namespace, name));
  if (pod === undefined) return notFound(target);
  const uid = objectAt(objectAt(body, 'deleteOptions'), 'preconditions').uid;
  if (typeof uid === 'string' && uid !== pod.metadata.uid)
    return failure(409, 'Conflict', `Precondition failed: UID in precondition: ${uid}`);
  const budget = objectsOf(cluster, BUDGETS, namespace).find((one) => protects(one, pod));
  if (budget !== undefined) {
    const causes = [{ reason: 'DisruptionBudget', message: `The disruption budget ${budget.metadata.name}` }];
    return failure(429, 'TooManyRequests', VIOLATION, { causes });
  }
  removeObject(cluster, PODS, pod);
  return {
    status: 201,
    body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
  };
}

/** A budget without a status allows no disruption, because nothing has counted its pods yet. */
function protects({ spec, status }: KubernetesObject, { metadata }: KubernetesObject): boolean {
  const allowed = Number(status?.disruptionsAllowed ?? 0);
  const labels = objectAt(objectAt(spec as Json, 'selector'), 'matchLabels');
  const matches = Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value);
  return allowed <= 0 && isObject(labels) && matches;
}
