import assert from 'node:assert/strict';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { type Prepared, preparePrebuiltShare } from '../support/projects/prepared-cloud.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';
import { layerRecords, rulesOf } from '../support/subjects/layer-records.ts';

/** Their ids, and the ids of their shares, each require more than one value of the server's metadata. */
const libraries = Array.from({ length: 9 }, (_, index) => ({
  id: `library-with-a-long-identifier-${index}`,
  name: `Library ${index}`,
  version: '1',
  packages: [],
  depends_on: [],
}));

interface LayeredInstance {
  id: string;
  overlay_libraries: string[];
  overlay_share_ids: string[];
}

describe('an instance with many libraries', function () {
  this.timeout(300_000);
  let simulated: SimulatedStack;
  let admin: CloudClient;
  let shares: Prepared[];

  before(async () => {
    simulated = await SimulatedStack.start({ config: { libraries } });
    admin = await CloudClient.logIn(simulated.stack.identityUrl ?? '', testLogin('admin'));
    shares = await Promise.all(
      libraries.map((library) =>
        preparePrebuiltShare(admin, { library, protocol: 'CEPHFS', shareType: 'cephfs' }),
      ),
    );
  });

  after(() => simulated?.stop());

  it('shows all of them, and leaves no access to their shares', async () => {
    const { gateway, request, stack } = simulated;
    const [ids, shareIds] = [libraries, shares].map((list) => list.map(({ id }) => id));

    const created = (await gateway.messagesOfCreation({ ...request, libraries: ids })).at(-1);

    assert.equal(created?.step, 'COMPLETED', created?.error ?? '');
    const path = `/api/instances/${created.instance_id}`;
    const owner = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
    const { server } = await layerRecords(admin, owner, created.instance_id ?? '');
    const continued = ['overlay_libraries_2', 'overlay_share_ids_2'];
    assert.deepEqual(
      continued.filter((key) => server.metadata[key] === undefined),
      [],
    );
    const listed = await gateway.read<LayeredInstance[]>('/api/instances?refresh=true');
    for (const instance of [
      await gateway.read<LayeredInstance>(path),
      listed.find(({ id }) => id === created.instance_id),
    ]) {
      assert.deepEqual([instance?.overlay_libraries, instance?.overlay_share_ids], [ids, shareIds]);
    }
    const operator = await GatewayClient.logIn(stack.url, testLogin('admin'));
    const { status } = await operator.request('DELETE', `/api/file-storage/${shareIds?.at(-1)}`);
    assert.equal(status, 409, 'the share is in use');

    assert.equal((await gateway.request('DELETE', path)).status, 204);

    await eventually(async () => {
      for (const { id } of shares) assert.deepEqual(await rulesOf(admin, id), []);
      return true;
    });
  });
});
