import { count, object, objects, text, time } from './object-values.ts';
import type { ContainerStatusObject, PodStatusObject, TerminatedObject } from './objects.ts';

/** Why a pod does not do its work. */
export interface PodProblem {
  /**
   * - `image`: the image of a container cannot be pulled.
   * - `crash`: a program has ended with an error, and waits to be started again.
   * - `creation`: a container cannot be created.
   * - `unscheduled`: no node takes the pod.
   * - `restart`: a program has ended with an error more than once, and runs again.
   * - `starting`: containers are being created.
   */
  kind: (typeof KINDS)[number];
  /** The image or the name of the container; empty for a problem of the whole pod. */
  subject: string;
  /** In the words of Kubernetes or of the program, which may have several lines; may be empty. */
  message: string;
  /** Of a program that has ended with an error. */
  exitCode: number | null;
  /** When the program ended or the pod was created, in milliseconds since the epoch; null if not known. */
  at: number | null;
}

/** The most informative first. */
const KINDS = ['image', 'crash', 'creation', 'unscheduled', 'restart', 'starting'] as const;

/** The kubelet keeps at most 4 KiB of a program's last message. */
const MAX_MESSAGE = 4_096;
const IMAGE_REASONS = [
  'ErrImagePull',
  'ImagePullBackOff',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
];
const STARTING_REASONS = ['', 'ContainerCreating', 'PodInitializing'];
/** A program that depends on another one often ends once while that one starts. */
const MIN_RESTARTS = 2;

/** Sorts problems by how informative they are. */
export function compareProblems(a: PodProblem, b: PodProblem): number {
  return KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind);
}

/**
 * The most informative problem of a pod; null for a pod that does its work or has ended. The status may be
 * hostile, so every type is checked.
 *
 * @param createdAt when the pod was created, as in its object
 */
export function podProblemOf(status: PodStatusObject | undefined, createdAt?: unknown): PodProblem | null {
  if (['Succeeded', 'Failed'].includes(text(status?.phase))) return null;
  const containers = [...objects(status?.initContainerStatuses), ...objects(status?.containerStatuses)];
  const at = time(createdAt ?? status?.startTime);
  const problems = containers.flatMap((container) => problemOfContainer(container, at) ?? []);
  if (containers.length === 0) problems.push(problemWithoutContainers(status, at));
  return problems.sort(compareProblems)[0] ?? null;
}

function problemWithoutContainers(status: PodStatusObject | undefined, at: number | null): PodProblem {
  const refusal = objects(status?.conditions).find(
    ({ type, status: value }) => type === 'PodScheduled' && value === 'False',
  );
  const kind = refusal === undefined ? 'starting' : 'unscheduled';
  return { kind, subject: '', message: text(refusal?.message, MAX_MESSAGE), exitCode: null, at };
}

function problemOfContainer(container: ContainerStatusObject, at: number | null): PodProblem | null {
  const subject = text(container.name);
  const terminated = object(container.state?.terminated);
  const lastTerminated = object(container.lastState?.terminated);
  const waiting = object(container.state?.waiting);
  if (terminated !== undefined) return crashOf('crash', subject, terminated);
  if (waiting === undefined) {
    const isRepeated = count(container.restartCount) >= MIN_RESTARTS;
    return isRepeated ? crashOf('restart', subject, lastTerminated) : null;
  }
  const reason = text(waiting.reason);
  const message = text(waiting.message, MAX_MESSAGE);
  if (IMAGE_REASONS.includes(reason)) {
    return { kind: 'image', subject: text(container.image, 500), message, exitCode: null, at };
  }
  if (STARTING_REASONS.includes(reason)) return { kind: 'starting', subject, message, exitCode: null, at };
  const crash = reason === 'CrashLoopBackOff' ? crashOf('crash', subject, lastTerminated) : null;
  return crash ?? { kind: 'creation', subject, message: message || reason, exitCode: null, at };
}

/** Null for a program that has ended without an error. */
function crashOf(
  kind: 'crash' | 'restart',
  subject: string,
  terminated: TerminatedObject | undefined,
): PodProblem | null {
  const exitCode = count(terminated?.exitCode);
  if (exitCode === 0) return null;
  const reason = text(terminated?.reason);
  const message = text(terminated?.message, MAX_MESSAGE) || (reason === 'Error' ? '' : reason);
  return { kind, subject, message, exitCode, at: time(terminated?.finishedAt) };
}
