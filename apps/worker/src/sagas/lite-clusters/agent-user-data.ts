import { encodeUserData } from '@gateway/cloud-init';
import {
  AGENT_FAILURE_PATH,
  type AgentNodePlan,
  agentNodeFirstBootData,
  apiServerUrl,
  gpuNodeArguments,
  isK3sRelease,
  type LiteCluster,
  type NodeGpuPlan,
} from '@gateway/lite';
import type { Config } from '@gateway/platform';
import { firstBootSettings } from '../resources/first-boot-settings.ts';
import { reportTarget } from '../resources/report-target.ts';
import type { LiteClusterContext } from './context.ts';

type AgentDataContext = Pick<LiteClusterContext, 'liteClusters' | 'config' | 'agentFailures'>;

/** The first-boot data of an agent, encoded. Contains the join token, so it must not be stored. */
export async function agentUserData(
  context: AgentDataContext,
  cluster: LiteCluster,
  { nodeName, hasGpus }: { nodeName: string; hasGpus: boolean },
): Promise<string> {
  const { liteClusters, config } = context;
  const token = await liteClusters.readSecret(cluster, 'nodeToken');
  if (token === null || cluster.fixedIp === null) throw new Error(`Cluster ${cluster.id} cannot be joined.`);
  const { k3sVersion } = cluster;
  const plan = {
    nodeName,
    // Agents must not be newer than their API server, but the configuration may name a newer release now than
    // when the cluster was created.
    k3s: { ...config.lite.k3s, version: isK3sRelease(k3sVersion) ? k3sVersion : config.lite.k3s.version },
    registryCredentials: config.secrets.registryCredentials,
    serverUrl: apiServerUrl(cluster.fixedIp),
    token,
    agentArguments: [...cluster.agentArguments, ...(hasGpus ? gpuNodeArguments : [])],
    gpu: hasGpus ? nodeGpuPlan(config) : null,
    failureReport: await failureReport(context),
  };
  return encodeUserData(agentNodeFirstBootData(plan, firstBootSettings(config)), 'cluster');
}

/** Null if the gateway has no address for machines. */
async function failureReport({
  config,
  agentFailures,
}: AgentDataContext): Promise<AgentNodePlan['failureReport']> {
  const { url: publicUrl } = config.publicEndpoint;
  if (publicUrl === null) return null;
  const { serverSeconds, liteReadySeconds } = config.timeLimits;
  const token = await agentFailures.issueToken(serverSeconds + liteReadySeconds);
  return { ...reportTarget(config, { publicUrl }, AGENT_FAILURE_PATH), token };
}

/** What a node with GPUs installs. */
export function nodeGpuPlan({ instances, lite }: Pick<Config, 'instances' | 'lite'>): NodeGpuPlan {
  return {
    driverPackages: lite.gpu.driverPackages ?? instances.gpuDriverPackages,
    toolkitPackages: lite.gpu.containerToolkitPackages,
  };
}
