import assert from 'node:assert/strict';
import type { AdminFlavor, Flavor, FlavorAccess } from '@gateway/resources';
import type { GatewayClient } from '../support/clients/gateway-client.ts';
import { AdminStack } from '../support/stacks/admin-stack.ts';
import { freshName } from '../support/stacks/identity-suite.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

const FLAVORS = '/api/admin/flavors';

describe('administration of flavors', function () {
  this.timeout(300_000);
  let suite: AdminStack;
  let demo: GatewayClient;
  let alice: GatewayClient;

  before(async () => {
    suite = await AdminStack.start();
    demo = await suite.logIn(testLogin('demo'));
    alice = (await suite.logIn(testLogin('alice'))).at(suite.otherUrl);
  });

  after(() => suite?.stop());

  const makeFlavor = (more: object = {}) =>
    suite.make<AdminFlavor>(FLAVORS, { name: freshName('flavor'), vcpus: 1, ram: 64, disk: 1, ...more });
  const all = () => suite.allPages<AdminFlavor>(FLAVORS, 100);
  /** The flavor in the list of a project, which was cached before. */
  const seenBy = async (who: GatewayClient, id: string) =>
    (await suite.read<Flavor[]>('/api/flavors', who)).find((flavor) => flavor.id === id);

  it("creates and deletes flavors, as members' next lists show", async () => {
    assert.equal(await seenBy(demo, 'none'), undefined);
    assert.equal(await seenBy(alice, 'none'), undefined);

    const flavor = await makeFlavor({ disk: 0, description: 'of a test' });

    const { description, ...row } = flavor;
    assert.deepEqual(flavor, {
      id: flavor.id,
      name: flavor.name,
      vcpus: 1,
      ram: 64,
      disk: 0,
      is_public: true,
      extra_specs: {},
      is_gpu: false,
      gpu_count: 0,
      description: 'of a test',
    });
    assert.deepEqual(await seenBy(demo, flavor.id), row);
    assert.deepEqual(await seenBy(alice, flavor.id), row);
    assert.deepEqual(
      (await all()).find(({ id }) => id === flavor.id),
      flavor,
    );
    await suite.refused(409, /already exists/, ['POST', FLAVORS, { ...row, name: flavor.name }]);

    await suite.change(204, 'DELETE', `${FLAVORS}/${flavor.id}`);
    assert.deepEqual([await seenBy(demo, flavor.id), await seenBy(alice, flavor.id)], [undefined, undefined]);
    await suite.refused(404, /could not be found/, ['DELETE', `${FLAVORS}/${flavor.id}`]);
    await suite.refused(400, /begin/, ['GET', `${FLAVORS}?marker=${flavor.id}`]);
  });

  it('lists all flavors in pages, and public or private ones alone', async () => {
    const hidden = await makeFlavor({ is_public: false });
    const rows = await suite.allPages<AdminFlavor>(FLAVORS, 2);
    assert.deepEqual(rows, await all());
    const of = async (is_public: boolean) =>
      (await suite.read<{ items: AdminFlavor[] }>(`${FLAVORS}?limit=100&is_public=${is_public}`)).items;

    assert.deepEqual(
      (await of(true)).map(({ id }) => id),
      rows.filter((row) => row.is_public).map(({ id }) => id),
    );
    const privates = await of(false);
    assert.ok(privates.some(({ id }) => id === hidden.id));
    assert.ok(privates.every(({ is_public }) => !is_public));
    assert.equal(rows.find(({ name }) => name === 'g1.small')?.gpu_count, 1);
  });

  it('gives projects access to a private flavor, and withdraws it', async () => {
    const flavor = await makeFlavor({ is_public: false });
    const access = `${FLAVORS}/${flavor.id}/access`;
    assert.equal(await seenBy(demo, flavor.id), undefined);
    assert.deepEqual(await suite.read(access), []);

    const row = await suite.change<FlavorAccess>(201, 'POST', access, { project_id: demo.projectId });

    assert.deepEqual(row, {
      flavor_id: flavor.id,
      project_id: demo.projectId,
      project_name: testLogin('demo').projectName,
    });
    assert.deepEqual(await suite.read(access), [row]);
    assert.equal((await seenBy(demo, flavor.id))?.name, flavor.name);
    assert.equal(await seenBy(alice, flavor.id), undefined);
    await suite.refused(409, /already exists/, ['POST', access, { project_id: demo.projectId }]);
    await suite.refused(404, /project/, ['POST', access, { project_id: '0'.repeat(32) }]);

    await suite.change(204, 'DELETE', `${access}/${demo.projectId}`);
    assert.equal(await seenBy(demo, flavor.id), undefined);
    await suite.refused(404, /access not found/, ['DELETE', `${access}/${demo.projectId}`]);
  });

  it('has no list of access of a public flavor', async () => {
    const flavor = await makeFlavor();
    const access = `${FLAVORS}/${flavor.id}/access`;
    assert.deepEqual(await suite.read(access), []);
    await suite.refused(409, /public/, ['POST', access, { project_id: demo.projectId }]);
    await suite.refused(404, /could not be found/, ['GET', `${FLAVORS}/${crypto.randomUUID()}/access`]);
  });

  it('sets and removes extra specs, from which the GPUs are counted', async () => {
    const flavor = await makeFlavor();
    const specs = `${FLAVORS}/${flavor.id}/extra-specs`;
    const spec = { key: 'pci_passthrough:alias', value: 'a100:2' };
    assert.equal((await seenBy(alice, flavor.id))?.gpu_count, 0);

    assert.deepEqual(await suite.change(200, 'POST', specs, spec), spec);

    const seen = await seenBy(alice, flavor.id);
    assert.deepEqual([seen?.gpu_count, seen?.is_gpu, seen?.extra_specs], [2, true, { [spec.key]: 'a100:2' }]);
    await suite.change(200, 'POST', specs, { ...spec, value: 'a100:4' });
    assert.equal((await seenBy(alice, flavor.id))?.gpu_count, 4);
    await suite.change(200, 'POST', specs, { key: 'a b.c', value: '' });
    await suite.change(204, 'DELETE', `${specs}/a%20b.c`);
    await suite.change(204, 'DELETE', `${specs}/${encodeURIComponent(spec.key)}`);
    assert.deepEqual((await seenBy(alice, flavor.id))?.extra_specs, {});
    await suite.refused(404, /no extra specs/, ['DELETE', `${specs}/${encodeURIComponent(spec.key)}`]);
    await suite.refused(404, /could not be found/, [
      'POST',
      `${FLAVORS}/${crypto.randomUUID()}/extra-specs`,
      spec,
    ]);
  });
});
