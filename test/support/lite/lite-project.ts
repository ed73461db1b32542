import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Stack } from '../../../scripts/stack.ts';
import { CloudClient } from '../clients/cloud-client.ts';
import { CloudsimControl } from '../clients/cloudsim-control.ts';
import { GatewayClient, messagesOf } from '../clients/gateway-client.ts';
import { type EventStream, openStream } from '../clients/sse-client.ts';
import { eventually } from '../eventually.ts';
import { type Prepared, prepareRole } from '../projects/prepared-cloud.ts';
import { type PreparedMember, prepareMember } from '../projects/prepared-member.ts';
import { createNetwork, externalNetworkId } from '../projects/prepared-project.ts';
import { startTestStack, testLogin } from '../stacks/test-stack.ts';
import { type ClusterMessage, type LiteCluster, readCluster } from './clusters.ts';
import { ControlNode } from './control-node.ts';

/** Everything that a cluster can leave in its project, by kind. */
type Remains = Record<string, string[]>;

/** A creation that a test follows. */
interface Creation {
  clusterId: string;
  jobId: string;
  stream: EventStream;
}

/** A busy real cloud takes minutes for a cluster. */
const TIMEOUT_MS = 240_000;

/**
 * The gateway, and a project with a network and two members. In both clouds the test plays the control nodes:
 * no machine reports by itself.
 */
export class LiteProject {
  readonly stack: Stack;
  readonly admin: CloudClient;
  /** The project's resources, with the rights of the second member. */
  readonly cloud: CloudClient;
  /** The first member, who has an account of their own. */
  readonly member: PreparedMember;
  readonly mine: GatewayClient;
  /** The second member: `alice`, who has another project too. */
  readonly colleague: GatewayClient;
  readonly networkId: string;
  readonly subnetId: string;
  readonly externalId: string;
  readonly baseline: Remains;
  readonly #network: Prepared;

  private constructor(parts: {
    stack: Stack;
    admin: CloudClient;
    cloud: CloudClient;
    member: PreparedMember;
    clients: { mine: GatewayClient; colleague: GatewayClient };
    network: Prepared;
    ids: { subnetId: string; externalId: string };
    baseline: Remains;
  }) {
    this.stack = parts.stack;
    this.admin = parts.admin;
    this.cloud = parts.cloud;
    this.member = parts.member;
    this.mine = parts.clients.mine;
    this.colleague = parts.clients.colleague;
    this.#network = parts.network;
    this.networkId = parts.network.id;
    this.subnetId = parts.ids.subnetId;
    this.externalId = parts.ids.externalId;
    this.baseline = parts.baseline;
  }

