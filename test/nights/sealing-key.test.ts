import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firingAlerts, scrape } from '../support/alerts/firing-alerts.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { WaitingCreation } from '../support/subjects/waiting-creation.ts';

const OLDER = `older:${randomBytes(32).toString('base64')}`;
const NEWER = `newer:${randomBytes(32).toString('base64')}`;

describe('a night in which a sealing key is removed too early', function () {
  this.timeout(180_000);
  let simulated: SimulatedStack;
  before(async () => {
    simulated = await SimulatedStack.start({ own: true, env: { GATEWAY_SEALING_KEYS: OLDER } });
  });
  const folder = mkdtempSync(join(tmpdir(), 'sealing-key-'));
  after(async () => {
    await simulated?.stop();
    rmSync(folder, { recursive: true });
  });

  it('lets jobs wait, and names the key, until it is back', async () => {
    const { stack } = simulated;
    const creation = await WaitingCreation.begin(simulated);

    const file = join(folder, 'keys');
    writeFileSync(file, NEWER);
    const early = await stack.addWorker({ GATEWAY_SEALING_KEYS: '', GATEWAY_SEALING_KEYS_FILE: file });
    const said = await eventually(async () =>
      early.logs().find((line) => line.includes('A job waits for a sealing key')),
    );

    assert.equal((JSON.parse(said) as { key_id: string }).key_id, 'older');
    const { error, leftovers } = await creation.read();
    assert.deepEqual([error, leftovers], [null, []]);
    const targets = await scrape({ apis: stack.apis, workers: [early] });
    const firing = await firingAlerts([{ atMinutes: 0, targets }], 5);
    assert.deepEqual(
      firing.map(({ name, labels }) => `${name} ${labels.key}`),
      ['GatewaySealingKeyMissing older'],
    );

    writeFileSync(file, `${NEWER},${OLDER}`);
    await early.kill('SIGHUP');
    await creation.endsComplete();
    assert.deepEqual(
      await firingAlerts(
        [{ atMinutes: 0, targets: await scrape({ apis: stack.apis, workers: [early] }) }],
        5,
      ),
      [],
    );
  });
});
