import assert from 'node:assert/strict';
import { alertsFiring, firingAlerts, scrape } from '../support/alerts/firing-alerts.ts';
import { eventually } from '../support/eventually.ts';
import { queryRedis } from '../support/redis/query-redis.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

/** What operators need while jobs wait. */
const GAUGES = [
  'gateway_queue_workers',
  'gateway_queue_oldest_waiting_seconds',
  'gateway_queue_jobs',
  'gateway_leftovers',
  'gateway_auto_backups_failed',
  'gateway_maintenance_last_success_timestamp_seconds',
];

describe('a night in which Redis refuses writes', function () {
  this.timeout(240_000);
  let simulated: SimulatedStack;

  before(async () => {
    simulated = await SimulatedStack.start({ own: true, ownRedis: true });
  });
  after(() => simulated?.stop());

  async function call(command: string): Promise<void> {
    const [name = '', ...words] = command.split(' ');
    await queryRedis(simulated.stack.redis?.port ?? 0, (redis) => redis.call(name, ...words));
  }

  for (const [reason, refuse, accept] of [
    ['memory', 'CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0'],
    ['read_only', 'REPLICAOF 127.0.0.1 1', 'REPLICAOF NO ONE'],
  ] as const) {
    it(`keeps its gauges and raises the alert with the reason ${reason}`, async () => {
      const { gateway, request, stack } = simulated;
      const [api] = stack.apis;
      const well = await scrape(stack);
      await call(refuse);
      let refused: typeof well;
      try {
        refused = await eventually(async () => {
          const targets = await scrape(stack);
          for (const { text } of targets)
            assert.match(
              text ?? '',
              new RegExp(`gateway_redis_refuses_writes\\{.*reason="${reason}".*\\} 1`),
            );
          for (const name of GAUGES) assert.ok(targets[0]?.text?.includes(`\n${name}{`), name);
          return targets;
        });
        const creation = await gateway.request<{ code: string }>('POST', '/api/instances/async', request);
        assert.deepEqual([creation.status, creation.body.code], [503, 'store_unavailable']);
        const health = await fetch(`${api?.url}/api/health?deep=true`);
        const { status, redis } = (await health.json()) as { status: string; redis: string };
        assert.deepEqual([status, redis], ['degraded', 'unavailable']);
      } finally {
        await call(accept);
      }
      const scrapes = [
        { atMinutes: 0, targets: well },
        { atMinutes: 2, targets: refused },
      ];
      assert.deepEqual(await alertsFiring(scrapes, 1), []);
      assert.deepEqual(
        (await firingAlerts(scrapes, 5)).map(({ name, labels }) =>
          [name, labels.job, labels.reason].join(' '),
        ),
        [
          `GatewayRedisRefusesWrites gateway-api ${reason}`,
          `GatewayRedisRefusesWrites gateway-worker ${reason}`,
        ],
      );
      await eventually(async () => {
        const [text] = (await scrape(stack)).map((target) => target.text);
        assert.match(text ?? '', /^gateway_redis_up\{.*connection="store".*\} 1$/m);
        return true;
      });
    });
  }
});
