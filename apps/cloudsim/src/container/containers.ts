import { newUuid } from '../common/ids.ts';
import { type JsonObject, numberAt, stringAt } from '../common/json.ts';
import { badRequest, conflict, forbidden, notFound, ServiceError } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import { owns } from '../http/policy.ts';
import { createPort, removePort } from '../network/ports.ts';
import type { ContainerCloud } from './cloud.ts';
import type { Container } from './state.ts';

const CREATE_MS = 300;
const ACTION_MS = 150;
const DELETE_MS = 200;

/** The states in which each action is allowed, as in the service. */
const ALLOWED_STATES: Record<string, readonly string[]> = {
  start: ['Created', 'Stopped', 'Error'],
  stop: ['Running'],
  reboot: ['Created', 'Running', 'Stopped', 'Error'],
  logs: ['Created', 'Error', 'Paused', 'Running', 'Stopped', 'Unknown'],
  delete: ['Created', 'Error', 'Stopped', 'Deleted'],
  delete_force: [
    'Created',
    'Creating',
    'Error',
    'Running',
    'Stopped',
    'Unknown',
    'Deleted',
    'Restarting',
    'Rebuilding',
    'Deleting',
  ],
  delete_after_stop: ['Running', 'Created', 'Error', 'Stopped', 'Deleted'],
};

const TOKENS =
  /(?<blank>\s+)|'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\[\s\S])*)"|\\(?<escaped>[\s\S])|(?<plain>[^\s'"\\]+)|(?<open>[\s\S])/g;

export function findContainer({ container }: ContainerCloud, caller: Caller, idOrName: string): Container {
  const visible = [...container.containers.values()].filter(({ projectId }) => owns(caller, projectId));
  const found = visible.filter(({ id }) => id === idOrName);
  const [first, another] = found.length > 0 ? found : visible.filter(({ name }) => name === idOrName);
  if (first === undefined) throw notFound(`Container ${idOrName} could not be found.`);
  if (another !== undefined)
    throw conflict('Multiple containers exist with same name. Please use the container uuid instead.');
  return first;
}

export function createContainer(cloud: ContainerCloud, caller: Caller, input: JsonObject): Container {
  const image = stringAt(input, 'image') ?? '';
  const name = stringAt(input, 'name') ?? `zeta-${newUuid().slice(0, 4)}-container`;
  if (image.length < 2) throw invalid('image', image, 'is too short');
  if (!/^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/.test(name))
    throw invalid('name', name, "does not match '^[a-zA-Z0-9][a-zA-Z0-9_.-]+$'");
  const container: Container = {
    id: newUuid(),
    name,
    projectId: caller.projectId,
    userId: caller.userId,
    image,
    command: wordsIn(stringAt(input, 'command')),
    cpu: numberAt(input, 'cpu') ?? null,
    memoryMb: numberAt(input, 'memory') ?? null,
    status: 'Creating',
    statusReason: null,
    portId: null,
    host: null,
  };
  cloud.container.containers.set(container.id, container);
  cloud.schedule.after(CREATE_MS, finishContainer, container.id, caller);
  return container;
}

/** Splits a command as the service does, which fails on an open quote. */
function wordsIn(command: string | undefined): string[] | null {
  if (command === undefined) return null;
  const words: string[] = [];
  let word: string | null = null;
  for (const { groups = {} } of command.matchAll(TOKENS)) {
    const { blank, single, double, escaped, plain, open } = groups;
    if (open !== undefined) throw new ServiceError(500, 'No closing quotation');
    if (blank === undefined) {
      word = `${word ?? ''}${single ?? double?.replace(/\\(["\\])/g, '$1') ?? escaped ?? plain}`;
    } else if (word !== null) {
      words.push(word);
      word = null;
    }
  }
  return word === null ? words : [...words, word];
}

function invalid(key: string, value: string, reason: string): Error {
  return badRequest(`Invalid input for field/attribute ${key}. Value: '${value}'. '${value}' ${reason}`);
}

/**
 * Task of the schedule: gives the container a port on a network of its project. Fails for
 * images named `missing…`.
 */
