import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFirstBootData } from '../../apps/cloudsim/src/guest/first-boot-data.ts';
import { planIn } from '../../apps/cloudsim/src/guest/plan.ts';
import { startBuild } from '../support/builds.ts';
import { GatewayClient, messagesOf } from '../support/gateway-client.ts';
import { SimulatedStack } from '../support/simulated-stack.ts';
import { testLogin } from '../support/test-stack.ts';

/** Shell that can not be packed into what first-boot data may be. */
const endless = Array.from({ length: 8 }, () => `: ${randomBytes(8_000).toString('hex')}`);

describe('first-boot data', function () {
  this.timeout(60_000);
  let simulated: SimulatedStack;
  let admin: GatewayClient;

  before(async () => {
    simulated = await SimulatedStack.start({
      config: {
        instances: { gpu_driver_packages: ['nvidia-driver-535'] },
        libraries: [
          { id: 'endless', name: 'Endless', version: '1', packages: [], build: { commands: endless } },
        ],
      },
    });
    admin = await GatewayClient.logIn(simulated.stack.url, testLogin('admin'));
  });

  afterEach(() => simulated.restore());
  after(() => simulated?.stop());

  /** What an instance of this flavor is told at its first boot. */
  async function planOf(flavor: string) {
    const flavors = await admin.read<{ id: string; name: string }[]>('/api/flavors');
    const flavorId = flavors.find(({ name }) => name === flavor)?.id;
    const stream = await simulated.gateway.createInstance({ ...simulated.request, flavor_id: flavorId });
    const last = (await messagesOf(stream)).at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    const userData = await simulated.control.userData(last.instance_id ?? '');
    return planIn(readFirstBootData(userData.toString('base64')));
  }

  it('has an instance with a GPU install its driver, and no other', async () => {
    assert.deepEqual((await planOf('g1.small'))?.all('gpu_package'), ['nvidia-driver-535']);
    assert.equal(await planOf('m1.tiny'), null);
  });

  it('that would be too long fails a build before anything is made', async () => {
    const answer = await startBuild(admin, 'endless');

    assert.equal(answer.status, 400, answer.text);
    const made = (await simulated.control.calls()).filter(({ operation }) => operation === 'shares.create');
    assert.deepEqual(made, []);
  });
});
