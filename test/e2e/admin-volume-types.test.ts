import assert from 'node:assert/strict';
import type { AdminVolumeType, VolumeType, VolumeTypeAccess } from '@gateway/resources';
import type { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { AdminStack } from '../support/stacks/admin-stack.ts';
import { freshName } from '../support/stacks/identity-suite.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

const TYPES = '/api/admin/volume-types';

describe('administration of volume types', function () {
  this.timeout(120_000);
  let suite: AdminStack;
  let demo: GatewayClient;

  before(async () => {
    suite = await AdminStack.start();
    demo = (await suite.logIn(testLogin('demo'))).at(suite.otherUrl);
  });

  after(() => suite?.stop());

  const seen = async (id: string) =>
    (await suite.read<VolumeType[]>('/api/volume-types', demo)).find((type) => type.id === id);
  const all = () => suite.read<AdminVolumeType[]>(TYPES);

  it("creates, changes and deletes types, as members' next lists show", async () => {
    await seen('none');
    const name = freshName('fast');
    const extra_specs = { volume_backend_name: 'nvme' };

    const type = await suite.make<AdminVolumeType>(TYPES, { name, description: 'NVMe', extra_specs });

    assert.deepEqual(type, { id: type.id, name, description: 'NVMe', is_public: true, extra_specs });
    assert.equal((await seen(type.id))?.name, name);
    await suite.refused(409, /already exists/, ['POST', TYPES, { name }]);
    const path = `${TYPES}/${type.id}`;
    const hidden = await suite.change<AdminVolumeType>(200, 'PUT', path, { is_public: false });
    assert.deepEqual(hidden, { ...type, is_public: false });
    assert.equal(await seen(type.id), undefined);
    assert.deepEqual(
      (await all()).find(({ id }) => id === type.id),
      hidden,
    );
    const renamed = await suite.change<AdminVolumeType>(200, 'PUT', path, {
      name: `${name}-2`,
      is_public: true,
    });
    assert.deepEqual(renamed, { ...type, name: `${name}-2` });
    assert.deepEqual(await suite.change(200, 'PUT', path, {}), renamed);
    assert.equal((await seen(type.id))?.name, `${name}-2`);
    await suite.change(200, 'POST', `${path}/extra-specs`, { key: 'multiattach', value: '<is> True' });
    await suite.change(204, 'DELETE', `${path}/extra-specs/volume_backend_name`);
    assert.deepEqual((await all()).find(({ id }) => id === type.id)?.extra_specs, {
      multiattach: '<is> True',
    });
    await suite.refused(404, /extra specs/, ['DELETE', `${path}/extra-specs/volume_backend_name`]);
    await suite.refused(
      403,
      /./,
      ['POST', `${path}/extra-specs`, { key: 'volume_backend_name', value: 'x' }],
      demo,
    );
    await suite.change(204, 'DELETE', path);
    assert.equal(await seen(type.id), undefined);
    for (const [method, body] of [['DELETE'], ['PUT', { name: 'x' }]] as const) {
      await suite.refused(404, /could not be found/, [method, path, body]);
    }
  });

  it('gives projects access to a private type, and withdraws it', async () => {
    const type = await suite.make<AdminVolumeType>(TYPES, { name: freshName('hidden'), is_public: false });
    const access = `${TYPES}/${type.id}/access`;
    const alice = (await suite.logIn(testLogin('alice'))).at(suite.otherUrl);
    const seenBy = async (who: GatewayClient) =>
      (await suite.read<VolumeType[]>('/api/volume-types', who)).some(({ id }) => id === type.id);
    assert.deepEqual([await seenBy(demo), await seenBy(alice)], [false, false]);
    assert.deepEqual(await suite.read(access), []);
    const { projectId: project_id } = demo;

    const row = await suite.change<VolumeTypeAccess>(201, 'POST', access, { project_id });

    const project_name = testLogin('demo').projectName;
    assert.deepEqual(row, { volume_type_id: type.id, project_id, project_name });
    assert.deepEqual(await suite.read(access), [row]);
    assert.deepEqual([await seenBy(demo), await seenBy(alice)], [true, false]);
    await suite.refused(409, /already exists/, ['POST', access, { project_id }]);
    await suite.refused(404, /project/, ['POST', access, { project_id: '0'.repeat(32) }]);
    for (const [method, path, body] of [
      ['GET', access],
      ['POST', access, { project_id }],
      ['DELETE', `${access}/${project_id}`],
    ] as const) {
      await suite.refused(403, /./, [method, path, body], demo);
    }

    await suite.change(204, 'DELETE', `${access}/${project_id}`);

    assert.equal(await seenBy(demo), false);
    await suite.refused(404, /access not found/, ['DELETE', `${access}/${project_id}`]);
    await suite.change(200, 'PUT', `${TYPES}/${type.id}`, { is_public: true });
    assert.deepEqual(await suite.read(access), []);
    await suite.refused(409, /public/, ['POST', access, { project_id }]);
    await suite.refused(409, /public/, ['DELETE', `${access}/${project_id}`]);
    await suite.refused(404, /could not be found/, ['GET', `${TYPES}/${crypto.randomUUID()}/access`]);
  });

  it('keeps the default type and types that volumes have', async () => {
    const [standard] = (await suite.read<VolumeType[]>('/api/volume-types', demo)).filter(
      ({ is_default }) => is_default,
    );
    await suite.refused(409, /cannot be deleted/, ['DELETE', `${TYPES}/${standard?.id}`]);
    const type = await suite.make<AdminVolumeType>(TYPES, { name: freshName('used') });
    const volume = { name: 'typed', size: 1, volume_type: type.id };
    const made = await suite.cloud.call<{ volume: { id: string } }>('volumev3', 'POST', '/volumes', {
      volume,
    });

    const path = `${TYPES}/${type.id}`;
    await suite.refused(409, /in use/, ['DELETE', path]);
    const spec = { key: 'volume_backend_name', value: 'nvme' };
    await suite.refused(409, /in use/, ['POST', `${path}/extra-specs`, spec]);

    await suite.cloud.call('volumev3', 'POST', `/volumes/${made.volume.id}/action`, {
      'os-force_delete': {},
    });
    await eventually(async () => {
      const { status } = await suite.ask('DELETE', `${TYPES}/${type.id}`);
      return status === 204;
    });
  });
});
