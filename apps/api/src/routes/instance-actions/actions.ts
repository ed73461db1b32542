import type { Servers } from '@gateway/openstack';
import type { StateRule } from '../../resources/instance-state.ts';

/** An action of the compute service on an instance, and the states that allow it. */
export interface InstanceAction extends StateRule {
  send(servers: Servers, id: string): Promise<void>;
}

export const start: InstanceAction = {
  refusal: 'The instance can not be started',
  vmStates: ['stopped'],
  send: (servers, id) => servers.start(id),
};

export const stop: InstanceAction = {
  refusal: 'The instance can not be stopped',
  vmStates: ['active', 'error'],
  send: (servers, id) => servers.stop(id),
};

export const reboot: InstanceAction = {
  refusal: 'The instance can not be rebooted',
  vmStates: ['active'],
  send: (servers, id) => servers.reboot(id, 'SOFT'),
};

export const shelve: InstanceAction = {
  refusal: 'The instance can not be shelved',
  vmStates: ['active', 'stopped', 'paused', 'suspended'],
  send: (servers, id) => servers.shelve(id),
};

export const unshelve: InstanceAction = {
  refusal: 'The instance can not be unshelved',
  vmStates: ['shelved', 'shelved_offloaded'],
  send: (servers, id) => servers.unshelve(id),
};
