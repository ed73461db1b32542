import { CLUSTER_METADATA_KEY } from '@gateway/core';
import { parseOverlayMetadata } from '@gateway/libraries';
import type { ServerAddress } from '@gateway/openstack';
import { instanceRule, type ServerState } from './instance-rule.ts';
import type { Against } from './rule.ts';

/** The states of a virtual machine in which its volumes can be attached and detached. */
const VOLUME_STATES = ['active', 'paused', 'stopped', 'resized', 'shelved', 'shelved_offloaded'];

const INTERFACE_STATES = ['active', 'paused', 'stopped'];

/** The first-boot data of these instances can be applied only once. */
function onceBooted({ metadata }: ServerState): Against | null {
  if (parseOverlayMetadata(metadata ?? {}).libraries.length > 0) {
    return ['protected', ': its libraries are set up at its first boot only. Create another instance'];
  }
  const isNode = metadata?.[CLUSTER_METADATA_KEY] !== undefined;
  return isNode
    ? ['protected', ': it is a node of a lite cluster, which joins at its first boot only']
    : null;
}

/** Jobs find a server that they have just created, and the nodes of a cluster, by name and mark. */
function searchedByName({ metadata, ...server }: ServerState): Against | null {
  if (server['OS-EXT-STS:vm_state'] === 'building') return ' while it is being created';
  const isNode = metadata?.[CLUSTER_METADATA_KEY] !== undefined;
  return isNode ? ['protected', ': it is a node of a lite cluster, which finds it by its name'] : null;
}

/** Its boot volume, and the writable layer of its libraries, cannot be detached. */
function hasNothingToDetach(server: ServerState): boolean {
  const { upperVolumeId } = parseOverlayMetadata(server.metadata ?? {});
  const others = server['os-extended-volumes:volumes_attached'].filter(({ id }) => id !== upperVolumeId);
  // A server without an image has been booted from one of its volumes; its record does not say which.
  return others.length <= (server.image === null ? 1 : 0);
}

function addressesOf({ addresses }: ServerState, type: 'fixed' | 'floating'): ServerAddress[] {
  return Object.values(addresses)
    .flat()
    .filter((address) => address['OS-EXT-IPS:type'] === type);
}

/** A port can have one floating IP, which shows the MAC address of the port. */
function hasNoPortForFloatingIp(server: ServerState): boolean {
  const macOf = (address: ServerAddress) => address['OS-EXT-IPS-MAC:mac_addr'];
  const taken = new Set(addressesOf(server, 'floating').map(macOf));
  const fixed = addressesOf(server, 'fixed').filter(({ version }) => version === 4);
  return fixed.every((address) => macOf(address) !== '' && taken.has(macOf(address)));
}

