import { count, objects, text } from './object-values.ts';
import type { PodObject } from './objects.ts';
import { type PodProblem, podProblemOf } from './pod-problem.ts';

/** A pod with one container that runs once. */
export interface PodRun {
  annotations: Record<string, string>;
  phase: 'running' | 'succeeded' | 'failed';
  /** Of a failed container; null if it is not known. */
  exitCode: number | null;
  /** The last lines of a failed container. */
  message: string;
  /** Why the container of a running pod does not run; null if it does. */
  problem: PodProblem | null;
}

/** The kubelet keeps at most 4 KiB of a program's last message. */
const MAX_MESSAGE = 4_096;

/** The object may be hostile, so every type is checked. */
export function podRunOf({ metadata, status }: PodObject): PodRun {
  const phase = { Succeeded: 'succeeded', Failed: 'failed' }[text(status?.phase)] as PodRun['phase'];
  const [terminated] = objects(status?.containerStatuses).flatMap(({ state }) => state?.terminated ?? []);
  const exitCode = terminated === undefined ? -1 : count(terminated.exitCode, -1);
  return {
    annotations: { ...metadata?.annotations },
    phase: phase ?? 'running',
    exitCode: exitCode < 0 ? null : exitCode,
    message: text(terminated?.message, MAX_MESSAGE),
    problem: podProblemOf(status, metadata?.creationTimestamp),
  };
}
