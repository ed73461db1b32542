import assert from 'node:assert/strict';
import { alertsFiring, scrape } from '../support/alerts/firing-alerts.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { ServiceUser } from '../support/subjects/service-user.ts';
import { WaitingCreation } from '../support/subjects/waiting-creation.ts';

const WAITS = 'A job waits until the identity service accepts the service user';

describe('a night in which the password of the service user is rotated', function () {
  this.timeout(180_000);
  let simulated: SimulatedStack;
  before(async () => {
    simulated = await SimulatedStack.start({ own: true });
  });
  after(() => simulated?.stop());

  it('lets jobs wait until the processes have the new one', async () => {
    const { stack } = simulated;
    const serviceUser = await ServiceUser.find(stack.identityUrl ?? '');
    const creation = await WaitingCreation.begin(simulated);
    await serviceUser.setPassword('rotated-secret');

    const late = await stack.addWorker();
    await eventually(async () => late.logs().some((line) => line.includes(WAITS)));

    const { error, leftovers } = await creation.read();
    assert.deepEqual([error, leftovers], [null, []]);
    const targets = await scrape({ apis: stack.apis, workers: [late] });
    assert.deepEqual(await alertsFiring([{ atMinutes: 0, targets }], 5), ['GatewayServiceUserRefused']);
    await late.stop();

    await stack.addWorker({ GATEWAY_SERVICE_PASSWORD: 'rotated-secret' });
    await creation.endsComplete();
  });
});
