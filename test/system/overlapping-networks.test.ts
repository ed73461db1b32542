import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { type Prepared, prepareNetwork, preparePrebuiltShare } from '../support/projects/prepared-cloud.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';
import { rulesOf } from '../support/subjects/layer-records.ts';

const LIBRARY = { id: 'overlap', version: '1' };

describe('two projects whose networks use the same addresses', function () {
  this.timeout(300_000);
  let stack: Stack;
  let admin: CloudClient;
  let share: Prepared;
  const sides: { gateway: GatewayClient; cloud: CloudClient; network: Prepared }[] = [];

  before(async () => {
    stack = await startTestStack({
      cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0.1' },
      config: { libraries: [{ ...LIBRARY, name: 'Shared', packages: [], depends_on: [] }] },
    });
    const identityUrl = stack.identityUrl ?? '';
    admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
    share = await preparePrebuiltShare(admin, { library: LIBRARY, protocol: 'NFS', shareType: 'default' });
    for (const who of ['demo', 'alice'] as const) {
      const cloud = await CloudClient.logIn(identityUrl, testLogin(who));
      const network = await prepareNetwork(cloud, 'e2e-overlap', { only: '10.88.0.5' });
      sides.push({ gateway: await GatewayClient.logIn(stack.url, testLogin(who)), cloud, network });
    }
  });

  after(async () => {
    for (const { network } of sides) await network.remove();
    await share?.remove();
    await stack?.stop();
  });

  it("access a library's share in turn: the other gets the reason", async () => {
    const [first, second] = sides;
    assert.ok(first && second);
    const baseline = await second.cloud.resourceIds();
    const made = await create(first);
    assert.equal(made?.step, 'COMPLETED', made?.error ?? '');
    const rules = await rulesOf(admin, share.id);

    const refused = await create(second);

    assert.deepEqual([refused?.step, refused?.code], ['FAILED', 'share_access_conflict']);
    assert.match(refused?.error ?? '', /another network/);
    assert.deepEqual(await second.cloud.resourceIds(), baseline);
    assert.deepEqual(await rulesOf(admin, share.id), rules, 'the rule of the first one stays as it is');

    await remove(first, made.instance_id ?? '');
    const later = await create(second);
    assert.equal(later?.step, 'COMPLETED', later?.error ?? '');
    await remove(second, later.instance_id ?? '');
    assert.deepEqual(await second.cloud.resourceIds(), baseline);
  });

  async function create({ gateway, network }: (typeof sides)[number]) {
    const request = { ...(await gateway.smallInstanceRequest('e2e-overlap')), network_id: network.id };
    return (await gateway.messagesOfCreation({ ...request, libraries: [LIBRARY.id] })).at(-1);
  }

  /** Waits until the access rule and the port with its address are gone. */
  async function remove({ gateway, cloud, network }: (typeof sides)[number], id: string): Promise<void> {
    const answer = await gateway.request('DELETE', `/api/instances/${id}`);
    assert.equal(answer.status, 204, answer.text);
    await eventually(async () => {
      const path = `/v2.0/ports?network_id=${network.id}`;
      const { ports } = await cloud.call<{ ports: unknown[] }>('network', 'GET', path);
      assert.deepEqual([ports, await rulesOf(admin, share.id)], [[], []]);
      return true;
    });
  }
});
