import { eventually } from '../eventually.ts';
import type { startTestStack } from '../stacks/test-stack.ts';
import { TestProject } from './test-project.ts';

interface Row {
  id: string;
  name: string;
}

type RecordOf<T> = Record<string, T>;

/** The project of a suite about networks, and direct calls to the network service. */
export class NetworkProject extends TestProject {
  static async start(options: Parameters<typeof startTestStack>[0] = {}): Promise<NetworkProject> {
    return new NetworkProject(await TestProject.prepare(options));
  }

  /** A call to the network service with the member's token, or with the administrator's. */
  async direct<T>(method: string, path: string, body?: object, as = this.cloud): Promise<T> {
    const answer = await as.call<RecordOf<T> | undefined>('network', method, `/v2.0${path}`, body, [404]);
    return Object.values(answer ?? {})[0] as T;
  }

  /**
   * Performs the action while the project may create no more of these resources, given by their names in
   * quotas. The limit is the usage: newer network services refuse a lower one.
   */
  async withoutQuota<T>(resources: string[], action: () => Promise<T>): Promise<T> {
    const path = `/quotas/${this.id}`;
    const change = (limitOf: (resource: string) => number) =>
      this.direct(
        'PUT',
        path,
        { quota: Object.fromEntries(resources.map((resource) => [resource, limitOf(resource)])) },
        this.admin,
      );
    const usage = await this.direct<Record<string, { used: number }>>(
      'GET',
      `${path}/details.json`,
      undefined,
      this.admin,
    );
    await change((resource) => usage[resource]?.used ?? 0);
    try {
      return await action();
    } finally {
      await change(() => 100);
    }
  }

  /** A network and a subnet, through the gateway. */
  async makeSubnet(cidr: string, name = 'inside'): Promise<{ networkId: string; subnetId: string }> {
    const network = await this.make<Row>('/api/networks', { name });
    const subnet = await this.make<Row>(`/api/networks/${network.id}/subnets`, { name, cidr });
    return { networkId: network.id, subnetId: subnet.id };
  }

  /** A port of the project without a device. */
  async makePort(networkId: string, more: object = {}): Promise<string> {
    const port = await this.direct<Row>('POST', '/ports', { port: { network_id: networkId, ...more } });
    return port.id;
  }

  /** The host that the server is on. */
  async hostOf(serverId: string): Promise<string> {
    const { server } = await this.admin.call<{ server: { 'OS-EXT-SRV-ATTR:host': string } }>(
      'compute',
      'GET',
      `/servers/${serverId}`,
    );
    return server['OS-EXT-SRV-ATTR:host'];
  }

  async externalNetworkId(): Promise<string> {
    const [network] = await this.direct<Row[]>('GET', '/networks?router:external=true&name=public');
    return network?.id ?? '';
  }

  /** Removes everything from the project, the project, and the processes. */
  async remove(): Promise<void> {
    await eventually(async () => {
      await this.#removeRouters();
      const left = await Promise.all(
        ['floatingips', 'ports', 'networks', 'security-groups'].map((kind) => this.#removeAll(kind)),
      );
      return left.every((count) => count === 0);
    }, 60_000);
    await this.removeEmpty();
  }

  async #removeRouters(): Promise<void> {
    const routers = await this.direct<Row[]>('GET', `/routers?project_id=${this.id}`);
    for (const { id } of routers) {
      const ports = await this.direct<{ id: string; device_owner: string }[]>(
        'GET',
        `/ports?device_id=${id}`,
      );
      for (const port of ports) {
        const path = `/v2.0/routers/${id}/remove_router_interface`;
        await this.admin.call('network', 'PUT', path, { port_id: port.id }, [404, 409]);
      }
      await this.admin.call('network', 'DELETE', `/v2.0/routers/${id}`, undefined, [404, 409]);
    }
  }

  /** Returns how many there were. */
  async #removeAll(kind: string): Promise<number> {
    const path = `/${kind}?project_id=${this.id}`;
    const found = await this.direct<Row[]>('GET', path, undefined, this.admin);
    // Each list of security groups makes the default one.
    const rows = found.filter(({ name }) => kind !== 'security-groups' || name !== 'default');
    for (const { id } of rows) {
      await this.admin.call('network', 'DELETE', `/v2.0/${kind}/${id}`, undefined, [404, 409]);
    }
    return rows.length;
  }
}
