import assert from 'node:assert/strict';
import type { FloatingIp, HealthMonitor, Listener, LoadBalancer, Pool, PoolMember } from '@gateway/resources';
import type { ErrorBody } from '../support/api/client.ts';
import type { CloudClient } from '../support/clients/cloud-client.ts';
import type { GatewayClient } from '../support/clients/gateway-client.ts';
import { makePkcs12 } from '../support/doubles/certificates.ts';
import { LIST, LoadBalancerProject } from '../support/projects/load-balancer-project.ts';
import { externalNetworkId } from '../support/projects/prepared-project.ts';
import { slowly } from '../support/stacks/slowly.ts';

const LISTENER = { protocol: 'HTTP', protocol_port: 80 };
const POOL = { protocol: 'HTTP', lb_algorithm: 'ROUND_ROBIN' };
const MONITOR = { type: 'HTTP', delay: 5, timeout: 3, max_retries: 2 };
const MISSING = '00000000-0000-4000-8000-000000000000';

/** The URL of a certificate in the key manager. */
async function storeCertificate(cloud: CloudClient): Promise<string> {
  const payload = (await makePkcs12('shop.example.org')).toString('base64');
  const { secret_ref } = await cloud.call<{ secret_ref: string }>('key-manager', 'POST', '/v1/secrets', {
    name: 'shop',
    secret_type: 'opaque',
    payload,
    payload_content_type: 'application/octet-stream',
    payload_content_encoding: 'base64',
  });
  return secret_ref;
}

