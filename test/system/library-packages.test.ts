import assert from 'node:assert/strict';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { Builder } from '../support/doubles/builder.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { serviceLogin, testLogin } from '../support/stacks/test-stack.ts';
import { buildOf, endedBuild, startBuild } from '../support/subjects/builds.ts';
import { shareRecord } from '../support/subjects/layer-records.ts';

const BASE = { id: 'base', name: 'Base', version: '1', packages: ['numpy==2.1', 'six'], depends_on: [] };
const TOP = { id: 'top', name: 'Top', version: '1', packages: ['NumPy', 'pandas'], depends_on: ['base'] };
const OTHER = { id: 'other', name: 'Other', version: '1', packages: ['numpy'], depends_on: [] };
const ALONE = { ...OTHER, id: 'alone', packages: [] };
const HOMELESS = { ...OTHER, id: 'homeless', python_version: '3.11' };
const STRICT = { id: 'strict', name: 'Strict', version: '1', packages: ['numpy==2.2'], depends_on: ['base'] };

interface ErrorBody {
  detail: string;
  errors?: { field: string; message: string }[];
}

describe('the packages of prebuilt libraries', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;
  let admin: GatewayClient;
  let cloud: CloudClient;

  before(async () => {
    simulated = await SimulatedStack.start({
      config: { libraries: [BASE, TOP, OTHER, ALONE, HOMELESS, STRICT] },
    });
    await simulated.control.set({ guest: { packageVersions: { numpy: '2.2', six: '1.17' } } });
    admin = await GatewayClient.logIn(simulated.stack.url, testLogin('admin'));
    cloud = await CloudClient.logIn(simulated.stack.identityUrl ?? '', serviceLogin);
    assert.equal((await build(BASE.id)).status, 'ready');
    await simulated.control.set({ guest: { packageVersions: { numpy: '2.2', six: '1.18' } } });
  });

  after(() => simulated?.stop());

  async function build(libraryId: string) {
    const { status, text, body } = await startBuild(admin, libraryId);
    assert.equal(status, 202, text);
    return endedBuild(admin, body.job_id);
  }

  async function recordedPackages(shareId: string | null): Promise<string | undefined> {
    return (await shareRecord(cloud, shareId ?? '')).metadata.overlay_packages;
  }

  it('are available when the catalogue shows the library as prebuilt', async () => {
    const prebuilt = async () => {
      const libraries =
        await simulated.gateway.read<{ id: string; file_storage_id: string | null }[]>('/api/libraries');
      return libraries.find(({ id }) => id === ALONE.id)?.file_storage_id;
    };
    assert.equal(await prebuilt(), null);

    const { file_storage_id: shareId } = await build(ALONE.id);

    assert.equal(await prebuilt(), shareId);
  });

  it('are those of its dependencies for a library that is built later', async () => {
    const { status, file_storage_id: shareId, message } = await build(TOP.id);

    assert.equal(status, 'ready', message);
    assert.equal(await recordedPackages(shareId), 'numpy==2.1,pandas==1.0');
    const { gateway, request } = simulated;
    const created = (await gateway.messagesOfCreation({ ...request, libraries: [TOP.id] })).at(-1);
    assert.equal(created?.step, 'COMPLETED', created?.error ?? '');
    const detail = await gateway.read<{ overlay_strategy: string }>(`/api/instances/${created.instance_id}`);
    assert.equal(detail.overlay_strategy, 'prebuilt');
    assert.equal((await gateway.request('DELETE', `/api/instances/${created.instance_id}`)).status, 204);
  });

  it('fail a build whose requirements exclude those of its dependencies', async () => {
    const { status, message } = await build(STRICT.id);

    assert.equal(status, 'error');
    assert.match(message, /Cannot install numpy==2\.2 because these package versions have conflicting/);
  });

  it('are refused for one Python without its interpreter, with one sentence', async () => {
    const message =
      'homeless requires Python 3.11, and no library that it depends on brings this interpreter.';
    const { gateway, request } = simulated;

    const { body } = await gateway.request<{ conflicts: { code: string; message: string }[] }>(
      'POST',
      '/api/libraries/validate',
      { library_ids: [HOMELESS.id] },
    );
    const creation = await gateway.request<ErrorBody>('POST', '/api/instances', {
      ...request,
      libraries: [HOMELESS.id],
      strategy: 'dynamic',
    });
    const refusedBuild = await admin.request<ErrorBody>(
      'POST',
      `/api/admin/file-storage/build?library_id=${HOMELESS.id}`,
    );

    assert.deepEqual(
      body.conflicts.map(({ code, message }) => [code, message]),
      [['interpreter', message]],
    );
    assert.deepEqual(
      [creation.status, creation.body.errors],
      [400, [{ field: 'body.libraries', message }]],
      creation.text,
    );
    assert.deepEqual(
      [refusedBuild.status, refusedBuild.body.errors],
      [400, [{ field: 'query.library_id', message }]],
      refusedBuild.text,
    );
  });

  it('fail a build that installs a package in two versions', async () => {
    await simulated.control.set({ guest: { outcome: 'silent' } });
    const { job_id: jobId } = (await startBuild(admin, OTHER.id)).body;
    const serverId = await eventually(async () => (await buildOf(admin, jobId)).server_id ?? undefined);
    const builder = await Builder.of(cloud, serverId);

    assert.equal(await builder.succeeds(['numpy==2.1', 'NumPy==2.2']), 200);

    const { status, message } = await endedBuild(admin, jobId);
    assert.equal(status, 'error');
    assert.match(message, /: it contains numpy in two versions, 2\.1 and 2\.2\.$/);
    await simulated.control.set({ guest: { outcome: 'succeeds' } });
  });

  it('reject an instance with different versions, before anything is created', async () => {
    const { file_storage_id: shareId } = await build(OTHER.id);
    assert.equal(await recordedPackages(shareId), 'numpy==2.2');
    const message = 'The prebuilt libraries contain numpy in different versions: 2.1 in base; 2.2 in other.';
    const validation = await simulated.gateway.request<{ valid: boolean; conflicts: object[] }>(
      'POST',
      '/api/libraries/validate',
      { library_ids: [BASE.id, OTHER.id] },
    );
    assert.equal(validation.body.valid, false);
    assert.deepEqual(validation.body.conflicts, [
      { code: 'package_version', library_ids: [BASE.id, OTHER.id], message },
    ]);
    const baseline = await simulated.control.inventory();
    const { gateway, request } = simulated;
    const body = { ...request, libraries: [BASE.id, OTHER.id] };

    for (const strategy of ['prebuilt', undefined]) {
      const refused = await gateway.request<{ code: string; detail: string }>('POST', '/api/instances', {
        ...body,
        ...(strategy && { strategy }),
      });

      assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_input'], refused.text);
      assert.ok(refused.body.detail.startsWith(message), refused.body.detail);
    }
    assert.deepEqual(await simulated.control.inventory(), baseline);

    const dynamic = (await gateway.messagesOfCreation({ ...body, strategy: 'dynamic' })).at(-1);
    assert.equal(dynamic?.step, 'COMPLETED', dynamic?.error ?? '');
    assert.equal((await gateway.request('DELETE', `/api/instances/${dynamic.instance_id}`)).status, 204);
  });
});
