import { conflict, GatewayError, jobDescription, toTimestamp } from '@gateway/core';
import { releaseFloatingIp } from '@gateway/inventory';
import {
  type BoundClient,
  type FloatingIpRecord,
  ipv4Addresses,
  nullIfNotFound,
  type PortRecord,
  type ServerRecord,
} from '@gateway/openstack';
import type { Step, StepContext } from '../../saga/index.ts';
import { type ResourceContext, resultUnder, type StateKeyOf, valueUnder } from './resource-step.ts';
import { waitOptions } from './wait-options.ts';

/** The compute service learns of changes in the network within two or three seconds. */
const SHOWN_WITHIN_SECONDS = 8;

interface FloatingIpStep<Context, State extends object>
  extends Pick<Step<Context, State>, 'name' | 'beginUpdate' | 'when'> {
  /** The key of the state for the floating IP's id. */
  key: StateKeyOf<State, string>;
  /** Finds the port whose IPv4 address gets the floating IP. */
  findPort(context: StepContext<Context, State>, client: BoundClient): Promise<PortRecord | undefined>;
  externalNetworkId(context: StepContext<Context, State>): string;
  /** The subnets that a router connects to the external network. */
  routedSubnetIds(context: StepContext<Context, State>): string[];
  /** The ports that the job may have associated and that can lose their server before the floating IP. */
  ownPortIds(context: StepContext<Context, State>): string[];
  /** The server that the port belongs to. The step ends when the compute service shows the floating IP. */
  serverId?(context: StepContext<Context, State>): string;
}

/** Creates a floating IP for the address of a port; the rollback releases it. */
export function floatingIpStep<Context extends ResourceContext, State extends object>(
  spec: FloatingIpStep<Context, State>,
): Step<Context, State> {
  const { key, findPort, externalNetworkId, routedSubnetIds, ownPortIds, serverId, ...step } = spec;
  const idIn = (result: Partial<State>) => valueUnder<State, string>(result, key);
  return {
    ...step,
    // The service refuses a second floating IP for the same address of a port.
    onRepeat: 'rejected',
    async run(context) {
      const client = await context.resourceOwner.client();
      const port = await findPort(context, client);
      const routed = routedSubnetIds(context);
      const fixed = port && ipv4Addresses(port).find(({ subnet_id }) => routed.includes(subnet_id));
      if (port === undefined || fixed === undefined) {
        throw conflict('unsuitable', 'The server has no address that a floating IP can go with.');
      }
      const { id } = await client.network.floatingIps.create({
        floating_network_id: externalNetworkId(context),
        port_id: port.id,
        fixed_ip_address: fixed.ip_address,
        description: jobDescription(context.jobId),
      });
      return resultUnder(key, id);
    },
    async find(context) {
      const client = (await context.resourceOwner.removal()).remover();
      const { projectId } = await context.resourceOwner.mark();
      const marked = await client.network.floatingIps.list({ description: jobDescription(context.jobId) });
      const made =
        marked.length > 0
          ? marked
          : await findUnmarked(client, context.since, () => findPort(context, client));
      return made.filter(({ project_id }) => project_id === projectId).map(({ id }) => resultUnder(key, id));
    },
    ...(serverId !== undefined && {
      async settle(context) {
        const { polls } = await context.resourceOwner.client();
        const wait = waitOptions(context, 'server', {
          describe: 'The floating IP',
          seconds: SHOWN_WITHIN_SECONDS,
        });
        const isShown = async (read: () => Promise<ServerRecord>) => {
          const server = await nullIfNotFound(read());
          return server === null || hasFloatingIp(server) || undefined;
        };
        // The floating IP is associated anyway.
        await polls.waitFor('server', serverId(context), isShown, wait).catch((error: unknown) => {
          if (context.signal.aborted || !(error instanceof GatewayError)) throw error;
        });
        return undefined;
      },
    }),
    async undo(context, result) {
      const rights = await context.resourceOwner.removal();
      const own = { deviceIds: [], portIds: ownPortIds(context), creationJobId: context.jobId };
      await releaseFloatingIp(rights.remover(), idIn(result), own);
    },
    leftover: (result) => ({ type: 'floating_ip', id: idIn(result) }),
  };
}

/** For clocks that differ. */
const CLOCK_TOLERANCE_MS = 30_000;

/**
 * In a cloud without descriptions: the floating IP of the job's own port that is as new as the step. One that
 * was there before, or whose age is not known, may be a user's.
 *
 * @param since when the step began, in milliseconds since the epoch
 */
async function findUnmarked(
  { network }: BoundClient,
  since: number,
  findPort: () => Promise<PortRecord | undefined>,
): Promise<FloatingIpRecord[]> {
  if (await network.extensions.hasDescriptions()) return [];
  const port = await findPort();
  if (port === undefined) return [];
  const ofPort = await network.floatingIps.list({ port_id: port.id });
  return ofPort.filter(
    ({ created_at, port_id }) =>
      port_id === port.id && Date.parse(toTimestamp(created_at) ?? '') >= since - CLOCK_TOLERANCE_MS,
  );
}

function hasFloatingIp({ addresses }: ServerRecord): boolean {
  return Object.values(addresses)
    .flat()
    .some((address) => address['OS-EXT-IPS:type'] === 'floating');
}
