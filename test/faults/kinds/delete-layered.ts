import { newRequestId } from '@gateway/core';
import { deleteInstanceSteps } from '../../../apps/worker/src/sagas/delete-instance/index.ts';
import type { Kind } from '../kind.ts';
import { startCreation } from './creation.ts';

/** The deletion of an instance with all associated resources. */
export const deleteLayered: Kind = {
  name: 'delete layered',
  jobType: 'instance.delete',
  steps: deleteInstanceSteps.map((step) => step.name),
  entries: {
    'look-up': [{ service: 'network', operation: 'ports.list', isRead: true }],
    server: [{ service: 'compute', operation: 'servers.delete' }],
    duplicates: [{ service: 'compute', operation: 'servers.list', isRead: true }],
    resources: [
      { label: 'floating-ip', service: 'network', operation: 'floating_ips.delete' },
      { label: 'access-rule', service: 'shared-file-system', operation: 'shares.deny_access' },
      { label: 'port', service: 'network', operation: 'ports.delete' },
    ],
    // The first read is the look-up's.
    'late-floating-ips': [{ service: 'network', operation: 'floating_ips.list', nth: 2, isRead: true }],
  },
  lists: [
    { service: 'block-storage', operation: 'volumes.list_detail', meanwhile: 'waits' },
    { service: 'network', operation: 'ports.list', meanwhile: 'waits' },
    { service: 'network', operation: 'floating_ips.list', meanwhile: 'waits' },
    { service: 'shared-file-system', operation: 'access_rules.list', meanwhile: 'waits' },
    { service: 'compute', operation: 'servers.list', meanwhile: 'ends' },
  ],
  completed: { servers: -1, volumes: -2, ports: -1, attachments: -2, floating_ips: -1, access_rules: -1 },
  runsSlowFaults: true,
  isCancellable: false,
  async prepare(rig) {
    const { stream } = await startCreation(rig, 'nfs', newRequestId());
    const last = (await stream?.rest())?.at(-1);
    const { step, instance_id: id } = JSON.parse(last?.data ?? '{}') as {
      step?: string;
      instance_id?: string;
    };
    if (step !== 'COMPLETED' || id === undefined) throw new Error(`No instance to delete: ${last?.data}`);
    return id;
  },
  async start(rig, instanceId, requestId) {
    return rig.startJob(requestId, 'DELETE', `/api/instances/${instanceId}`);
  },
};
