import assert from 'node:assert/strict';
import type { HealthMonitor, Listener, LoadBalancer, Pool, PoolMember } from '@gateway/resources';
import type { GatewayClient } from '../clients/gateway-client.ts';
import { eventually } from '../eventually.ts';
import type { startTestStack } from '../stacks/test-stack.ts';
import type { Prepared } from './prepared-cloud.ts';
import { createNetwork, externalNetworkId } from './prepared-project.ts';
import { TestProject } from './test-project.ts';

export const LIST = '/api/loadbalancers';

/** A load balancer with all that is below it. */
interface Tree {
  balancer: LoadBalancer;
  listeners: Listener[];
  pools: (Pool & { members: PoolMember[]; monitor: HealthMonitor | null })[];
}

/** A change takes seconds on a loaded real cloud. */
const TIMEOUT_MS = 120_000;

/** The project of a suite about load balancers, with a network behind a router. */
export class LoadBalancerProject extends TestProject {
  #network?: Prepared;
  subnetId = '';

  static async start(options: Parameters<typeof startTestStack>[0] = {}): Promise<LoadBalancerProject> {
    const project = new LoadBalancerProject(await TestProject.prepare(options));
    project.#network = await createNetwork(project.cloud, await externalNetworkId(project.admin));
    const { subnets } = await project.cloud.call<{ subnets: { id: string }[] }>(
      'network',
      'GET',
      `/v2.0/subnets?network_id=${project.#network.id}`,
    );
    project.subnetId = subnets[0]?.id ?? '';
    return project;
  }

  /** Creates a resource, which must be pending. */
  override async make<T extends { id: string; status?: string }>(
    path: string,
    body: object,
    who?: GatewayClient,
  ): Promise<T> {
    const made = await super.make<T>(path, body, who);
    assert.equal(made.status, 'PENDING_CREATE');
    return made;
  }

  makeBalancer(name = 'made'): Promise<LoadBalancer> {
    return this.make<LoadBalancer>(LIST, { name, vip_subnet_id: this.subnetId });
  }

  /** Waits until the service has carried out the last change. */
  async settled(id: string): Promise<LoadBalancer> {
    return eventually(async () => {
      const balancer = await this.read<LoadBalancer>(`${LIST}/${id}`);
      return balancer.status.startsWith('PENDING_') ? undefined : balancer;
    }, TIMEOUT_MS);
  }

  async treeOf(id: string): Promise<Tree> {
    const path = `${LIST}/${id}`;
    const pools = [];
    for (const pool of await this.read<Pool[]>(`${path}/pools`)) {
      const monitor = await this.ask<HealthMonitor>('GET', `${path}/pools/${pool.id}/health-monitor`);
      pools.push({
        ...pool,
        members: await this.read<PoolMember[]>(`${path}/pools/${pool.id}/members`),
        monitor: monitor.status === 200 ? monitor.body : null,
      });
    }
    const listeners = await this.read<Listener[]>(`${path}/listeners`);
    return { balancer: await this.read<LoadBalancer>(path), listeners, pools };
  }

  /** Sets a quota of the project, `load_balancer` or another one of the service; -1 for no limit. */
  async setQuota(quota: Record<string, number>): Promise<void> {
    await this.admin.call('load-balancer', 'PUT', `/v2.0/lbaas/quotas/${this.id}`, { quota });
  }

  /** Removes everything from the project, the project, and the processes. */
  async remove(): Promise<void> {
    await eventually(async () => {
      const { loadbalancers: left } = await this.cloud.call<{ loadbalancers: { id: string }[] }>(
        'load-balancer',
        'GET',
        '/v2.0/lbaas/loadbalancers',
      );
      for (const { id } of left) {
        const path = `/v2.0/lbaas/loadbalancers/${id}?cascade=true`;
        await this.cloud.call('load-balancer', 'DELETE', path, undefined, [404, 409]);
      }
      return left.length === 0;
    }, TIMEOUT_MS);
    await this.#removeFloatingIps();
    await eventually(async () => {
      await this.#network?.remove();
      return true;
    });
    await this.removeEmpty();
  }

  async #removeFloatingIps(): Promise<void> {
    const { floatingips } = await this.cloud.call<{ floatingips: { id: string }[] }>(
      'network',
      'GET',
      `/v2.0/floatingips?project_id=${this.id}`,
    );
    for (const { id } of floatingips) await this.cloud.call('network', 'DELETE', `/v2.0/floatingips/${id}`);
  }
}
