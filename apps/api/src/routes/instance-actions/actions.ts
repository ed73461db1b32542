import { instanceActions } from '@gateway/resources';
import type { InstanceAction } from './act.ts';
import { sendUnshelve } from './unshelve.ts';

export const start: InstanceAction = {
  ...instanceActions.start,
  send: ({ openstack }, { id }) => openstack.compute.servers.start(id),
};

export const stop: InstanceAction = {
  ...instanceActions.stop,
  send: ({ openstack }, { id }) => openstack.compute.servers.stop(id),
};

export const reboot: InstanceAction = {
  ...instanceActions.reboot,
  send: ({ openstack }, { id }) => openstack.compute.servers.reboot(id, 'SOFT'),
};

export const hardReboot: InstanceAction = {
  ...instanceActions.hard_reboot,
  send: ({ openstack }, { id }) => openstack.compute.servers.reboot(id, 'HARD'),
};

export const shelve: InstanceAction = {
  ...instanceActions.shelve,
  send: ({ openstack }, { id }) => openstack.compute.servers.shelve(id),
};

export const unshelve: InstanceAction = {
  ...instanceActions.unshelve,
  send: sendUnshelve,
};
