import assert from 'node:assert/strict';
import { messagesOf } from '../support/clients/gateway-client.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

const CREATIONS = 5;
/** A server takes several seconds: dozens of polls. */
const DELAY_SCALE = '5';

describe('creations of one project that wait at the same time', function () {
  this.timeout(180_000);
  let simulated: SimulatedStack;

  before(async () => {
    simulated = await SimulatedStack.start({ cloudsimEnv: { CLOUDSIM_DELAY_SCALE: DELAY_SCALE } });
  });

  after(() => simulated?.stop());

  it('poll all their volumes, and all their servers, with one call', async () => {
    const { control, gateway, request } = simulated;
    await control.clearCalls();

    const streams = await Promise.all(
      Array.from({ length: CREATIONS }, () => gateway.createInstance(request)),
    );
    for (const stream of streams) assert.equal((await messagesOf(stream)).at(-1)?.step, 'COMPLETED');

    const calls = await control.calls();
    const count = (name: string) => calls.filter(({ operation }) => operation === name).length;
    for (const kind of ['servers', 'volumes']) {
      const [lists, reads] = [count(`${kind}.list_detail`), count(`${kind}.get`)];
      assert.ok(lists > 0, `${kind}: ${lists} lists`);
      // Each creation may poll separately before the others wait, and after them.
      assert.ok(reads <= 3 * CREATIONS, `${kind}: ${lists} lists and ${reads} reads`);
    }
  });
});
