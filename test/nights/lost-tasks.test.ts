import assert from 'node:assert/strict';
import { scheduledTaskNames } from '@gateway/jobs';
import { alertsFiring, firingAlerts, scrape } from '../support/alerts/firing-alerts.ts';
import { eventually } from '../support/eventually.ts';
import { queryRedis } from '../support/redis/query-redis.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

/** Also how often workers look after the entries. */
const SWEEP_SECONDS = 10;

type Targets = Awaited<ReturnType<typeof scrape>>;

/** Those of a gateway without an audit stream. */
const TASKS = scheduledTaskNames.filter((name) => name !== 'maintenance.audit-stream');

describe('a night in which Redis loses everything and stays up', function () {
  this.timeout(180_000);
  let simulated: SimulatedStack;

  before(async () => {
    simulated = await SimulatedStack.start({
      own: true,
      ownRedis: true,
      config: { jobs: { sweep_seconds: SWEEP_SECONDS } },
    });
  });
  after(() => simulated?.stop());

  it('has each scheduled task run again without a restart', async () => {
    const { stack } = simulated;
    const scrapeWhen = (isSeen: (successes: number[]) => boolean) =>
      eventually(async () => {
        const targets = await scrape(stack);
        const successes = successesOf(targets);
        assert.equal(successes.length, TASKS.length);
        assert.ok(isSeen(successes), String(successes));
        return targets;
      });
    const well = await scrapeWhen((successes) => successes.every((time) => time > 0));
    const [process] = stack.workers;

    const lost = await eventually(async () => {
      await queryRedis(stack.redis?.port ?? 0, (redis) => redis.flushall());
      const targets = await scrape(stack);
      return successesOf(targets).every((time) => time === 0) ? targets : undefined;
    });
    const recovered = await scrapeWhen((successes) => successes.every((time) => time > 0));

    assert.equal(stack.workers[0], process);
    const said = process?.logs().filter((line) => line.includes('Scheduled tasks were missing')) ?? [];
    assert.ok(said.length > 0);
    const scrapes = [
      { atMinutes: 0, targets: well },
      { atMinutes: 20, targets: lost },
      { atMinutes: 60, targets: recovered },
    ];
    assert.deepEqual(await alertsFiring(scrapes, 20), []);
    assert.deepEqual(
      (await firingAlerts(scrapes, 40))
        .filter(({ name }) => name === 'GatewayMaintenanceOverdue')
        .map(({ labels }) => `maintenance.${labels.task}`)
        .sort(),
      [...TASKS],
    );
    assert.ok(!(await alertsFiring(scrapes, 70)).includes('GatewayMaintenanceOverdue'));
  });
});

/** When each scheduled task last succeeded, as the api exposes it. */
function successesOf([api]: Targets): number[] {
  const samples = (api?.text ?? '').matchAll(
    /^gateway_maintenance_last_success_timestamp_seconds\{.*\} (\S+)$/gm,
  );
  return Array.from(samples, ([, value]) => Number(value));
}
