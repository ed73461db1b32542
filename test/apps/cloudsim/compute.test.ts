import assert from 'node:assert/strict';
import type { Client } from './client.ts';
import { COMPUTE, computeSuite } from './compute-suite.ts';

describe('simulated compute service', () => {
  const compute = computeSuite();

  it('refuses microversions that it does not support', async () => {
    const { status } = await compute.demo.call('GET', `${COMPUTE}/servers`, undefined, {
      'OpenStack-API-Version': 'compute 2.94',
    });

    assert.equal(status, 406);
  });

  it("hides servers of other projects, and rejects members' lists of all projects", async () => {
    const id = await compute.running();
    const alice = await compute.cloud.as('alice');
    const admin = await compute.cloud.as('admin');

    assert.equal((await alice.call('GET', `${COMPUTE}/servers/${id}`)).status, 404);
    assert.equal((await alice.call('GET', `${COMPUTE}/servers/detail?all_tenants=1`)).status, 403);
    const all = await admin.call('GET', `${COMPUTE}/servers/detail?all_tenants=1`);
    assert.equal(all.body.servers.length, 1);
  });

  it('generates a key pair once, and refuses a duplicate name', async () => {
    const body = { keypair: { name: 'k' } };
    const version = { 'OpenStack-API-Version': 'compute 2.2' };

    const made = await compute.demo.call('POST', `${COMPUTE}/os-keypairs`, body, version);
    const again = await compute.demo.call('POST', `${COMPUTE}/os-keypairs`, body, version);
    const alice = await compute.cloud.as('alice');

    assert.match(made.body.keypair.private_key, /^-----BEGIN RSA PRIVATE KEY-----/);
    assert.match(made.body.keypair.public_key, /^ssh-rsa /);
    assert.equal(again.status, 409);
    assert.deepEqual((await alice.call('GET', `${COMPUTE}/os-keypairs`)).body.keypairs, []);
  });

  it('refuses a key pair with a slash, and finds none', async () => {
    const { call } = compute.demo;

    const made = await call('POST', `${COMPUTE}/os-keypairs`, { keypair: { name: 'a/b' } });
    const removed = await call('DELETE', `${COMPUTE}/os-keypairs/a%2Fb`);

    assert.equal(made.status, 400);
    assert.match(made.body.badRequest.message, /Only expected characters: \[_- 0123/);
    assert.deepEqual([removed.status, removed.body?.itemNotFound], [404, undefined]);
  });

  it('shows a private flavor only to projects with access', async () => {
    const path = `${COMPUTE}/flavors`;
    const names = async (client: Client) =>
      (await client.call('GET', path)).body.flavors.map((flavor: { name: string }) => flavor.name);

    assert.ok(!(await names(compute.demo)).includes('p1.private'));
    assert.ok((await names(await compute.cloud.as('demo', 'demo2'))).includes('p1.private'));
  });

  it('refuses quotas below what is in use, unless they are forced', async () => {
    const admin = await compute.cloud.as('admin');
    const path = `${COMPUTE}/os-quota-sets/${compute.demo.projectId}`;
    await compute.create({ imageRef: compute.imageRef, networks: 'none' });
    const set = (quota_set: object) => admin.call('PUT', path, { quota_set });

    const refused = await set({ instances: 0 });

    assert.equal(refused.status, 400);
    assert.match(refused.body.badRequest.message, /^Quota limit 0 for instances must be greater/);
    assert.equal((await set({ instances: 0, force: true })).status, 200);
    assert.equal((await set({ instances: -1 })).status, 200);
  });
});
