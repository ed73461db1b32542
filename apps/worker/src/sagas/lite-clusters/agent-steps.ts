import { CLUSTER_METADATA_KEY } from '@gateway/core';
import { agentNodeName, type LiteCluster, MAX_AGENTS } from '@gateway/lite';
import { requireState, type Step, type StepContext } from '../../saga/index.ts';
import { awaitServer } from '../resources/await-server.ts';
import { valueUnder } from '../resources/resource-step.ts';
import { bootDevice, serverStep } from '../resources/server-step.ts';
import { awaitVolume, volumeStep } from '../resources/volume-step.ts';
import { waitOptions } from '../resources/wait-options.ts';
import { agentUserData } from './agent-user-data.ts';
import { type LiteClusterContext, requireLiteCluster } from './context.ts';

/** The agents that a saga creates, decided before anything is created. */
export interface AgentPlan {
  cluster: Pick<LiteCluster, 'id' | 'name'>;
  imageId: string;
  flavorId: string;
  /** Whether they have NVIDIA GPUs for pods. */
  haveGpus: boolean;
  networkId: string;
  keyName: string | null;
  volumeSizeGb: number;
  /** The numbers of the agents, in the order of their creation. */
  numbers: number[];
}

type AgentVolumeKey = `agentVolumeId${number}`;
type AgentServerKey = `agentServerId${number}`;

/** The results of the steps that create agents, by their index in the plan. */
export interface AgentState {
  agentPlan: AgentPlan;
  securityGroupId: string;
  /**
   * When the first request for the nodes got no answer, in milliseconds since the epoch; null once one was
   * answered.
   */
  silentSince: number | null;
  [agentVolumeId: AgentVolumeKey]: string;
  [agentServerId: AgentServerKey]: string;
}

/**
 * Creates the boot volumes of the planned agents, then their servers. Each is created by a step of its own,
 * and all of one kind are awaited together, so that they become ready in parallel.
 *
 * @param most how many agents a plan of the saga can have
 */
export function agentSteps<Context extends LiteClusterContext, State extends AgentState>(
  most = MAX_AGENTS,
): Step<Context, State>[] {
  const indexes = Array.from({ length: most }, (_, index) => index);
  return [
    ...indexes.map((index) => createVolume<Context, State>(index)),
    awaitVolumes<Context, State>(),
    ...indexes.map((index) => createServer<Context, State>(index)),
    awaitServers<Context, State>(),
  ];
}

/** The agents that the steps have created. */
export function createdAgents(state: Readonly<Partial<AgentState>>): LiteCluster['agents'] {
  const { numbers = [] } = state.agentPlan ?? {};
  return numbers.flatMap((number, index) => {
    const vmId = state[`agentServerId${index}`];
    const volumeId = state[`agentVolumeId${index}`];
    return vmId === undefined || volumeId === undefined ? [] : [{ number, vmId, volumeId }];
  });
}

type Planned = StepContext<LiteClusterContext, AgentState>;

/** The plan of a saga that creates agents. */
export function planOf<Context extends LiteClusterContext, State extends AgentState>(
  context: StepContext<Context, State>,
) {
  return requireState(context as unknown as Planned, 'agentPlan');
}

function createVolume<Context extends LiteClusterContext, State extends AgentState>(index: number) {
  return volumeStep<Context, State>({
    name: `agent-volume-${index}`,
    when: (context) => index < planOf(context).numbers.length,
    key: `agentVolumeId${index}` as never,
    title: 'The boot volume of an agent',
    request(context) {
      const plan = planOf(context);
      return {
        name: `${nameAt(plan, index)}-boot`,
        size: plan.volumeSizeGb,
        imageRef: plan.imageId,
        metadata: { [CLUSTER_METADATA_KEY]: plan.cluster.id },
      };
    },
    awaitsLater: true,
  });
}

function createServer<Context extends LiteClusterContext, State extends AgentState>(index: number) {
  return serverStep<Context, State>({
    name: `agent-server-${index}`,
    when: (context) => index < planOf(context).numbers.length,
    key: `agentServerId${index}` as never,
    title: 'An agent',
    serverName: (context) => nameAt(planOf(context), index),
    async request(context) {
      const plan = planOf(context);
      const state = context.state as Readonly<Partial<AgentState>>;
      return {
        flavorRef: plan.flavorId,
        networks: [{ uuid: plan.networkId }],
        security_groups: [{ name: requireState(context as unknown as Planned, 'securityGroupId') }],
        block_device_mapping_v2: [bootDevice(valueUnder<AgentState, string>(state, `agentVolumeId${index}`))],
        metadata: { [CLUSTER_METADATA_KEY]: plan.cluster.id },
        user_data: await agentUserData(context, await requireLiteCluster(context), {
          nodeName: nameAt(plan, index),
          hasGpus: plan.haveGpus,
        }),
        ...(plan.keyName !== null && { key_name: plan.keyName }),
      };
    },
    awaitsLater: true,
  });
}

function awaitVolumes<Context extends LiteClusterContext, State extends AgentState>(): Step<Context, State> {
  return {
    name: 'agent-volumes',
    run: async () => ({}),
    async settle(context) {
      const wait = waitOptions(context, 'volume', {
        describe: 'The boot volume of an agent',
        seconds: context.config.timeLimits.volumeSeconds,
      });
      const client = context.owner();
      await eachCreated(context, 'agentVolumeId', (id) => awaitVolume(client, id, wait));
      return undefined;
    },
  };
}

function awaitServers<Context extends LiteClusterContext, State extends AgentState>(): Step<Context, State> {
  return {
    name: 'agent-servers',
    run: async () => ({}),
    async settle(context) {
      const wait = waitOptions(context, 'server', {
        describe: 'An agent',
        seconds: context.config.timeLimits.serverSeconds,
      });
      const client = context.owner();
      await eachCreated(context, 'agentServerId', (id) => awaitServer(client, id, wait));
      return undefined;
    },
  };
}

/** @throws the first error, after all waits have ended */
async function eachCreated<Context extends LiteClusterContext, State extends AgentState>(
  context: StepContext<Context, State>,
  prefix: 'agentVolumeId' | 'agentServerId',
  wait: (id: string) => Promise<void>,
): Promise<void> {
  const state = context.state as Readonly<Partial<AgentState>>;
  const ids = planOf(context).numbers.map((_, index) => state[`${prefix}${index}`] ?? '');
  const waits = await Promise.allSettled(ids.map(wait));
  const failed = waits.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

function nameAt({ cluster, numbers }: AgentPlan, index: number): string {
  return agentNodeName(cluster, numbers[index] ?? 0);
}
