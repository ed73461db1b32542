import { cellDown, isCellDown, type ServerRecord } from '@gateway/openstack';
import { isInstanceInTransition } from '../transitions/states-in-transition.ts';
import type { ActionRule, Against } from './rule.ts';

/** The fields of a server by which actions are allowed. */
export type ServerState = Pick<
  ServerRecord,
  | 'addresses'
  | 'image'
  | 'locked'
  | 'metadata'
  | 'os-extended-volumes:volumes_attached'
  | 'OS-EXT-STS:task_state'
  | 'OS-EXT-STS:vm_state'
  | 'status'
>;

interface InstanceConditions
  extends Pick<ActionRule<ServerState>, 'endpoint' | 'isNeedless' | 'refusal' | 'with'> {
  isReading?: boolean;
  /** States of the virtual machine that allow the action, in the service's words; all by default. */
  vmStates?: readonly string[];
  /** The tasks during which the service refuses the action; all by default. */
  blockingTasks?: readonly string[];
  /** The only tasks during which the service allows the action; none by default. */
  allowedTasks?: readonly string[];
  /** Whether a locked instance allows the action to others than administrators. */
  ignoresLock?: boolean;
  /** A further reason against the action; null for none. */
  unless?(server: ServerState): Against | null;
}

const CELL_DOWN = ': a part of the compute service, which has it, does not respond at the moment';

/** A rule by the state of the virtual machine, its task and its lock. */
export function instanceRule(conditions: InstanceConditions): ActionRule<ServerState> {
  const { endpoint, ignoresLock = false, isNeedless, isReading, refusal, unless } = conditions;
  return {
    endpoint,
    with: conditions.with,
    refusal,
    isReading,
    isNeedless,
    isInTransition: ({ status, 'OS-EXT-STS:task_state': task_state = null }) =>
      isInstanceInTransition({ status, task_state }),
    makeError: (detail, server) => (isCellDown(server) ? cellDown(detail) : null),
    reasonAgainst(server, { isAdministrator }) {
      if (isCellDown(server)) return CELL_DOWN;
      if (!allowsState(server, conditions)) return `: ${describeState(server)}`;
      if (server.locked && !ignoresLock && !isAdministrator) return ['locked', ': it is locked'];
      return unless?.(server) ?? null;
    },
  };
}

function allowsState(
  server: ServerState,
  { allowedTasks = [], blockingTasks, vmStates }: InstanceConditions,
): boolean {
  const task = server['OS-EXT-STS:task_state'];
  const isBusy = task !== null && !allowedTasks.includes(task) && (blockingTasks?.includes(task) ?? true);
  return !isBusy && (vmStates?.includes(server['OS-EXT-STS:vm_state']) ?? true);
}

/** "its status is SHUTOFF and its task state is powering-on" */
export function describeState(server: ServerState): string {
  const task = server['OS-EXT-STS:task_state'];
  const status = `its status is ${server.status}`;
  return task === null ? status : `${status} and its task state is ${task}`;
}
