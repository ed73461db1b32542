import { type BoundClient, waitForGone, waitForStatus } from '@gateway/openstack';
import { record } from './recorder.ts';
import { addCleanup, recordRequired, unknownId, waitOptions } from './scenario.ts';

export async function recordLoadBalancers(mine: BoundClient, subnetId: string): Promise<void> {
  const { loadBalancers, listeners, pools, members, healthMonitors } = mine.loadBalancer;
  const create = { name: 'record-balancer', vip_subnet_id: subnetId };
  await record('load-balancer/load-balancer-not-found', () => loadBalancers.get(unknownId));
  await record('load-balancer/load-balancer-invalid', () =>
    loadBalancers.create({ ...create, vip_subnet_id: unknownId }),
  );
  const { id } = await recordRequired('load-balancer/load-balancer-create', () =>
    loadBalancers.create(create),
  );
  addCleanup('load balancer', async () => {
    await settled();
    await loadBalancers.removeWithChildren(id);
    const options = waitOptions('The load balancer');
    await waitForGone(
      () => loadBalancers.get(id),
      ({ provisioning_status }) => provisioning_status,
      options,
    );
  });
  const settled = () =>
    waitForStatus(
      () => loadBalancers.get(id),
      ({ provisioning_status }) => provisioning_status,
      { ...waitOptions('The load balancer'), targetStates: ['ACTIVE'], failedStates: ['ERROR'] },
    );
  const listener = { loadbalancer_id: id, protocol: 'HTTP', protocol_port: 80 };
  await record('load-balancer/load-balancer-busy', () => listeners.create(listener));
  await settled();
  const made = await recordRequired('load-balancer/listener-create', () => listeners.create(listener));
  await settled();
  const pool = await recordRequired('load-balancer/pool-create', () =>
    pools.create({
      loadbalancer_id: id,
      listener_id: made.id,
      protocol: 'HTTP',
      lb_algorithm: 'ROUND_ROBIN',
    }),
  );
  await settled();
  const { id: memberId } = await recordRequired('load-balancer/member-create', () =>
    members.create(pool.id, { address: '10.0.0.11', protocol_port: 80 }),
  );
  await settled();
  const monitor = await recordRequired('load-balancer/health-monitor-create', () =>
    healthMonitors.create({ pool_id: pool.id, type: 'HTTP', delay: 5, timeout: 3, max_retries: 2 }),
  );
  await settled();
  await record('load-balancer/load-balancer', () => loadBalancers.get(id));
  await record('load-balancer/load-balancers', () => loadBalancers.list());
  await record('load-balancer/listener', () => listeners.get(made.id));
  await record('load-balancer/listeners', () => listeners.list({ loadbalancer_id: id }));
  await record('load-balancer/listener-exists', () => listeners.create(listener));
  await record('load-balancer/pool', () => pools.get(pool.id));
  await record('load-balancer/pools', () => pools.list({ loadbalancer_id: id }));
  await record('load-balancer/member', () => members.get(pool.id, memberId));
  await record('load-balancer/members', () => members.list(pool.id));
  await record('load-balancer/health-monitor', () => healthMonitors.get(monitor.id));
}