describe('load balancers', function () {
  this.timeout(600_000);
  let project: LoadBalancerProject;

  before(async () => {
    project = await LoadBalancerProject.start({ apis: 2 });
  });

  after(() => project?.remove());

  /** Sends a request that is refused. */
  async function refused(method: string, path: string, body?: object): Promise<[number, string]> {
    const answer = await project.ask<ErrorBody>(method, path, body);
    return [answer.status, answer.body.code];
  }

  /**
   * The twelve calls that create the rest of the tree, without waiting in between. The ports
   * distinguish two trees.
   */
  async function makeTree(path: string, firstPort: number, who: GatewayClient): Promise<void> {
    for (const port of [firstPort, firstPort + 1]) {
      const listener = { name: `listener-${port}`, protocol: 'HTTP', protocol_port: port };
      const { id: listener_id } = await project.make<Listener>(`${path}/listeners`, listener, who);
      const pool = await project.make<Pool>(
        `${path}/pools`,
        { ...POOL, name: `pool-${port}`, listener_id },
        who,
      );
      const below = `${path}/pools/${pool.id}`;
      for (const host of [11, 12, 13]) {
        const member = {
          name: `member-${host}`,
          address: `10.77.0.${host}`,
          protocol_port: port,
          weight: host,
        };
        await project.make<PoolMember>(`${below}/members`, member, who);
      }
      await project.make<HealthMonitor>(`${below}/health-monitor`, MONITOR, who);
    }
  }

  async function assertTree(id: string, ports: number[]): Promise<void> {
    await project.settled(id);
    const { balancer, listeners, pools } = await project.treeOf(id);
    assert.equal(balancer.status, 'ACTIVE');
    assert.deepEqual(listeners.map(({ protocol_port }) => protocol_port).toSorted(), ports);
    assert.deepEqual(
      pools.map(({ name }) => name).toSorted(),
      ports.map((port) => `pool-${port}`).toSorted(),
    );
    for (const { id: poolId, name, members, monitor, health_monitor_id } of pools) {
      const port = Number(name.slice('pool-'.length));
      const listener = listeners.find(({ protocol_port }) => protocol_port === port);
      assert.equal(listener?.default_pool_id, poolId);
      assert.deepEqual(
        members.map(({ address, protocol_port, weight }) => [address, protocol_port, weight]).toSorted(),
        [11, 12, 13].map((host) => [`10.77.0.${host}`, port, host]),
      );
      assert.equal(monitor?.id, health_monitor_id);
    }
    const statuses = [...listeners, ...pools, ...pools.flatMap(({ members }) => members)];
    assert.deepEqual([...new Set(statuses.map(({ status }) => status))], ['ACTIVE']);
  }

  it('are made whole by 13 calls that do not wait in between', async () => {
    const { id } = await project.makeBalancer('whole');
    await makeTree(`${LIST}/${id}`, 80, project.mine);

    await assertTree(id, [80, 81]);
    await project.drop(`${LIST}/${id}`);
  });

  it('get all that two clients make at once, each once', async () => {
    const { id } = await project.makeBalancer('shared');
    const second = project.mine.at(project.stack.apis[1]?.url ?? '');
    await Promise.all([makeTree(`${LIST}/${id}`, 80, project.mine), makeTree(`${LIST}/${id}`, 90, second)]);

    await assertTree(id, [80, 81, 90, 91]);
    await project.drop(`${LIST}/${id}`);
  });

  it('give each api process its turn, however many changes wait at another', async () => {
    const { id } = await project.makeBalancer('busy');
    const pool = await project.make<Pool>(`${LIST}/${id}/pools`, POOL);
    const order: string[] = [];
    const add = async (host: number, who: GatewayClient) => {
      const member = { address: `10.77.0.${host}`, protocol_port: 80 };
      await project.make<PoolMember>(`${LIST}/${id}/pools/${pool.id}/members`, member, who);
      order.push(who === project.mine ? 'many' : 'one');
    };

    // A change takes longer than a request on its way to the other process.
    const changes = async () => {
      const many = [21, 22, 23, 24, 25, 26, 27, 28].map((host) => add(host, project.mine));
      await Promise.race(many);
      await Promise.all([...many, add(29, project.mine.at(project.stack.apis[1]?.url ?? ''))]);
    };
    await slowly(project.stack, changes, 3);

    // The change in progress when the other process asked, and the change that was just about to be sent.
    assert.ok(order.indexOf('one') <= 3, order.join());
    await project.drop(`${LIST}/${id}`);
  });

  it('are created, listed, read and deleted', async () => {
    const { body } = await project.ask<LoadBalancer>('POST', LIST, {
      name: 'front',
      description: 'of the shop',
      vip_subnet_id: project.subnetId,
    });
    const path = `${LIST}/${body.id}`;
    const pending = await project.read<LoadBalancer[]>(LIST);
    const { status, operating_status, ...settled } = await project.settled(body.id);

    const { status: atFirst, operating_status: _, ...created } = body;
    assert.deepEqual([atFirst, status, operating_status], ['PENDING_CREATE', 'ACTIVE', 'ONLINE']);
    assert.deepEqual({ ...settled, updated_at: null }, created);
    assert.deepEqual(
      [settled.name, settled.description, settled.vip_subnet_id, settled.project_id],
      ['front', 'of the shop', project.subnetId, project.id],
    );
    assert.ok(pending.some(({ id }) => id === body.id));
    await project.drop(path);
    await project.isGone(path);
    assert.deepEqual(await refused('DELETE', path), [404, 'not_found']);
  });

  it('have children that are created, listed and deleted one by one', async () => {
    const { id } = await project.makeBalancer();
    const path = `${LIST}/${id}`;
    const pool = await project.make<Pool>(`${path}/pools`, { ...POOL, name: 'tied' });
    const listener = await project.make<Listener>(`${path}/listeners`, {
      ...LISTENER,
      default_pool_id: pool.id,
    });
    const below = `${path}/pools/${pool.id}`;
    assert.deepEqual(await refused('GET', `${below}/health-monitor`), [404, 'not_found']);
    const member = await project.make<PoolMember>(`${below}/members`, {
      address: '10.77.0.20',
      protocol_port: 8080,
      subnet_id: project.subnetId,
    });
    const monitor = await project.make<HealthMonitor>(`${below}/health-monitor`, {
      ...MONITOR,
      name: 'alive',
    });
    await project.settled(id);

    const { listeners, pools } = await project.treeOf(id);
    assert.deepEqual(listeners, [
      { ...listener, status: 'ACTIVE', operating_status: 'ONLINE', default_pool_id: pool.id, name: '' },
    ]);
    const [{ members, monitor: shown, ...only } = assert.fail()] = pools;
    assert.deepEqual([only.id, only.health_monitor_id, only.load_balancer_id], [pool.id, monitor.id, id]);
    assert.deepEqual(shown, { ...monitor, status: 'ACTIVE' });
    assert.deepEqual(
      members.map(({ id: memberId, weight, subnet_id }) => [memberId, weight, subnet_id]),
      [[member.id, 1, project.subnetId]],
    );

    const change = <T>(url: string, body: object) => project.change<T>(200, 'PUT', url, body);
    await change(path, { name: 'renamed', description: 'changed' });
    await change(`${path}/listeners/${listener.id}`, { name: 'web', default_pool_id: null });
    await change(below, { lb_algorithm: 'SOURCE_IP' });
    await change(`${below}/members/${member.id}`, { weight: 0 });
    await change(`${below}/health-monitor/${monitor.id}`, { delay: 9, name: 'slow' });
    await project.settled(id);
    const changed = await project.treeOf(id);
    const [pooled = assert.fail()] = changed.pools;
    assert.deepEqual([changed.balancer.name, changed.balancer.description], ['renamed', 'changed']);
    assert.deepEqual(
      changed.listeners.map(({ name, default_pool_id, status }) => [name, default_pool_id, status]),
      [['web', null, 'ACTIVE']],
    );
    assert.deepEqual(
      [
        pooled.lb_algorithm,
        pooled.name,
        pooled.members[0]?.weight,
        pooled.monitor?.delay,
        pooled.monitor?.name,
      ],
      ['SOURCE_IP', 'tied', 0, 9, 'slow'],
    );
    assert.equal((await project.read<LoadBalancer[]>(LIST)).find((row) => row.id === id)?.name, 'renamed');

    await project.drop(`${below}/health-monitor/${monitor.id}`);
    await project.drop(`${below}/members/${member.id}`);
    await project.drop(`${path}/listeners/${listener.id}`);
    await project.drop(below);
    await project.settled(id);
    const empty = await project.treeOf(id);
    assert.deepEqual([empty.listeners, empty.pools], [[], []]);
    await project.drop(path);
  });

  it('and their children are found below their own parents only', async () => {
    const [one, other] = [await project.makeBalancer('one'), await project.makeBalancer('other')];
    const path = `${LIST}/${one.id}`;
    const wrong = `${LIST}/${other.id}`;
    const listener = await project.make<Listener>(`${path}/listeners`, LISTENER);
    const pool = await project.make<Pool>(`${path}/pools`, POOL);
    const second = await project.make<Pool>(`${path}/pools`, POOL);
    const member = await project.make<PoolMember>(`${path}/pools/${pool.id}/members`, {
      address: '10.77.0.20',
      protocol_port: 80,
    });
    const monitor = await project.make<HealthMonitor>(`${path}/pools/${pool.id}/health-monitor`, MONITOR);
    const requests: [string, string, object?][] = [
      ['PUT', `${wrong}/listeners/${listener.id}`, { name: 'x' }],
      ['PUT', `${path}/listeners/${listener.id}`, { default_pool_id: MISSING }],
      ['PUT', `${wrong}/pools/${pool.id}`, { name: 'x' }],
      ['PUT', `${path}/pools/${second.id}/members/${member.id}`, { weight: 2 }],
      ['PUT', `${path}/pools/${second.id}/health-monitor/${monitor.id}`, { delay: 9 }],
      ['DELETE', `${wrong}/listeners/${listener.id}`],
      ['DELETE', `${wrong}/pools/${pool.id}`],
      ['GET', `${wrong}/pools/${pool.id}/members`],
      ['POST', `${wrong}/pools/${pool.id}/members`, { address: '10.77.0.21', protocol_port: 80 }],
      ['DELETE', `${wrong}/pools/${pool.id}/members/${member.id}`],
      ['DELETE', `${path}/pools/${second.id}/members/${member.id}`],
      ['GET', `${wrong}/pools/${pool.id}/health-monitor`],
      ['POST', `${wrong}/pools/${pool.id}/health-monitor`, MONITOR],
      ['DELETE', `${wrong}/pools/${pool.id}/health-monitor/${monitor.id}`],
      ['DELETE', `${path}/pools/${second.id}/health-monitor/${monitor.id}`],
      ['POST', `${wrong}/pools`, { ...POOL, listener_id: listener.id }],
      ['POST', `${wrong}/listeners`, { ...LISTENER, default_pool_id: pool.id }],
      ['GET', `${LIST}/${MISSING}`],
      ['GET', `${LIST}/${MISSING}/pools`],
    ];
    for (const [method, url, body] of requests) {
      assert.deepEqual(await refused(method, url, body), [404, 'not_found'], `${method} ${url}`);
    }

    await project.isUnlisted(LIST, one.id);
    await project.isHidden('GET', path);
    await project.isHidden('PUT', path, { name: 'x' });
    await project.isHidden('POST', `${path}/floating-ip`, { floating_ip_id: MISSING });
    await project.isHidden('DELETE', path);
    await project.isHidden('GET', `${path}/listeners`);
    await project.isHidden('POST', `${path}/listeners`, LISTENER);
    await project.isHidden('PUT', `${path}/listeners/${listener.id}`, { name: 'x' });
    await project.isHidden('DELETE', `${path}/listeners/${listener.id}`);
    await project.isHidden('GET', `${path}/pools`);
    await project.isHidden('POST', `${path}/pools`, POOL);
    await project.isHidden('PUT', `${path}/pools/${pool.id}`, { name: 'x' });
    await project.isHidden('DELETE', `${path}/pools/${pool.id}`);
    await project.isHidden('GET', `${path}/pools/${pool.id}/members`);
    await project.isHidden('PUT', `${path}/pools/${pool.id}/members/${member.id}`, { weight: 2 });
    await project.isHidden('DELETE', `${path}/pools/${pool.id}/members/${member.id}`);
    await project.isHidden('GET', `${path}/pools/${pool.id}/health-monitor`);
    await project.isHidden('PUT', `${path}/pools/${pool.id}/health-monitor/${monitor.id}`, { delay: 9 });
    await project.isHidden('DELETE', `${path}/pools/${pool.id}/health-monitor/${monitor.id}`);
    const { listeners, pools } = await project.treeOf(one.id);
    assert.deepEqual([listeners.length, pools.length], [1, 2]);
    await project.drop(path);
    await project.drop(wrong);
  });

  it('end TLS with a certificate of the key manager', async () => {
    const { id } = await project.makeBalancer('secure');
    const listeners = `${LIST}/${id}/listeners`;
    const listener = { protocol: 'TERMINATED_HTTPS', protocol_port: 443 };
    if (!project.cloud.has('key-manager')) {
      const default_tls_container_ref = `https://keys.example.org/v1/secrets/${MISSING}`;
      const elsewhere = { ...listener, default_tls_container_ref };
      assert.deepEqual(await refused('POST', listeners, elsewhere), [400, 'invalid_input']);
      return project.drop(`${LIST}/${id}`);
    }
    const [mine, other] = [await storeCertificate(project.cloud), await storeCertificate(project.admin)];

    const { default_tls_container_ref: shown, id: listenerId } = await project.make<Listener>(listeners, {
      ...listener,
      default_tls_container_ref: mine,
    });

    assert.equal(shown, mine);
    await project.settled(id);
    const path = `${listeners}/${listenerId}`;
    const theirs = { default_tls_container_ref: other };
    assert.deepEqual(await refused('PUT', path, theirs), [400, 'invalid_input']);
    assert.deepEqual(await refused('POST', listeners, { ...listener, protocol_port: 444 }), [
      400,
      'invalid_input',
    ]);
    const plain = { ...LISTENER, default_tls_container_ref: mine };
    assert.deepEqual(await refused('POST', listeners, plain), [400, 'invalid_input']);
    await project.drop(`${LIST}/${id}`);
    await project.isGone(`${LIST}/${id}`);
    for (const [cloud, ref] of [
      [project.cloud, mine],
      [project.admin, other],
    ] as const) {
      await cloud.call('key-manager', 'DELETE', `/v1${ref.slice(ref.lastIndexOf('/secrets/'))}`);
    }
  });

  it('give their floating IP back to the project when they are deleted', async () => {
    const { id, vip_port_id } = await project.makeBalancer('public');
    const path = `${LIST}/${id}`;
    await project.make<Listener>(`${path}/listeners`, LISTENER);
    const body = { floating_network_id: await externalNetworkId(project.admin) };
    const { body: floatingip } = await project.ask<FloatingIp>('POST', '/api/networks/floating-ips', body);
    const associate = () =>
      project.ask<FloatingIp & ErrorBody>('POST', `${path}/floating-ip`, { floating_ip_id: floatingip.id });

    const { body: associated } = await associate();
    assert.deepEqual([associated.id, associated.port_id], [floatingip.id, vip_port_id]);
    assert.deepEqual((await associate()).status, 409);
    const disassociate = `/api/networks/floating-ips/${floatingip.id}/disassociate`;
    assert.equal((await project.ask<FloatingIp>('POST', disassociate)).body.port_id, null);
    assert.equal((await associate()).status, 200);
    await project.drop(path);

    const { floatingip: free } = await project.cloud.call<{
      floatingip: { port_id: string | null; project_id: string };
    }>('network', 'GET', `/v2.0/floatingips/${floatingip.id}`);
    assert.deepEqual([free.port_id, free.project_id], [null, project.id]);
    await project.isGone(path);
  });

  it('reject duplicates, unknown resources, and an exceeded quota', async () => {
    const { id } = await project.makeBalancer();
    const path = `${LIST}/${id}`;
    const listener = await project.make<Listener>(`${path}/listeners`, LISTENER);
    const pool = await project.make<Pool>(`${path}/pools`, { ...POOL, listener_id: listener.id });
    const members = `${path}/pools/${pool.id}/members`;
    const member = { address: '10.77.0.30', protocol_port: 80 };
    await project.make<PoolMember>(members, member);
    const monitor = `${path}/pools/${pool.id}/health-monitor`;
    await project.make<HealthMonitor>(monitor, MONITOR);
    await project.settled(id);

    assert.deepEqual(await refused('POST', `${path}/listeners`, LISTENER), [409, 'conflict']);
    assert.deepEqual(await refused('POST', `${path}/pools`, { ...POOL, listener_id: listener.id }), [
      409,
      'conflict',
    ]);
    assert.deepEqual(await refused('POST', members, member), [409, 'conflict']);
    assert.deepEqual(await refused('POST', monitor, MONITOR), [409, 'conflict']);
    const invalid: [string, object][] = [
      [LIST, { name: 'x', vip_subnet_id: MISSING }],
      [`${path}/listeners`, { protocol: 'GOPHER', protocol_port: 70 }],
      [`${path}/listeners`, { protocol: 'HTTP', protocol_port: 0 }],
      [`${path}/pools`, { protocol: 'HTTP', lb_algorithm: 'AT_RANDOM' }],
      [`${path}/pools`, { ...POOL, protocol: 'HTTPS', listener_id: listener.id }],
      [members, { address: 'example.org', protocol_port: 80 }],
      [members, { address: '10.77.0.31', protocol_port: 80, subnet_id: MISSING }],
      [monitor, { ...MONITOR, type: 'ECHO' }],
    ];
    for (const [url, body] of invalid) {
      assert.deepEqual(
        await refused('POST', url, body),
        [400, 'invalid_input'],
        `${url} ${JSON.stringify(body)}`,
      );
    }
    await project.setQuota({ load_balancer: 0, listener: 0, pool: 0, member: 0, health_monitor: 0 });
    const { id: other } = await project.settled(id);
    const full: [string, object][] = [
      [LIST, { name: 'x', vip_subnet_id: project.subnetId }],
      [`${LIST}/${other}/listeners`, { protocol: 'HTTP', protocol_port: 8000 }],
      [`${path}/pools`, POOL],
      [members, { address: '10.77.0.32', protocol_port: 80 }],
    ];
    for (const [url, body] of full) {
      assert.deepEqual(await refused('POST', url, body), [409, 'quota_exceeded'], url);
    }
    await project.setQuota({ load_balancer: -1, listener: -1, pool: -1, member: -1, health_monitor: -1 });
    await project.drop(path);
  });
});
