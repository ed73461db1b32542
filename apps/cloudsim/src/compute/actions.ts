import { isObject, type JsonObject, numberAt, stringAt } from '../common/json.ts';
import { badRequest, conflict } from '../common/service-error.ts';
import { accepted, actionIn, ok, type Reply } from '../http/operation.ts';
import { denied, requireAdmin } from '../http/policy.ts';
import { deleteServer } from './build.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { consoleOutput } from './console.ts';
import { createServerImage } from './create-image.ts';
import { lockServer, requireUnlocked, unlockServer } from './lock.ts';
import { evacuateServer, migrateLive, migrateServer } from './migrations.ts';
import { markActive, markShutOff, SHUT_DOWN, updateServer } from './power.ts';
import { rebuildServer, rescueServer, unrescueServer } from './rebuild.ts';
import { confirmResize, resizeServer, revertResize } from './resize.ts';
import { hostFor } from './scheduling.ts';
import { requireServerState } from './server-state.ts';
import { findServer } from './servers.ts';
import type { Server } from './state.ts';

/** An asynchronous action: the states that allow it, the task state while it runs, and the state after it. */
interface Transition {
  /** The action's name in the error message. */
  verb: string;
  allowedStates: string[];
  /** Tasks that do not forbid the action. */
  allowedTasks?: string[];
  taskState: string;
  delayMs: number;
  needsHost?: boolean;
  finish(cloud: ComputeCloud, server: Server): void;
}

const TRANSITIONS: Record<string, Transition> = {
  'os-start': {
    verb: 'start',
    allowedStates: ['stopped'],
    taskState: 'powering-on',
    delayMs: 300,
    needsHost: true,
    finish: markActive,
  },
  'os-stop': {
    verb: 'stop',
    allowedStates: ['active', 'error'],
    taskState: 'powering-off',
    delayMs: 300,
    needsHost: true,
    finish: markShutOff,
  },
  reboot: {
    verb: 'reboot',
    allowedStates: ['active'],
    taskState: 'rebooting',
    delayMs: 300,
    needsHost: true,
    finish: markActive,
  },
  hardReboot: {
    verb: 'reboot',
    allowedStates: ['active', 'stopped', 'paused', 'suspended', 'error'],
    allowedTasks: ['rebooting', 'rebooting_hard'],
    taskState: 'rebooting_hard',
    delayMs: 300,
    needsHost: true,
    finish: markActive,
  },
  shelve: {
    verb: 'shelve',
    allowedStates: ['active', 'stopped', 'paused', 'suspended'],
    taskState: 'shelving',
    delayMs: 500,
    finish: offload,
  },
  shelveOffload: {
    verb: 'shelve_offload',
    allowedStates: ['shelved', 'active', 'stopped'],
    taskState: 'shelving_offloading',
    delayMs: 300,
    finish: offload,
  },
  unshelve: {
    verb: 'unshelve',
    allowedStates: ['shelved', 'shelved_offloaded'],
    taskState: 'unshelving',
    delayMs: 600,
    finish: (cloud, server) => {
      updateServer(cloud, server, { host: hostFor(cloud.compute, server)?.name ?? null });
      markActive(cloud, server);
    },
  },
};

/** Actions with states of their own. */
const OWN_ACTIONS: Record<string, (call: ComputeCall, server: Server, input: JsonObject) => Reply> = {
  createImage: createServerImage,
  'os-migrateLive': migrateLive,
  migrate: migrateServer,
  evacuate: evacuateServer,
  resize: resizeServer,
  confirmResize,
  revertResize,
  rebuild: rebuildServer,
  rescue: rescueServer,
  unrescue: unrescueServer,
};

/** Actions that a lock does not forbid, because they change nothing. */
const READS = new Set(['os-getConsoleOutput', 'createImage']);

function offload(cloud: ComputeCloud, server: Server): void {
  updateServer(cloud, server, {
    status: 'SHELVED_OFFLOADED',
    vmState: 'shelved_offloaded',
    taskState: null,
    powerState: SHUT_DOWN,
    host: null,
  });
}

export function runServerAction(call: ComputeCall): Reply {
  const [action, argument] = actionIn(call.body);
  const { cloud } = call;
  const server = findServer(call);
  const input = isObject(argument) ? argument : {};
  if (action === 'lock') return lockServer(call, server, input);
  if (action === 'unlock') return unlockServer(call, server);
  if (!READS.has(action)) requireUnlocked(call, server);
  const name = action === 'reboot' ? rebootIn(input) : action;
  const transition = TRANSITIONS[name];
  if (action === 'shelveOffload' && !call.caller.isAdmin)
    throw denied('os_compute_api:os-shelve:shelve_offload');
  if (transition !== undefined) return startTransition(cloud, server, name, transition);
  const own = OWN_ACTIONS[action];
  if (own !== undefined) return own(call, server, input);
  if (action === 'forceDelete') {
    deleteServer(cloud, server);
    return accepted();
  }
  if (action === 'os-getConsoleOutput') {
    requireHost(server);
    return ok({ output: consoleOutput(cloud, server, numberAt(input, 'length')) });
  }
  if (action === 'os-resetState') return resetState(call, server, input);
  throw badRequest(`There is no such action: ${action}`);
}

function rebootIn(input: JsonObject): 'reboot' | 'hardReboot' {
  const type = stringAt(input, 'type')?.toUpperCase();
  if (type !== 'SOFT' && type !== 'HARD')
    throw badRequest("Invalid input for field/attribute reboot. 'type' is a required property");
  return type === 'HARD' ? 'hardReboot' : 'reboot';
}

function startTransition(cloud: ComputeCloud, server: Server, action: string, transition: Transition): Reply {
  const { allowedStates, allowedTasks, taskState, verb } = transition;
  if (transition.needsHost) requireHost(server);
  requireServerState(server, verb, allowedStates, allowedTasks);
  cloud.guests.halt(server);
  updateServer(cloud, server, { taskState });
  cloud.schedule.after(transition.delayMs, finishAction, server, action);
  return accepted();
}

export function finishAction(cloud: ComputeCloud, server: Server, action: string): void {
  const transition = TRANSITIONS[action];
  if (server.taskState === transition?.taskState) transition?.finish(cloud, server);
}

function requireHost(server: Server): void {
  if (server.host === null || server.vmState === 'building')
    throw conflict(`Instance ${server.id} is not ready`);
}

function resetState(call: ComputeCall, server: Server, input: JsonObject): Reply {
  requireAdmin(call, 'os_compute_api:os-admin-actions:reset_state');
  const state = stringAt(input, 'state');
  if (state !== 'active' && state !== 'error')
    throw badRequest("Invalid input for field/attribute state. 'active' or 'error' is expected");
  updateServer(call.cloud, server, { vmState: state, status: state.toUpperCase(), taskState: null });
  return accepted();
}
