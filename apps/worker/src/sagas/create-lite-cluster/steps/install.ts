import { GatewayError, trimEndChars } from '@gateway/core';
import {
  apiServerUrl,
  buildKubeconfig,
  type ControlNodeProgress,
  type ControlNodeReport,
  parseKubeconfig,
  reportedPlugins,
} from '@gateway/lite';
import { isNotFound, isTransient } from '@gateway/openstack';
import { maskSecrets } from '@gateway/platform';
import { ParkedError, type PublishProgress, requireState } from '../../../saga/index.ts';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { controlNodeAddress } from '../control-node-address.ts';
import { describeStage } from '../describe-stage.ts';
import {
  announce,
  type CreateLiteClusterState,
  type CreateLiteClusterStepContext,
  defineCreateStep,
  type Installation,
} from '../saga.ts';

/**
 * In polling intervals. A report resumes the job at once, so the state of the server is checked less often.
 */
const SERVER_CHECK_INTERVALS = 15;

/** Waits, parked, until the control node has reported its installation, and stores what it reported. */
export const awaitInstallation = defineCreateStep<{ installation: Installation | null }>({
  name: 'install',
  beginUpdate: announce('waiting_callback', 'The control node is being installed.'),
  run: async () => ({ installation: null }),
  async settle(context, _result, publish) {
    const report = await context.callback.read();
    if (report?.isFinal === true) return { installation: await storeReport(context, report.body) };
    if (report !== null) await publishStage(context, report.number, report.body, publish);
    await checkServer(context);
    throw parkedUntil(context);
  },
});

/** Publishes each stage once. Its number is the contract's, so the progress does not change. */
async function publishStage(
  { state }: CreateLiteClusterStepContext,
  number: number,
  progress: ControlNodeProgress,
  publish: PublishProgress<CreateLiteClusterState>,
): Promise<void> {
  if (state.reported !== undefined && state.reported.number >= number) return;
  const message = describeStage(progress, state.plan?.plugins ?? []);
  if (state.reported?.message === message) return;
  await publish(announce('waiting_callback', message), { reported: { number, message } });
}

/** @throws if the node reports a failure, or a configuration file that is not usable */
async function storeReport(
  context: CreateLiteClusterStepContext,
  report: ControlNodeReport,
): Promise<Installation> {
  if (!report.success) {
    const reason = report.error ? maskSecrets(report.error) : 'the control node gave no reason';
    throw failed(reason, 'lite_install_failed');
  }
  const cluster = await requireLiteCluster(context);
  const address = await controlNodeAddress(context, report.server_ip);
  const { credentials } = parseKubeconfig(report.kubeconfig ?? '');
  const kubeconfig = buildKubeconfig({ server: apiServerUrl(address.serverIp), credentials });
  await context.liteClusters.putSecrets(cluster, { kubeconfig, nodeToken: report.node_token ?? '' });
  const { k3s_version: k3sVersion = null } = report;
  const plugins = reportedPlugins(requireState(context, 'plan').plugins, report);
  await context.liteClusters.update(
    cluster,
    {
      serverVmId: requireState(context, 'serverId'),
      securityGroupId: requireState(context, 'securityGroupId'),
      ...address,
      k3sVersion,
      ...plugins,
    },
    ['CREATING'],
  );
  return { serverIp: address.serverIp, k3sVersion, pluginStatus: plugins.pluginStatus };
}

/** @throws if the node can no longer report */
async function checkServer(context: CreateLiteClusterStepContext): Promise<void> {
  const { servers } = context.owner().compute;
  try {
    const { status, fault } = await servers.get(requireState(context, 'serverId'));
    if (status === 'ERROR')
      throw failed(fault?.message ?? 'the control node is in an error state', 'lite_install_failed');
    if (status === 'DELETED' || status === 'SOFT_DELETED')
      throw failed('the control node was deleted', 'lite_install_failed');
  } catch (error) {
    if (isNotFound(error)) throw failed('the control node was deleted', 'lite_install_failed');
    if (!isTransient(error)) throw error;
  }
}

/** @throws if the node has exceeded its time limit */
function parkedUntil({ config, since }: CreateLiteClusterStepContext): ParkedError {
  const leftMs = since + config.timeLimits.liteCallbackSeconds * 1000 - Date.now();
  if (leftMs <= 0)
    throw failed('the control node did not report within the time limit', 'lite_callback_timeout');
  return new ParkedError(Math.min(leftMs, SERVER_CHECK_INTERVALS * config.jobs.pollIntervalMs));
}

function failed(reason: string, code: 'lite_install_failed' | 'lite_callback_timeout'): GatewayError {
  const sentence = trimEndChars(reason, '. \t\r\n');
  return new GatewayError(502, code, `The cluster could not be created: ${sentence}.`);
}
