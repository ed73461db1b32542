import { GatewayError } from '@gateway/core';
import { KubernetesError, type NodeFacts } from '@gateway/lite';
import { maskSecrets } from '@gateway/platform';
import { ParkedError, type PublishProgress, type Step, type StepContext } from '../../saga/index.ts';
import type { AgentState } from './agent-steps.ts';
import { type LiteClusterContext, requireLiteCluster } from './context.ts';
import { describeFirstBootFailure, firstBootFailure, type NodeMachine } from './first-boot-failure.ts';

/**
 * In time limits of a request. The gateway cannot reach an API server that has not answered for this long,
 * and never before.
 */
const GRACE_IN_TIME_LIMITS = 10;
/** In polling intervals. */
const CHECK_INTERVALS = 3;

/**
 * A step that waits, parked, until nodes are ready, where the gateway reaches the API server.
 *
 * @param expected the nodes with their machines
 */
export function awaitNodesStep<Context extends LiteClusterContext, State extends AgentState>(
  expected: (context: StepContext<Context, State>) => NodeMachine[],
): Step<Context, State> {
  return {
    name: 'await-nodes',
    run: async () => ({}),
    async settle(context, _result, publish) {
      const machines = expected(context);
      const nodes = machines.length === 0 ? null : await readNodes(context, machines, publish);
      if (nodes === null) return undefined;
      const ready = new Set(nodes.filter((node) => node.ready).map(({ name }) => name));
      const waiting = machines.filter(({ name }) => !ready.has(name));
      if (waiting.length === 0) return undefined;
      await requireNoFailure(context, waiting);
      const names = waiting.map(({ name }) => name).join(', ');
      throw await parkedUntil(context, `not ready: ${names}`, waiting);
    },
  };
}

/** @throws if one of these nodes has reported that its first boot has failed, which is final */
async function requireNoFailure(
  { agentFailures }: LiteClusterContext,
  waiting: readonly NodeMachine[],
): Promise<void> {
  for (const { name, serverId } of waiting) {
    const failure = await agentFailures.read(serverId);
    if (failure !== null) throw notReady(firstBootFailure(name, maskSecrets(failure)));
  }
}

/** How long a step repeats requests to an API server that does not answer. */
export function apiServerGraceMs({ lite }: LiteClusterContext['config']): number {
  return GRACE_IN_TIME_LIMITS * lite.health.requestSeconds * 1000;
}

/** Null when the gateway cannot reach the API server. */
async function readNodes<Context extends LiteClusterContext, State extends AgentState>(
  context: StepContext<Context, State>,
  machines: readonly NodeMachine[],
  publish: PublishProgress<State>,
): Promise<NodeFacts[] | null> {
  const cluster = await requireLiteCluster(context);
  const api = await context.kubernetes(cluster);
  if (api === null) return null;
  const known = (context.state as Readonly<Partial<AgentState>>).silentSince;
  const keep = async (silentSince: number | null) => {
    if (silentSince !== known) await publish(null, { silentSince } as Partial<State>);
  };
  try {
    const nodes = await api.listNodes();
    await keep(null);
    return nodes;
  } catch (error) {
    if (!(error instanceof KubernetesError)) throw error;
    if (error.kind !== 'unreachable') {
      await keep(null);
      throw await parkedUntil(context, `not readable: ${error.reason}`);
    }
    const silentSince = known === undefined ? Date.now() : known;
    await keep(silentSince);
    await requireNoFailure(context, machines);
    if (silentSince === null || silentSince + apiServerGraceMs(context.config) > Date.now())
      throw await parkedUntil(context, 'not reachable', machines);
    context.logger.info('The nodes of a cluster are not awaited: its API server is unreachable', {
      cluster_id: context.clusterId,
      reason: error.reason,
    });
    // A cluster that is ACTIVE already has been reached before, or says so.
    await context.liteClusters.update(cluster, { isNeverReached: true }, ['CREATING']);
    return null;
  } finally {
    api.close();
  }
}

/** @throws if the nodes have exceeded their time limit */
async function parkedUntil<Context extends LiteClusterContext>(
  context: StepContext<Context, object>,
  problem: string,
  waiting: readonly NodeMachine[] = [],
): Promise<ParkedError> {
  const { config, since } = context;
  const leftMs = since + config.timeLimits.liteReadySeconds * 1000 - Date.now();
  if (leftMs > 0) return new ParkedError(Math.min(leftMs, CHECK_INTERVALS * config.jobs.pollIntervalMs));
  const failure = await describeFirstBootFailure(context, waiting);
  const late = `The nodes of the cluster were not ready within the time limit (${problem}).`;
  throw notReady(failure === null ? late : `${late} ${failure}`);
}

function notReady(detail: string): GatewayError {
  return new GatewayError(502, 'lite_nodes_not_ready', detail);
}
