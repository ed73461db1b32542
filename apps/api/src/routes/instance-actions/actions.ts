import type { ServerRecord } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';
import type { StateRule } from '../../resources/instance-state.ts';
import { sendUnshelve } from './unshelve.ts';

/** An action of the compute service on an instance, and the states that allow it. */
export interface InstanceAction extends StateRule {
  send(request: RequestContext, server: ServerRecord): Promise<void>;
}

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
