import assert from 'node:assert/strict';
import { JOB_METADATA_KEY } from '@gateway/core';
import { floatingIpRecord, type ProjectClient, portRecord } from '@gateway/openstack';
import { createFloatingIp } from '../../../apps/worker/src/sagas/create-instance/steps/floating-ip.ts';
import { createPort } from '../../../apps/worker/src/sagas/create-lite-cluster/steps/port.ts';
import { removals } from '../../../apps/worker/src/sagas/delete-instance/removals.ts';
import { releaseLateFloatingIps } from '../../../apps/worker/src/sagas/delete-instance/steps/late-floating-ips.ts';
import {
  loadBalancerRemovals,
  resourceRemovals,
} from '../../../apps/worker/src/sagas/delete-lite-cluster/removals.ts';
import { machineRemovals } from '../../../apps/worker/src/sagas/library-machines/remove-machine.ts';
import type { Removal } from '../../../apps/worker/src/sagas/resources/remove-all.ts';
import { asRecord } from '../../support/doubles/as-record.ts';

const config = {
  jobs: {},
  timeLimits: { loadBalancerSeconds: 1, serverSeconds: 1, shareSeconds: 1, undoSeconds: 1, volumeSeconds: 1 },
};
const NONE = { volumeIds: [], accessRules: [], dynamicShareIds: [], serverPortIds: [] };
const CLUSTER = { volumeIds: [], securityGroupIds: [], credentials: [], keyIds: [], agentVmIds: ['agent'] };

/** Runs a removal while a device has the floating IP and the port; returns what it has deleted. */
async function deletedWhile(deviceId: string, remove: (context: never) => Promise<unknown>) {
  const deleted: string[] = [];
  const use = { device_id: deviceId, device_owner: 'compute:nova' };
  const address = asRecord(floatingIpRecord, {
    id: 'address',
    port_id: 'on',
    port_details: { name: '', ...use },
  });
  const port = asRecord(portRecord, { id: 'port', ...use });
  const client = {
    network: {
      floatingIps: { get: async () => address, remove: async () => void deleted.push('floating_ip') },
      ports: { get: async () => port, remove: async () => void deleted.push('port') },
    },
    sharedFileSystem: { shares: {} },
    compute: {
      servers: {
        get: async () => ({ id: deviceId, metadata: { [JOB_METADATA_KEY]: `job-of-${deviceId}` } }),
      },
    },
  } as unknown as ProjectClient;
  const context = {
    config,
    instanceId: 'server',
    jobId: 'job-of-created',
    input: {},
    since: Date.now(),
    signal: new AbortController().signal,
    remover: () => client,
    owner: () => client,
    service: async () => null,
    resourceOwner: { removal: async () => ({ remover: () => client }) },
    logger: { warn() {} },
  };
  await remove(context as never);
  return deleted;
}

async function removeAddresses(all: readonly Removal[]): Promise<void> {
  for (const { type, remove } of all) if (type === 'floating_ip' || type === 'port') await remove();
}

const callers: [string, string, string[], (context: object) => Promise<unknown>][] = [
  [
    'the deletion of an instance',
    'server',
    ['floating_ip', 'port'],
    (context) => {
      const associated = { ...NONE, floatingIpIds: ['address'], portIds: ['port'] };
      return removeAddresses(removals({ ...context, state: { associated } } as never, ['duplicate']));
    },
  ],
  [
    'the end of the deletion of an instance',
    'server',
    ['floating_ip'],
    async (context) => {
      const lateLeftovers = [{ type: 'floating_ip', id: 'address', reason: '' }];
      await releaseLateFloatingIps.sweep?.({ ...context, state: {} } as never, { lateLeftovers });
    },
  ],
  [
    'the deletion of a lite cluster',
    'agent',
    ['floating_ip', 'port'],
    (context) => {
      const found = { ...CLUSTER, serverVmIds: ['node'], floatingIpIds: ['address'], portIds: ['port'] };
      return removeAddresses(resourceRemovals(context as never, found).flat());
    },
  ],
  [
    'the deletion of the load balancers of a lite cluster',
    'lb-balancer',
    ['floating_ip'],
    (context) => {
      const balancer = { id: 'balancer', portId: 'vip', floatingIpIds: ['address'], keptFloatingIpIds: [] };
      return removeAddresses(loadBalancerRemovals(context as never, [balancer]).flat());
    },
  ],
  [
    'the removal of the machine of a build',
    'server',
    ['port'],
    (context) => {
      const state = { serverId: 'server', bootVolumeId: 'volume' };
      return removeAddresses(machineRemovals({ ...context, state } as never, { portId: 'port' }));
    },
  ],
  [
    'the rollback of a floating IP',
    'created',
    ['floating_ip'],
    async (context) =>
      createFloatingIp.undo?.({ ...context, state: {} } as never, { floatingIpId: 'address' }),
  ],
  [
    'the rollback of a port',
    'created',
    ['port'],
    async (context) => {
      const port = { id: 'port', address: '10.0.0.5' };
      await createPort.undo?.({ ...context, state: {} } as never, { port });
    },
  ],
];

describe('floating IPs and ports of a job', () => {
  for (const [what, own, taken, remove] of callers) {
    it(`go only without another user: ${what}`, async () => {
      assert.deepEqual(await deletedWhile(own, remove), taken);
      assert.deepEqual(await deletedWhile('another', remove), []);
    });
  }
});
