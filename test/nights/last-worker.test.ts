import assert from 'node:assert/strict';
import { alertsFiring, firingAlerts, scrape } from '../support/alerts/firing-alerts.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

describe('a night in which the last worker is killed', function () {
  this.timeout(180_000);
  let simulated: SimulatedStack;

  before(async () => {
    simulated = await SimulatedStack.start({ own: true });
  });
  after(() => simulated?.stop());

  it('raises the alerts of a process and of all queues', async () => {
    const { stack } = simulated;
    const well = await scrape(stack);
    assert.deepEqual(await alertsFiring([{ atMinutes: 0, targets: well }], 60), []);

    await stack.workers[0]?.kill('SIGKILL');
    const left = await eventually(async () => {
      const targets = await scrape(stack);
      assert.match(targets[0]?.text ?? '', /^gateway_queue_workers\{.*queue="provisioning".*\} 0$/m);
      return targets;
    });

    const scrapes = [
      { atMinutes: 0, targets: well },
      { atMinutes: 10, targets: left },
    ];
    assert.deepEqual(await alertsFiring(scrapes, 10), []);
    assert.deepEqual(
      (await firingAlerts(scrapes, 12)).map(({ name, labels }) => `${name} ${labels.queue}`).sort(),
      ['GatewayNoWorker cleanup', 'GatewayNoWorker maintenance', 'GatewayNoWorker provisioning'],
    );
    assert.deepEqual(await alertsFiring(scrapes, 16), ['GatewayNoWorker', 'GatewayProcessDown']);
  });
});