/** The actions on an instance, in the order in which rows name them. */
export const instanceActions = {
  start: instanceRule({
    endpoint: 'POST /api/instances/{instance_id}/start',
    refusal: 'The instance cannot be started',
    vmStates: ['stopped'],
  }),
  stop: instanceRule({
    endpoint: 'POST /api/instances/{instance_id}/stop',
    refusal: 'The instance cannot be stopped',
    vmStates: ['active', 'error'],
  }),
  reboot: instanceRule({
    endpoint: 'POST /api/instances/{instance_id}/reboot',
    with: { type: 'soft' },
    refusal: 'The instance cannot be rebooted',
    vmStates: ['active'],
  }),
  /** Also ends a soft reboot that the guest system does not complete. */
  hard_reboot: instanceRule({
    endpoint: 'POST /api/instances/{instance_id}/reboot',
    with: { type: 'hard' },
    refusal: 'The instance cannot be rebooted',
    vmStates: ['active', 'stopped', 'paused', 'suspended', 'error'],
    allowedTasks: [
      'rebooting',
      'reboot_pending',
      'reboot_started',
      'rebooting_hard',
      'resuming',
      'pausing',
      'unpausing',
      'suspending',
    ],
  }),
  shelve: instanceRule({
    endpoint: 'POST /api/instances/{instance_id}/shelve',
    refusal: 'The instance cannot be shelved',
    vmStates: ['active', 'stopped', 'paused', 'suspended'],
  }),
  unshelve: instanceRule({
    endpoint: 'POST /api/instances/{instance_id}/unshelve',
    refusal: 'The instance cannot be unshelved',
    vmStates: ['shelved', 'shelved_offloaded'],
  }),
  resize: instanceRule({
    endpoint: 'POST /api/instances/{instance_id}/resize',
    refusal: 'The instance cannot be resized',
    vmStates: ['active', 'stopped'],
  }),
  confirm_resize: instanceRule({
    endpoint: 'POST /api/instances/{instance_id}/confirm-resize',
    refusal: 'The new flavor cannot be confirmed',
    vmStates: ['resized'],
  }),
  revert_resize: instanceRule({
    endpoint: 'POST /api/instances/{instance_id}/revert-resize',
    refusal: 'The old flavor cannot be restored',
    vmStates: ['resized'],
  }),
  rebuild: instanceRule({
    endpoint: 'POST /api/instances/{instance_id}/rebuild',
    refusal: 'The instance cannot be rebuilt',
    vmStates: ['active', 'stopped', 'error'],
    unless: onceBooted,
  }),
  rescue: instanceRule({
    endpoint: 'POST /api/instances/{instance_id}/rescue',
    refusal: 'The instance cannot be rescued',
    vmStates: ['active', 'stopped', 'error'],
  }),
  unrescue: instanceRule({
    endpoint: 'POST /api/instances/{instance_id}/unrescue',
    refusal: 'The rescue of the instance cannot be ended',
    vmStates: ['rescued'],
  }),
  /** The states that the compute service requires to make an image itself. It ignores the lock, too. */
  create_image: instanceRule({
    endpoint: 'POST /api/instances/{instance_id}/images/async',
    refusal: 'No image of the instance can be made',
    vmStates: ['active', 'stopped', 'paused', 'suspended'],
    ignoresLock: true,
  }),
  update: instanceRule({
    endpoint: 'PUT /api/instances/{instance_id}',
    refusal: 'The instance cannot be renamed',
    blockingTasks: [],
    ignoresLock: true,
    unless: searchedByName,
  }),
  lock: instanceRule({
    endpoint: 'POST /api/instances/{instance_id}/lock',
    refusal: 'The instance cannot be locked',
    blockingTasks: [],
    ignoresLock: true,
    isNeedless: ({ locked }) => locked,
  }),
  unlock: instanceRule({
    endpoint: 'POST /api/instances/{instance_id}/unlock',
    refusal: 'The instance cannot be unlocked',
    blockingTasks: [],
    ignoresLock: true,
    isNeedless: ({ locked }) => !locked,
  }),
  open_console: instanceRule({
    endpoint: 'GET /api/instances/{instance_id}/console',
    refusal: 'The instance has no console',
    isReading: true,
    // The service also returns the console of a machine that is shut down, which does not respond.
    vmStates: ['active', 'paused', 'rescued', 'resized', 'error'],
    blockingTasks: ['deleting', 'migrating', 'powering-off', 'shelving', 'shelving_offloading'],
    ignoresLock: true,
  }),
  attach_volume: instanceRule({
    endpoint: 'POST /api/instances/{instance_id}/volumes',
    refusal: 'The volume cannot be attached to the instance',
    vmStates: VOLUME_STATES,
  }),
  detach_volume: instanceRule({
    endpoint: 'DELETE /api/instances/{instance_id}/volumes/{volume_id}',
    refusal: 'The volume cannot be detached from the instance',
    vmStates: VOLUME_STATES,
    isNeedless: hasNothingToDetach,
  }),
  add_interface: instanceRule({
    endpoint: 'POST /api/instances/{instance_id}/interfaces',
    refusal: 'The instance cannot be connected to the network',
    vmStates: INTERFACE_STATES,
  }),
  remove_interface: instanceRule({
    endpoint: 'DELETE /api/instances/{instance_id}/interfaces/{port_id}',
    refusal: 'The interface cannot be removed',
    vmStates: INTERFACE_STATES,
  }),
  add_floating_ip: instanceRule({
    endpoint: 'POST /api/instances/{instance_id}/floating-ip',
    refusal: 'The instance cannot get a floating IP',
    blockingTasks: ['deleting', 'soft-deleting'],
    ignoresLock: true,
    isNeedless: hasNoPortForFloatingIp,
  }),
  remove_floating_ips: instanceRule({
    endpoint: 'DELETE /api/instances/{instance_id}/floating-ip',
    refusal: 'The floating IPs of the instance cannot be released',
    blockingTasks: [],
    ignoresLock: true,
    isNeedless: (server) => addressesOf(server, 'floating').length === 0,
  }),
  /** Also while it is being created or deleted. */
  delete: instanceRule({
    endpoint: 'DELETE /api/instances/{instance_id}',
    refusal: 'The instance cannot be deleted',
    blockingTasks: [],
  }),
};

export type InstanceAction = keyof typeof instanceActions;
