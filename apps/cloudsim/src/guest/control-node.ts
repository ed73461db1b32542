import { addressesOf } from './addresses.ts';
import type { Role } from './role.ts';
import { sendReport } from './send-report.ts';
import type { Vm } from './vm.ts';

const REPORT_TIMEOUT_MS = 30_000;
const PROGRESS_TIMEOUT_MS = 5_000;

/**
 * Installs k3s as the server of a cluster, which starts the API server, applies the plugins, and reports to
 * the URL in its plan.
 */
export const controlNode: Role = {
  task: 'control-node',
  async run(vm) {
    const { kubernetesClusters, settings } = vm.cloud;
    if (vm.machine.isDone) {
      await kubernetesClusters.start(vm.server.id);
      return;
    }
    const { clusterOutcome, workMs } = settings.guest;
    vm.machine.console.push('gateway control-node: stage k3s');
    if (clusterOutcome !== 'silent') reportStage(vm, { stage: 'install' });
    await vm.wait(workMs);
    if (clusterOutcome === 'silent') return;
    await report(vm, clusterOutcome === 'fails' ? failure : await install(vm));
    vm.machine.isDone = true;
  },
  onHalt: ({ cloud, server }) => cloud.kubernetesClusters.stop(server.id),
  onRemove: ({ cloud, server }) => cloud.kubernetesClusters.remove(server.id),
};

const failure = { success: false, error: 'stage k3s: the install script failed' };

async function install(vm: Vm): Promise<object> {
  const { cloud, machine, server } = vm;
  const { data, plan } = machine;
  const [address = ''] = addressesOf(cloud, server);
  const k3sVersion = plan.get('k3s_version') ?? '';
  const installed = await cloud.kubernetesClusters.create({
    id: server.id,
    version: k3sVersion,
    controlNode: { name: server.name, address, labels: plan.nodeLabels() },
    sans: plan.all('address'),
  });
  const { failedPlugins } = cloud.settings.guest;
  for (const key of plan.all('plugin').filter((one) => !failedPlugins.includes(one))) {
    reportStage(vm, { stage: 'plugin', plugin: key });
    const manifests = data.files.get(`/opt/k3s/${key}-manifests.yaml`) ?? '';
    cloud.kubernetesClusters.apply(server.id, manifests, server.name);
  }
  return {
    success: true,
    kubeconfig: installed.kubeconfig.replace('https://127.0.0.1:', `https://${plan.get('api_host')}:`),
    node_token: installed.nodeToken,
    // Differs from the plan's address, which has no route outside the simulated cloud.
    server_ip: installed.address,
    k3s_version: k3sVersion,
    plugin_status: Object.fromEntries(
      plan.all('plugin').map((key) => [key, failedPlugins.includes(key) ? 'failed' : 'deployed']),
    ),
    error: null,
  };
}

/** Reports a stage once, without waiting for the response. */
function reportStage(vm: Vm, progress: { stage: string; plugin?: string }): void {
  void sendReport(vm, progress, PROGRESS_TIMEOUT_MS, 'progress_url');
}

/** Repeats the report until the gateway accepts or rejects it. */
async function report(vm: Vm, body: object): Promise<void> {
  for (;;) {
    const status = await sendReport(vm, body, REPORT_TIMEOUT_MS);
    if (status === 200 || status === 400 || status === 403) {
      vm.machine.console.push(`gateway control-node: the report was answered ${status}`);
      return;
    }
    await vm.wait(vm.cloud.settings.guest.retryMs);
  }
}
