import { addressesOf } from './addresses.ts';
import type { Machine } from './machine.ts';
import { FIRST_BOOT } from './plan.ts';
import type { Role } from './role.ts';

const FAILURE =
  'gateway first boot: FAILED at stage install: [ERROR]  no such release, see /var/log/gateway-first-boot.log';

/** Joins the cluster whose token is in its first-boot data. */
export const agentNode: Role = {
  task: 'agent',
  async run(vm) {
    const { cloud, machine, server } = vm;
    const { failedAgents, workMs, retryMs } = cloud.settings.guest;
    const token = tokenOf(machine);
    const [address = ''] = addressesOf(cloud, server);
    await vm.wait(machine.isDone ? 0 : workMs);
    if (failedAgents.includes(server.name)) {
      machine.console.push(FAILURE);
      return;
    }
    const node = { name: server.name, address, machineId: server.id, labels: machine.plan.nodeLabels() };
    while (cloud.kubernetesClusters.join(token, node) === null) await vm.wait(retryMs);
    machine.isDone = true;
    machine.console.push('gateway agent: the node has joined its cluster');
  },
  /** Its kubelet stops reporting. */
  onHalt({ cloud, machine, server }) {
    const token = tokenOf(machine);
    const cluster = cloud.kubernetesClusters.list().find(({ nodeToken }) => nodeToken === token);
    if (cluster !== undefined) cloud.kubernetesClusters.setNodeReady(cluster.id, server.name, false);
  },
};

function tokenOf({ data }: Machine): string {
  return data.files.get(`${FIRST_BOOT}/join-token`)?.trim() ?? '';
}
