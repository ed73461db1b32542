import assert from 'node:assert/strict';
import { newRequestId } from '@gateway/core';
import type { Volume } from '@gateway/resources';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { type Prepared, prepareServer } from '../support/projects/prepared-cloud.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';

/**
 * Holds the force-delete between its checks and one of its writes, and attaches the volume during that time.
 */
describe('a force-delete of a volume that another client attaches meanwhile', function () {
  this.timeout(120_000);
  let stop: () => Promise<void>;
  let control: CloudsimControl;
  let gateway: GatewayClient;
  let cloud: CloudClient;
  let admin: CloudClient;
  let server: Prepared;

  before(async () => {
    const stack = await startTestStack({ ...simulatedCloud, startsJobs: false });
    stop = () => stack.stop();
    const identityUrl = stack.identityUrl ?? '';
    control = new CloudsimControl(stack.cloudsim?.url ?? '');
    gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    cloud = await CloudClient.logIn(identityUrl, testLogin('demo'));
    admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
    server = await prepareServer(cloud);
  });

  afterEach(() => control.clear());
  after(() => stop?.());

  const statusOf = async (id: string) => (await gateway.read<Volume>(`/api/volumes/${id}`)).status;

  function setStatus(id: string, status: string): Promise<void> {
    return admin.call('volumev3', 'POST', `/volumes/${id}/action`, { 'os-reset_status': { status } });
  }

  async function makeVolume(): Promise<string> {
    const { body } = await gateway.request<Volume>('POST', '/api/volumes', { name: 'v', size_gb: 1 });
    await eventually(async () => (await statusOf(body.id)) === 'available');
    return body.id;
  }

  async function attach(id: string): Promise<void> {
    await setStatus(id, 'available');
    await cloud.call('compute', 'POST', `/servers/${server.id}/os-volume_attachments`, {
      volumeAttachment: { volumeId: id },
    });
    await eventually(async () => (await statusOf(id)) === 'in-use');
  }

  for (const [when, operation] of [
    ['before the reset', 'volumes.os-reset_status'],
    ['before the delete', 'volumes.delete'],
  ]) {
    it(`is refused if the volume is attached ${when}, and leaves it attached`, async () => {
      const id = await makeVolume();
      await setStatus(id, 'error');
      const requestId = newRequestId();
      const hold = await control.hold('before', { operation, requestId });

      const deleted = gateway.request('POST', `/api/volumes/${id}/force-delete`, undefined, requestId);
      assert.equal(await hold.waitUntilReached(10_000), 'held');
      await attach(id);
      await hold.release();
      const { status, text } = await deleted;

      assert.equal(status, 409, text);
      const volume = await gateway.read<Volume>(`/api/volumes/${id}`);
      assert.deepEqual(
        [volume.status, volume.attachments.map(({ server_id }) => server_id)],
        ['in-use', [server.id]],
      );
    });
  }
});