export function finishContainer(cloud: ContainerCloud, id: string, caller: Caller): void {
  const container = cloud.container.containers.get(id);
  if (container?.status !== 'Creating') return;
  if (container.image.startsWith('missing')) {
    container.status = 'Error';
    container.statusReason = `Image ${container.image} could not be found.`;
    return;
  }
  const network = [...cloud.network.networks.values()].find(
    ({ project_id, subnets }) => project_id === container.projectId && subnets.length > 0,
  );
  if (network !== undefined) {
    const owner = { network_id: network.id, device_id: id, device_owner: 'compute:kuryr' };
    container.portId = createPort(cloud, { ...caller, projectId: container.projectId }, owner).id;
  }
  container.status = 'Created';
  container.host = 'compute-1';
}

export function startAction(
  cloud: ContainerCloud,
  caller: Caller,
  id: string,
  action: 'start' | 'stop' | 'reboot',
): void {
  const container = findContainer(cloud, caller, id);
  requireState(container, action);
  cloud.schedule.after(
    ACTION_MS,
    finishContainerAction,
    container.id,
    action === 'stop' ? 'Stopped' : 'Running',
  );
}

/** Task of the schedule. */
export function finishContainerAction(cloud: ContainerCloud, id: string, status: string): void {
  const container = cloud.container.containers.get(id);
  if (container !== undefined && container.status !== 'Deleting') container.status = status;
}

/** What a container has written: a hundred lines. `tail` is `all`, or how many of the last ones. */
export function logOf(cloud: ContainerCloud, caller: Caller, id: string, tail: string): string {
  const container = findContainer(cloud, caller, id);
  requireState(container, 'logs');
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index + 1} of ${container.name}`);
  return `${(tail === 'all' ? lines : lines.slice(-Number(tail))).join('\n')}\n`;
}

export function deleteContainer(
  cloud: ContainerCloud,
  caller: Caller,
  id: string,
  { force, stop }: { force: boolean; stop: boolean },
): void {
  const container = findContainer(cloud, caller, id);
  if (force && !stop && !caller.isAdmin)
    throw forbidden('Policy does not allow container:delete_force to be performed.');
  const ordinary = stop ? 'delete_after_stop' : 'delete';
  requireState(container, force && !stop ? 'delete_force' : ordinary);
  container.status = 'Deleting';
  cloud.schedule.after(DELETE_MS, finishContainerRemoval, container.id);
}

/** Task of the schedule. */
export function finishContainerRemoval(cloud: ContainerCloud, id: string): void {
  const port = cloud.network.ports.get(cloud.container.containers.get(id)?.portId ?? '');
  if (port !== undefined) removePort(cloud, port);
  cloud.container.containers.delete(id);
}

function requireState({ id, status }: Container, action: string): void {
  if (!ALLOWED_STATES[action]?.includes(status))
    throw conflict(`Cannot ${action} container ${id} in ${status} state`);
}

/** Only administrators learn the host, and how the image is pulled. */
export function presentContainer(
  { network }: ContainerCloud,
  { isAdmin }: Caller,
  container: Container,
): object {
  const port = network.ports.get(container.portId ?? '');
  const addresses = port?.fixed_ips.map(({ subnet_id, ip_address }) => ({
    subnet_id,
    addr: ip_address,
    port: port.id,
    version: ip_address.includes(':') ? 6 : 4,
    preserve_on_delete: false,
  }));
  return {
    uuid: container.id,
    name: container.name,
    project_id: container.projectId,
    user_id: container.userId,
    image: container.image,
    image_driver: 'docker',
    command: container.command,
    cpu: container.cpu,
    memory: container.memoryMb === null ? null : `${container.memoryMb}M`,
    status: container.status,
    status_reason: container.statusReason,
    status_detail: null,
    task_state: null,
    addresses: port === undefined ? {} : { [port.network_id]: addresses },
    ...(isAdmin && { host: container.host, image_pull_policy: null }),
    environment: {},
    labels: {},
    ports: [],
    security_groups: [],
    interactive: false,
    auto_remove: false,
    auto_heal: false,
    restart_policy: {},
    disk: 0,
  };
}
