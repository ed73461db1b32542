import type { InstanceAction } from './act.ts';
import { sendUnshelve } from './unshelve.ts';

export const start: InstanceAction = {
  refusal: 'The instance cannot be started',
  vmStates: ['stopped'],
  send: ({ openstack }, { id }) => openstack.compute.servers.start(id),
};

export const stop: InstanceAction = {
  refusal: 'The instance cannot be stopped',
  vmStates: ['active', 'error'],
  send: ({ openstack }, { id }) => openstack.compute.servers.stop(id),
};

export const reboot: InstanceAction = {
  refusal: 'The instance cannot be rebooted',
  vmStates: ['active'],
  send: ({ openstack }, { id }) => openstack.compute.servers.reboot(id, 'SOFT'),
};

/** Also ends a soft reboot that the guest system does not complete. */
export const hardReboot: InstanceAction = {
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
  send: ({ openstack }, { id }) => openstack.compute.servers.reboot(id, 'HARD'),
};

export const shelve: InstanceAction = {
  refusal: 'The instance cannot be shelved',
  vmStates: ['active', 'stopped', 'paused', 'suspended'],
  send: ({ openstack }, { id }) => openstack.compute.servers.shelve(id),
};

export const unshelve: InstanceAction = {
  refusal: 'The instance cannot be unshelved',
  vmStates: ['shelved', 'shelved_offloaded'],
  send: sendUnshelve,
};