  static async start({
    config = {},
    ...options
  }: Parameters<typeof startTestStack>[0] = {}): Promise<LiteProject> {
    const stack = await startTestStack({
      workers: 1,
      ...options,
      config: {
        ...config,
        lite: {
          image: 'debian-12',
          server_flavor: 'm1.tiny',
          agent_flavor: 'm1.tiny',
          server_volume_size_gb: 1,
          agent_volume_size_gb: 1,
          // The nodes of a test have no API server, which is detected after ten of them.
          health: { request_seconds: 1 },
          ...(config.lite as object | undefined),
        },
      },
    });
    try {
      const identityUrl = stack.identityUrl ?? '';
      const admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
      if (stack.cloudsim !== null) {
        await new CloudsimControl(stack.cloudsim.url).set({ guest: { clusterOutcome: 'silent' } });
      }
      const member = await prepareMember(identityUrl, admin);
      const alice = testLogin('alice');
      const { userId } = await CloudClient.logIn(identityUrl, alice);
      await prepareRole(admin, { userId, projectId: member.id, role: 'member' });
      const { projectName } = member.login;
      const cloud = await CloudClient.logIn(identityUrl, { ...alice, projectName });
      const externalId = await externalNetworkId(admin);
      const network = await createNetwork(cloud, externalId);
      const { subnets } = await cloud.call<{ subnets: { id: string }[] }>(
        'network',
        'GET',
        `/v2.0/subnets?network_id=${network.id}`,
      );
      return new LiteProject({
        stack,
        admin,
        cloud,
        member,
        clients: {
          mine: await GatewayClient.logIn(stack.url, member.login),
          colleague: await GatewayClient.logIn(stack.url, { ...alice, projectName }),
        },
        network,
        ids: { subnetId: subnets[0]?.id ?? '', externalId },
        baseline: await remainsOf(cloud),
      });
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  /** Requests a cluster. The creation then waits for the report of the control node. */
  async create(body: object = {}, as = this.mine): Promise<Creation> {
    const stream = await openStream(`${as.url}/api/lite/clusters/async`, {
      method: 'POST',
      headers: as.headers(),
      body: { name: `e2e-${randomUUID().slice(0, 8)}`, network_id: this.networkId, ...body },
    });
    const jobId = String(stream.headers.get('x-job-id'));
    const { resource_id } = await this.colleague.read<{ resource_id: string }>(`/api/jobs/${jobId}`);
    return { clusterId: resource_id, jobId, stream };
  }

  /** The control node of a cluster, once it waits to report. */
  async controlNode({ jobId, clusterId }: Creation): Promise<ControlNode> {
    const serverId = await eventually(async () => {
      const { step, error } = await this.colleague.read<{ step: string; error: string | null }>(
        `/api/jobs/${jobId}`,
      );
      assert.equal(error, null);
      if (step !== 'waiting_callback') return undefined;
      const { name } = await readCluster(this.colleague, clusterId);
      return this.serverId(`${name}-server`);
    }, TIMEOUT_MS);
    return ControlNode.of(this.admin, serverId);
  }

  async serverId(name: string): Promise<string> {
    const { servers } = await this.cloud.call<{ servers: { id: string; name: string }[] }>(
      'compute',
      'GET',
      '/servers',
    );
    const found = servers.find((server) => server.name === name);
    assert.ok(found, `there is no server ${name}`);
    return found.id;
  }

  /** Creates a cluster, and plays its control node. */
  async createActive(body: object = {}): Promise<LiteCluster> {
    const creation = await this.create(body);
    const node = await this.controlNode(creation);
    assert.equal(await node.succeeds(), 200);
    const last = (await messagesOf(creation.stream)).at(-1) as unknown as ClusterMessage;
    assert.equal(last.step, 'completed', last.error ?? '');
    return readCluster(this.mine, creation.clusterId);
  }

  /** Waits until the clean-up of a deleted cluster has ended, and returns its record. */
  async cleanedUp(clusterId: string): Promise<LiteCluster> {
    return eventually(async () => {
      const { items } = await this.colleague.read<{
        items: { type: string; status: string; resource_id: string }[];
      }>('/api/jobs');
      const job = items.find(({ type, resource_id }) => type === 'lite.delete' && resource_id === clusterId);
      return job?.status === 'completed' ? readCluster(this.colleague, clusterId) : undefined;
    }, TIMEOUT_MS);
  }

  /** The ids of what is in the project, by kind. */
  remains(): Promise<Remains> {
    return remainsOf(this.cloud);
  }

  /** Checks that the project has its previous resources and these. */
  async hasOnly(besides: Remains = {}): Promise<void> {
    const expected = Object.fromEntries(
      Object.entries(this.baseline).map(([kind, ids]) => [kind, [...ids, ...(besides[kind] ?? [])].sort()]),
    );
    await eventually(async () => {
      assert.deepEqual(await remainsOf(this.cloud), expected);
      return true;
    });
  }

  /** The names of the first member's application credentials. */
  async credentials(): Promise<string[]> {
    const { application_credentials: found } = await this.admin.call<{
      application_credentials: { name: string }[];
    }>('identity', 'GET', `/users/${this.member.cloud.userId}/application_credentials`);
    return found.map(({ name }) => name);
  }

  /** The paths of the access rules that the first member's credentials have, or had. */
  async accessRules(): Promise<string[]> {
    const { cloud } = this.member;
    const path = `/users/${cloud.userId}/access_rules`;
    const { access_rules: found } = await cloud.call<{ access_rules: { path: string }[] }>(
      'identity',
      'GET',
      path,
    );
    return found.map((rule) => rule.path);
  }

  /** Removes the project, which must be empty, and stops the processes. */
  async stop(): Promise<void> {
    try {
      await this.hasOnly();
      await eventually(async () => {
        await this.#network.remove();
        return true;
      });
      await this.member.remove();
    } finally {
      await this.stack.stop();
    }
  }
}

const KINDS = {
  servers: ['compute', '/servers'],
  volumes: ['volumev3', '/volumes'],
  floatingips: ['network', '/v2.0/floatingips'],
  ports: ['network', '/v2.0/ports'],
  security_groups: ['network', '/v2.0/security-groups'],
  loadbalancers: ['load-balancer', '/v2.0/lbaas/loadbalancers'],
} as const;

async function remainsOf(cloud: CloudClient): Promise<Remains> {
  const entries = Object.entries(KINDS).map(async ([kind, [service, path]]) => {
    const query = service === 'network' ? `?project_id=${cloud.projectId}` : '';
    const answer = await cloud.call<Record<string, { id: string }[]>>(service, 'GET', path + query);
    return [kind, (answer[kind] ?? []).map(({ id }) => id).sort()] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
