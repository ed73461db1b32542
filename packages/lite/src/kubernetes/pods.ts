import { list, text } from './object-values.ts';
import type { PodObject } from './objects.ts';
import { type PodProblem, podProblemOf } from './pod-problem.ts';

export interface PodReference {
  namespace: string;
  name: string;
  uid: string;
  /** Whether the pod is being deleted already. */
  isTerminating: boolean;
}

/** A pod of a workload. */
export interface PodFacts {
  /** The value of the label that names its workload. */
  app: string;
  /** Empty before a node has been chosen. */
  node: string;
  problem: PodProblem | null;
}

/** The label that names the workload of a pod. */
export const APP_LABEL = 'app';

/** Null for a pod that is being deleted. The object may be hostile, so every type is checked. */
export function podFactsOf({ metadata, spec, status }: PodObject): PodFacts | null {
  if (metadata?.deletionTimestamp !== undefined) return null;
  const app = text(metadata?.labels?.[APP_LABEL]);
  const problem = podProblemOf(status, metadata?.creationTimestamp);
  return { app, node: text(spec?.nodeName), problem };
}

/** Set on the mirror pods of a kubelet's static pods. */
const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';
const ENDED_PHASES = ['Succeeded', 'Failed'];

/**
 * The pods that must leave a node before its removal. A DaemonSet would create its pods again at once, mirror
 * pods cannot be deleted through the API, and ended pods no longer run.
 */
export function podsToEvict(pods: readonly PodObject[] | undefined): PodReference[] {
  return list(pods).flatMap(({ metadata, status }) => {
    const { namespace, name, uid } = metadata ?? {};
    if (!(namespace && name && uid)) return [];
    const isOfDaemonSet = list(metadata?.ownerReferences).some(
      (owner) => owner.controller === true && owner.kind === 'DaemonSet',
    );
    const isMirror = Object.hasOwn(metadata?.annotations ?? {}, MIRROR_ANNOTATION);
    if (isOfDaemonSet || isMirror || ENDED_PHASES.includes(status?.phase ?? '')) return [];
    return [{ namespace, name, uid, isTerminating: metadata?.deletionTimestamp !== undefined }];
  });
}
