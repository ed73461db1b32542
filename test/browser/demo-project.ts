import assert from 'node:assert/strict';
import type { FloatingIp, Network, Router } from '@gateway/resources';
import { type GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';

const FLOATING_IPS = '/api/networks/floating-ips';

/** What the suite has made in a project that holds other things too. */
interface Made {
  ids: string[];
  /** As `<id> to <id>`. */
  connections: string[];
}

/** Makes resources through the gateway, and removes them through it. */
export class DemoProject {
  readonly #gateway: GatewayClient;
  /** Paths of what there is to delete. */
  readonly #made: string[] = [];

  constructor(gateway: GatewayClient) {
    this.#gateway = gateway;
  }

  /** Two networks behind a router, three instances, and two floating IPs, one of them associated. */
  async fill(): Promise<Made> {
    const networks = await this.#gateway.read<Network[]>('/api/networks');
    const outside = networks.find(({ is_external }) => is_external)?.id ?? '';
    const front = await this.#makeNetwork('picture-front', '10.81.0.0/24');
    const back = await this.#makeNetwork('picture-back', '10.82.0.0/24');
    // Without a router, the gateway gives them no floating IPs.
    const web = await this.#makeInstance('picture-web', front.id);
    const app = await this.#makeInstance('picture-app', front.id);
    const data = await this.#makeInstance('picture-data', back.id);
    await this.#make(`/api/instances/${app}/interfaces`, { net_id: back.id });
    const router = await this.#makeRouter(outside, [front.subnetId, back.subnetId]);
    const associated = await this.#makeFloatingIp(outside);
    await this.#make(`${FLOATING_IPS}/${associated}/associate`, { instance_id: web });
    const free = await this.#makeFloatingIp(outside);
    return {
      ids: [front.id, back.id, web, app, data, router, associated, free],
      connections: [
        [router, outside],
        [router, front.id],
        [router, back.id],
        [web, front.id],
        [app, front.id],
        [app, back.id],
        [data, back.id],
        [associated, outside],
        [associated, web],
        [free, outside],
      ].map(([from, to]) => `${from} to ${to}`),
    };
  }

  /** Deletes everything, the last first, each when nothing is in its way any more. */
  async clear(): Promise<void> {
    for (const path of this.#made.splice(0).reverse()) {
      await eventually(async () => {
        const { status, text } = await this.#gateway.request('DELETE', path);
        assert.ok([204, 404].includes(status), `DELETE ${path}: ${text}`);
        return true;
      });
    }
  }

  async #make<T extends { id: string }>(path: string, body: object): Promise<T> {
    const answer = await this.#gateway.request<T>('POST', path, body);
    assert.ok([200, 201].includes(answer.status), `POST ${path}: ${answer.text}`);
    return answer.body;
  }

  async #makeNetwork(name: string, cidr: string): Promise<{ id: string; subnetId: string }> {
    const { id } = await this.#make<Network>('/api/networks', { name });
    this.#made.push(`/api/networks/${id}`);
    const subnet = await this.#make(`/api/networks/${id}/subnets`, { name, cidr });
    this.#made.push(`/api/networks/subnets/${subnet.id}`);
    return { id, subnetId: subnet.id };
  }

  async #makeInstance(name: string, network_id: string): Promise<string> {
    const request = { ...(await this.#gateway.smallInstanceRequest(name)), network_id };
    const last = (await messagesOf(await this.#gateway.createInstance(request))).at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    this.#made.push(`/api/instances/${last.instance_id}`);
    return last.instance_id ?? '';
  }

  async #makeRouter(external_network_id: string, subnetIds: string[]): Promise<string> {
    const { id } = await this.#make<Router>('/api/routers', { name: 'picture-router', external_network_id });
    this.#made.push(`/api/routers/${id}`);
    for (const subnet_id of subnetIds) {
      await this.#make(`/api/routers/${id}/interfaces`, { subnet_id });
      this.#made.push(`/api/routers/${id}/interfaces/${subnet_id}`);
    }
    return id;
  }

  async #makeFloatingIp(floating_network_id: string): Promise<string> {
    const { id } = await this.#make<FloatingIp>(FLOATING_IPS, { floating_network_id });
    this.#made.push(`${FLOATING_IPS}/${id}`);
    return id;
  }
}
