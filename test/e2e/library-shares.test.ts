import assert from 'node:assert/strict';
import type { AccessRule, FileStorage, Instance, Library } from '@gateway/resources';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { type ApiResponse, GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { type Prepared, preparePrebuiltShare, testLibraries } from '../support/projects/prepared-cloud.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';

interface ErrorBody {
  code: string;
  detail: string;
}

const path = '/api/file-storage';

describe('shares that hold libraries', function () {
  this.timeout(300_000);
  let stack: Stack;
  let demo: GatewayClient;
  let admin: GatewayClient;
  let adminCloud: CloudClient;
  let prebuilt: Prepared;
  let instanceIds: string[] = [];

  before(async () => {
    stack = await startTestStack({
      config: {
        libraries: testLibraries,
        file_storage: { share_type: { nativefs: 'cephfs', nfs: 'default' } },
        instances: { upper_volume_size_gb: 1, dynamic_share_size_gb: 1 },
      },
    });
    adminCloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('admin'));
    prebuilt = await preparePrebuiltShare(adminCloud);
    demo = await GatewayClient.logIn(stack.url, testLogin('demo'));
    admin = await GatewayClient.logIn(stack.url, testLogin('admin'));
  });

  after(async () => {
    await prebuilt?.remove();
    await stack?.stop();
  });

  afterEach(async () => {
    for (const id of instanceIds) await removeInstance(id);
    instanceIds = [];
  });

  async function createInstance(differences: object): Promise<Instance> {
    const request = await demo.smallInstanceRequest('e2e-library-shares');
    const last = (await demo.messagesOfCreation({ ...request, ...differences })).at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    instanceIds.push(last?.instance_id ?? '');
    return demo.read<Instance>(`/api/instances/${last?.instance_id}`);
  }

  async function removeInstance(id: string): Promise<void> {
    await demo.request('DELETE', `/api/instances/${id}`);
    await eventually(async () => (await demo.request('GET', `/api/instances/${id}`)).status === 404);
  }

  const refusal = ({ status, body }: ApiResponse<ErrorBody>) => [status, body.code];
  const libraryOf = async (client: GatewayClient) =>
    (await client.read<Library[]>('/api/libraries')).find(({ id }) => id === 'python311');

  it('of a prebuilt library are visible to all, and managed by one', async () => {
    const [alice, member] = [await GatewayClient.logIn(stack.url, testLogin('alice')), demo];
    for (const client of [member, alice, admin]) {
      assert.deepEqual(
        [(await libraryOf(client))?.file_storage_id, (await libraryOf(client))?.available_prebuilt],
        [prebuilt.id, true],
      );
      const shares = await client.read<FileStorage[]>('/api/libraries/shares');
      assert.deepEqual(
        shares.map(({ id, library_name, library_version }) => [id, library_name, library_version]),
        [[prebuilt.id, 'Python 3.11', '3.11']],
      );
      assert.equal(shares[0]?.export_locations.length, 1);
      const one = await client.read<FileStorage>(`${path}/${prebuilt.id}`);
      // Of a library, the list shows the same to everybody.
      const forAll = { allowed_actions: [], project_name: null, user_name: null };
      assert.deepEqual({ ...one, ...forAll }, shares[0]);
    }
    for (const client of [member, alice]) {
      for (const [method, at, body] of [
        ['GET', `${path}/${prebuilt.id}/access-rules`],
        ['POST', `${path}/${prebuilt.id}/access-rules`, { access_to: 'thief', access_level: 'rw' }],
        ['DELETE', `${path}/${prebuilt.id}/access-rules/any`],
        ['DELETE', `${path}/${prebuilt.id}`],
      ] as const) {
        assert.deepEqual(
          refusal(await client.request(method, at, body)),
          [403, 'forbidden'],
          `${method} ${at}`,
        );
      }
    }
    const rules = await adminCloud.accessRules(prebuilt.id);
    assert.deepEqual(rules, []);
    assert.ok(!(await member.read<FileStorage[]>(path)).some(({ id }) => id === prebuilt.id));
  });

  it('are checked by the validation of a set', async () => {
    const validate = (library_ids: string[]) =>
      demo.request<{ valid: boolean; conflicts: { code: string }[]; warnings: { code: string }[] }>(
        'POST',
        '/api/libraries/validate',
        { library_ids },
      );

    const { status, body } = await validate(['numerics']);
    const unknown = await validate(['numerics', 'none']);

    assert.deepEqual([status, body.valid, body.conflicts], [200, true, []]);
    assert.deepEqual(
      body.warnings.map(({ code }) => code),
      ['dependency_added', 'not_prebuilt'],
    );
    assert.deepEqual(
      [unknown.body.valid, unknown.body.conflicts.map(({ code }) => code)],
      [false, ['unknown_library']],
    );
  });

  it('of an instance stay with it: rule, key and share', async () => {
    const { id, overlay_share_ids } = await createInstance({ libraries: ['python311'], strategy: 'dynamic' });
    const [shareId = ''] = overlay_share_ids;
    const rules = `${path}/${shareId}/access-rules`;
    const own = await demo.read<FileStorage>(`${path}/${shareId}`);
    assert.equal(own.metadata.overlay_type, 'dynamic');
    const [rule] = await demo.read<AccessRule[]>(rules);
    assert.deepEqual([rule?.access_level, rule?.state, rule?.access_key], ['rw', 'active', null]);

    assert.deepEqual(refusal(await demo.request('DELETE', `${path}/${shareId}`)), [409, 'conflict']);
    assert.deepEqual(refusal(await demo.request('DELETE', `${rules}/${rule?.id}`)), [409, 'conflict']);
    const writer = await demo.request<ErrorBody>('POST', rules, { access_to: 'e2e-w', access_level: 'rw' });
    assert.deepEqual(refusal(writer), [409, 'conflict']);
    const reader = await demo.request('POST', rules, { access_to: 'e2e-reader' });
    assert.equal(reader.status, 201, reader.text);

    await removeInstance(id);

    await eventually(async () => (await demo.request('GET', `${path}/${shareId}`)).status === 404);
    assert.ok(!(await demo.read<FileStorage[]>(path)).some((share) => share.id === shareId));
  });

  it('of a prebuilt library are deleted by administrators if unmounted', async () => {
    const { id } = await createInstance({ libraries: ['python311'], strategy: 'prebuilt' });
    const used = await admin.request<ErrorBody>('DELETE', `${path}/${prebuilt.id}`);
    assert.deepEqual(refusal(used), [409, 'conflict']);
    await removeInstance(id);
    await eventually(async () => (await adminCloud.accessRules(prebuilt.id)).length === 0);

    const deleted = await admin.request('DELETE', `${path}/${prebuilt.id}`);

    assert.equal(deleted.status, 204, deleted.text);
    assert.deepEqual(
      [(await libraryOf(demo))?.file_storage_id, (await libraryOf(demo))?.available_prebuilt],
      [null, false],
      'the next read shows it',
    );
    assert.deepEqual(await demo.read('/api/libraries/shares'), []);
    await eventually(async () => (await admin.request('GET', `${path}/${prebuilt.id}`)).status === 404);
  });
});
