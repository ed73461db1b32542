import { isObject, type JsonObject, numberAt, textAt } from '../common/json.ts';
import { badRequest, conflict } from '../common/service-error.ts';
import { accepted, actionIn, ok, type Reply } from '../http/operation.ts';
import { deleteServer } from './build.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { consoleOutput } from './console.ts';
import { denied } from './policy.ts';
import { change, run, SHUT_DOWN, shutOff } from './power.ts';
import { hostFor } from './scheduling.ts';
import { findServer } from './servers.ts';
import type { Server } from './state.ts';

/** An action that takes a while: where it may begin, what it says meanwhile, where it ends. */
interface Transition {
  /** As the refusal names it. */
  verb: string;
  from: string[];
  task: string;
  delayMs: number;
  needsHost?: boolean;
  end(cloud: ComputeCloud, server: Server): void;
}

const TRANSITIONS: Record<string, Transition> = {
  'os-start': {
    verb: 'start',
    from: ['stopped'],
    task: 'powering-on',
    delayMs: 300,
    needsHost: true,
    end: run,
  },
  'os-stop': {
    verb: 'stop',
    from: ['active', 'error'],
    task: 'powering-off',
    delayMs: 300,
    needsHost: true,
    end: shutOff,
  },
  reboot: { verb: 'reboot', from: ['active'], task: 'rebooting', delayMs: 300, needsHost: true, end: run },
  shelve: {
    verb: 'shelve',
    from: ['active', 'stopped', 'paused', 'suspended'],
    task: 'shelving',
    delayMs: 500,
    end: offload,
  },
  shelveOffload: {
    verb: 'shelve_offload',
    from: ['shelved', 'active', 'stopped'],
    task: 'shelving_offloading',
    delayMs: 300,
    end: offload,
  },
  unshelve: {
    verb: 'unshelve',
    from: ['shelved', 'shelved_offloaded'],
    task: 'unshelving',
    delayMs: 600,
    end: (cloud, server) => {
      change(cloud, server, { host: hostFor(cloud.compute, server)?.name ?? null });
      run(cloud, server);
    },
  },
};

function offload(cloud: ComputeCloud, server: Server): void {
  change(cloud, server, {
    status: 'SHELVED_OFFLOADED',
    vmState: 'shelved_offloaded',
    taskState: null,
    powerState: SHUT_DOWN,
    host: null,
  });
}

export function actOnServer(call: ComputeCall): Reply {
  const [action, argument] = actionIn(call.body);
  const { cloud } = call;
  const server = findServer(call);
  const given = isObject(argument) ? argument : {};
  const transition = TRANSITIONS[action];
  if (action === 'shelveOffload' && !call.caller.isAdmin) throw denied('os-shelve:shelve_offload');
  if (transition !== undefined)
    return begin(cloud, server, transition, action === 'reboot' ? given : undefined);
  if (action === 'forceDelete') {
    deleteServer(cloud, server);
    return accepted();
  }
  if (action === 'os-getConsoleOutput') {
    requireHost(server);
    return ok({ output: consoleOutput(cloud, server, numberAt(given, 'length')) });
  }
  if (action === 'os-resetState') return resetState(call, server, given);
  throw badRequest(`There is no such action: ${action}`);
}

function begin(
  cloud: ComputeCloud,
  server: Server,
  transition: Transition,
  reboot: JsonObject | undefined,
): Reply {
  const { verb, task } = transition;
  let from = transition.from;
  if (reboot !== undefined) {
    const type = textAt(reboot, 'type')?.toUpperCase();
    if (type !== 'SOFT' && type !== 'HARD')
      throw badRequest("Invalid input for field/attribute reboot. 'type' is a required property");
    if (type === 'HARD') from = ['active', 'stopped', 'paused', 'suspended', 'error'];
  }
  if (transition.needsHost) requireHost(server);
  requireState(server, verb, from);
  cloud.guests.halt(server);
  change(cloud, server, { taskState: task });
  cloud.clock.after(transition.delayMs, () => {
    if (server.taskState === task) transition.end(cloud, server);
  });
  return accepted();
}

export function requireHost(server: Server): void {
  if (server.host === null || server.vmState === 'building')
    throw conflict(`Instance ${server.id} is not ready`);
}

/** Refuses what the server's state does not allow, and anything while something else is under way. */
export function requireState(server: Server, verb: string, allowed: string[]): void {
  const refused = (attribute: string, value: string | null) =>
    conflict(`Cannot '${verb}' instance ${server.id} while it is in ${attribute} ${value}`);
  if (!allowed.includes(server.vmState)) throw refused('vm_state', server.vmState);
  if (server.taskState !== null) throw refused('task_state', server.taskState);
}

function resetState(call: ComputeCall, server: Server, given: JsonObject): Reply {
  if (!call.caller.isAdmin) throw denied('os-admin-actions:reset_state');
  const state = textAt(given, 'state');
  if (state !== 'active' && state !== 'error')
    throw badRequest("Invalid input for field/attribute state. 'active' or 'error' is expected");
  change(call.cloud, server, { vmState: state, status: state.toUpperCase(), taskState: null });
  return accepted();
}
