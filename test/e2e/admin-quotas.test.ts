import assert from 'node:assert/strict';
import type { AdminQuotas, DashboardQuotas } from '@gateway/resources';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import type { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { IdentitySuite } from '../support/stacks/identity-suite.ts';
import { simulatedCloud, testLogin } from '../support/stacks/test-stack.ts';

/** A project of the suite with the administrator as a member. */
async function projectOf(suite: IdentitySuite): Promise<{ path: string; inside: GatewayClient }> {
  const project = await suite.makeProject();
  const { user_id } = await suite.read<{ user_id: string }>('/api/auth/me');
  await suite.assign({ user_id }, project.id, await suite.roleId('member'));
  const inside = await suite.logIn({ ...testLogin('admin'), projectName: project.name });
  return { path: `/api/admin/quotas/${project.id}`, inside: inside.at(suite.otherUrl) };
}

describe('administration of quotas', function () {
  this.timeout(300_000);
  let suite: IdentitySuite;
  let path: string;
  let inside: GatewayClient;

  before(async () => {
    suite = await IdentitySuite.start({ workers: 1 });
    ({ path, inside } = await projectOf(suite));
  });

  after(() => suite?.stop());

  it('changes quotas of several services, which members see at once', async () => {
    const before = await suite.read<AdminQuotas>(path);
    const dashboard = () => suite.read<DashboardQuotas>('/api/dashboard/quotas', inside);
    assert.equal((await dashboard()).compute?.instances.limit, before.compute.instances.limit);

    const limits = { instances: 7, cores: 9, ram: -1, volumes: 3, gigabytes: 30 };
    assert.deepEqual(await suite.change(200, 'PUT', path, limits), { status: 'updated' });

    const of = (limit: number) => ({ limit, in_use: 0 });
    const { compute, volume } = await suite.read<AdminQuotas>(path);
    assert.deepEqual(compute, { instances: of(7), cores: of(9), ram: of(-1) });
    assert.deepEqual(volume, { volumes: of(3), gigabytes: of(30) });
    const seen = await dashboard();
    assert.deepEqual([seen.compute?.instances, seen.storage?.gigabytes], [of(7), of(30)]);
    await suite.change(200, 'PUT', path, { cores: 8 });
    await suite.change(200, 'PUT', path, {});
    const after = await suite.read<AdminQuotas>(path);
    assert.deepEqual(
      [after.compute.cores, after.compute.instances, after.volume.volumes],
      [of(8), of(7), of(3)],
    );
  });

  it('changes those of networks, shares and load balancers, also for members', async () => {
    const dashboard = () => suite.read<DashboardQuotas>('/api/dashboard/quotas', inside);
    await dashboard();
    const limits = { routers: 2, shares: 3, share_gigabytes: 40, load_balancers: 4, members: 5 };

    await suite.change(200, 'PUT', path, limits);

    const { network, file_storage, load_balancer, unavailable } = await suite.read<AdminQuotas>(path);
    const of = (limit: number) => ({ limit, in_use: 0 });
    assert.deepEqual(unavailable, []);
    assert.deepEqual(
      [network?.routers, file_storage?.shares, file_storage?.share_gigabytes],
      [of(2), of(3), of(40)],
    );
    assert.deepEqual([load_balancer?.load_balancers, load_balancer?.members], [of(4), of(5)]);
    const seen = await dashboard();
    assert.deepEqual([seen.network?.routers, seen.file_storage?.gigabytes], [of(2), of(40)]);
    assert.deepEqual(await suite.read('/api/loadbalancers/quota', inside), load_balancer);
    await suite.refused(403, /./, ['GET', path], (await suite.logIn(testLogin('demo'))).at(suite.otherUrl));
  });

  it('refuses limits below what is in use, and changes none then', async () => {
    await suite.change(200, 'PUT', path, { instances: 7, volumes: 3, gigabytes: 30 });
    const volume = await inside.request<{ id: string }>('POST', '/api/volumes', { name: 'v', size_gb: 2 });
    assert.equal(volume.status, 201, volume.text);
    const { volume: used } = await suite.read<AdminQuotas>(path);
    assert.deepEqual([used.volumes.in_use, used.gigabytes.in_use], [1, 2]);

    const body = { instances: 1, volumes: 0, gigabytes: 1 };
    const { errors = [] } = await suite.refused(400, /in use/, ['PUT', path, body]);

    assert.deepEqual(
      errors.map(({ field }) => field),
      ['body.volumes', 'body.gigabytes'],
    );
    assert.equal((await suite.read<AdminQuotas>(path)).compute.instances.limit, 7);
    await suite.change(200, 'PUT', path, { volumes: 1, gigabytes: 2 });
    const refused = await inside.request<{ code: string }>('POST', '/api/volumes', { name: 'w', size_gb: 1 });
    assert.deepEqual([refused.status, refused.body.code], [409, 'quota_exceeded']);
    await eventually(async () => {
      const { status } = await inside.request('DELETE', `/api/volumes/${volume.body.id}`);
      return status === 404;
    });
    await suite.change(200, 'PUT', path, { volumes: 0, gigabytes: 0 });
  });

  it('refuses projects that do not exist', async () => {
    const unknown = `/api/admin/quotas/${'0'.repeat(32)}`;
    await suite.refused(404, /project/, ['GET', unknown]);
    await suite.refused(404, /project/, ['PUT', unknown, { volumes: 1 }]);
  });
});

describe('quotas of several services', function () {
  this.timeout(120_000);
  let suite: IdentitySuite;

  before(async () => {
    suite = await IdentitySuite.start({
      ...simulatedCloud,
      workers: 1,
      config: { jobs: { lock_seconds: 2 } },
    });
  });

  after(() => suite?.stop());

  it('are as before if the last service refuses, and null if unavailable', async () => {
    const control = new CloudsimControl(suite.stack.cloudsim?.url ?? '');
    const { path } = await projectOf(suite);
    const old = { networks: 7, shares: 7, load_balancers: 7 };
    await suite.change(200, 'PUT', path, old);
    const before = await suite.read<AdminQuotas>(path);
    await control.addFault({ service: 'load-balancer', operation: 'quotas.update', status: 403, times: 1 });

    const answer = await suite.ask('PUT', path, { networks: 5, shares: 5, load_balancers: 5 });

    assert.equal(answer.status, 403, answer.text);
    assert.deepEqual(await suite.read<AdminQuotas>(path), before);
    await control.addFault({ service: 'load-balancer', operation: 'quotas.get', status: 403, times: 9 });
    const { load_balancer, network, unavailable } = await suite.read<AdminQuotas>(path);
    assert.deepEqual([load_balancer, unavailable], [null, ['loadBalancer']]);
    assert.deepEqual(network, before.network);
    await control.clear();
  });

  it('include those of a network service that counts no use', async () => {
    const control = new CloudsimControl(suite.stack.cloudsim?.url ?? '');
    const { inside, path } = await projectOf(suite);
    await control.set({ hasQuotaDetails: false });
    const made = await inside.request('POST', '/api/networks', { name: 'counted' });
    assert.equal(made.status, 201, made.text);

    await suite.change(200, 'PUT', path, { networks: 5, routers: 0 });

    const { network, unavailable } = await suite.read<AdminQuotas>(path);
    assert.deepEqual(unavailable, []);
    assert.deepEqual(
      [network?.networks, network?.routers],
      [
        { limit: 5, in_use: 1 },
        { limit: 0, in_use: 0 },
      ],
    );
    const seen = await suite.read<DashboardQuotas>('/api/dashboard/quotas', inside);
    assert.deepEqual(seen.network?.networks, network?.networks);
    await suite.refused(400, /networks must be at least 1/, ['PUT', path, { networks: 0 }]);
    await control.set({ hasQuotaDetails: true });
  });

  for (const [failure, fault] of [
    ['refuses', { status: 403, times: 1 }],
    ['fails after the change', { status: 500, times: 1, after: true }],
    ['breaks the connection after the change', { drop: true, times: 3, after: true }],
  ] as const) {
    it(`are as before, or as wanted, if the second service ${failure}`, async () => {
      const control = new CloudsimControl(suite.stack.cloudsim?.url ?? '');
      const { path } = await projectOf(suite);
      await suite.change(200, 'PUT', path, { instances: 7, volumes: 7 });
      const before = await suite.read<AdminQuotas>(path);
      await control.addFault({ service: 'block-storage', operation: 'quotas.update', ...fault });

      const answer = await suite.ask('PUT', path, { instances: 5, volumes: 5 });

      const after = await suite.read<AdminQuotas>(path);
      if (answer.status === 200) before.compute.instances.limit = before.volume.volumes.limit = 5;
      assert.deepEqual(after, before, answer.text);
      await control.clear();
    });
  }

  it('are old or new, never mixed, if processes die between services', async () => {
    const control = new CloudsimControl(suite.stack.cloudsim?.url ?? '');
    const { path } = await projectOf(suite);
    await suite.change(200, 'PUT', path, { instances: 7, volumes: 7 });
    const hold = await control.hold('before', { service: 'block-storage', operation: 'quotas.update' });
    const lost = suite.admin.at(suite.otherUrl).request('PUT', path, { instances: 5, volumes: 5 });
    lost.catch(() => {});
    assert.equal(await hold.waitUntilReached(60_000), 'held');

    await suite.stack.apis[1]?.kill('SIGKILL');
    await suite.stack.workers[0]?.kill('SIGKILL');
    await suite.stack.workers[0]?.restart();
    await control.clear();

    await eventually(async () => {
      const { compute, volume } = await suite.read<AdminQuotas>(path);
      return compute.instances.limit === 5 && volume.volumes.limit === 5;
    });
    await suite.stack.apis[1]?.restart();
  });

  it('are as before although the worker dies while it puts them back', async () => {
    const control = new CloudsimControl(suite.stack.cloudsim?.url ?? '');
    const { path } = await projectOf(suite);
    await suite.change(200, 'PUT', path, { instances: 7, volumes: 7 });
    await control.addFault({ service: 'block-storage', operation: 'quotas.update', status: 403 });
    const putBack = { service: 'compute', operation: 'quotas.update', nth: 2 };
    const hold = await control.hold('before', putBack);
    const answered = suite.ask('PUT', path, { instances: 5, volumes: 5 });
    assert.equal(await hold.waitUntilReached(60_000), 'held');

    await suite.stack.workers[0]?.kill('SIGKILL');
    await suite.stack.workers[0]?.restart();
    await control.clear();

    const { status } = await answered;
    assert.equal(status, 403);
    const { compute, volume } = await suite.read<AdminQuotas>(path);
    assert.deepEqual([compute.instances.limit, volume.volumes.limit], [7, 7]);
  });

  it('are as before if a service accepts limits, but keeps its own', async () => {
    const control = new CloudsimControl(suite.stack.cloudsim?.url ?? '');
    const { path } = await projectOf(suite);
    await suite.change(200, 'PUT', path, { volumes: 7 });
    const before = await suite.read<AdminQuotas>(path);
    const kept = { quota: { router: before.network?.routers.limit } };
    await control.addFault({ service: 'network', operation: 'quotas.update', status: 200, body: kept });

    const answer = await suite.ask<{ detail: string }>('PUT', path, { volumes: 5, routers: 6 });

    assert.equal(answer.status, 409, answer.text);
    assert.match(
      answer.body.detail,
      /^The network service has accepted the change, but not made it: router stays/,
    );
    assert.deepEqual(await suite.read<AdminQuotas>(path), before);
  });

  it('end as one of two concurrent requests wanted, never as a mixture', async () => {
    const { path } = await projectOf(suite);
    const wanted = [5, 6, 7, 8];

    await Promise.all(
      wanted.map((limit, index) => {
        const client = index % 2 === 0 ? suite.admin : suite.admin.at(suite.otherUrl);
        return client.request('PUT', path, { instances: limit, volumes: limit });
      }),
    );

    const { compute, volume } = await suite.read<AdminQuotas>(path);
    assert.ok(wanted.includes(compute.instances.limit));
    assert.equal(volume.volumes.limit, compute.instances.limit);
  });
});
