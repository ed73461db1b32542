import { addressesOf } from './addresses.ts';
import type { Machine } from './machine.ts';
import { FIRST_BOOT } from './plan.ts';
import type { Role } from './role.ts';
import { sendReport } from './send-report.ts';
import type { Vm } from './vm.ts';

const FAILURE = 'stage install: [ERROR]  no such release';
const REPORT_TIMEOUT_MS = 30_000;

/** Joins the cluster whose token is in its first-boot data, or reports its failure. */
export const agentNode: Role = {
  task: 'agent',
  async run(vm) {
    const { cloud, machine, server } = vm;
    const { failedAgents, workMs, retryMs } = cloud.settings.guest;
    const token = tokenOf(machine);
    const [address = ''] = addressesOf(cloud, server);
    await vm.wait(machine.isDone ? 0 : workMs);
    if (failedAgents.includes(server.name)) {
      machine.console.push(`gateway first boot: FAILED at ${FAILURE}, see /var/log/gateway-first-boot.log`);
      await reportFailure(vm);
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

/** Repeats the report until the gateway accepts or rejects it. */
async function reportFailure(vm: Vm): Promise<void> {
  const { retryMs, silentAgents } = vm.cloud.settings.guest;
  if (silentAgents.includes(vm.server.name)) return;
  for (;;) {
    const status = await sendReport(vm, { server_id: vm.server.id, error: FAILURE }, REPORT_TIMEOUT_MS);
    if (status === 200 || status === 400 || status === 403) {
      vm.machine.console.push(`gateway agent: the report was answered ${status}`);
      return;
    }
    await vm.wait(retryMs);
  }
}

function tokenOf({ data }: Machine): string {
  return data.files.get(`${FIRST_BOOT}/join-token`)?.trim() ?? '';
}
