import assert from 'node:assert/strict';
import { HealthResults, type LiteCluster } from '@gateway/lite';
import { createLogger } from '@gateway/platform';
import { webhookKeys } from '@gateway/webhooks';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { checkHealth } from '../../../apps/worker/src/lite-cluster-checks/check-health.ts';
import { parseMessage, WebhooksInRedis } from '../../packages/webhooks/webhooks-in-redis.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';
import { configOf } from '../../support/api/settings.ts';
import {
  type ClusterAuthorities,
  kubeconfigOf,
  newAuthorities,
} from '../../support/kubernetes/kubeconfig.ts';

const DAY_MS = 86_400_000;

describe('a certificate of a lite cluster', function () {
  /** Loading the library takes a second. */
  this.timeout(120_000);
  let world: WebhooksInRedis;
  let authorities: ClusterAuthorities;
  before(async () => {
    authorities = await newAuthorities();
  });
  beforeEach(async () => {
    world = new WebhooksInRedis();
    await world.open();
  });
  afterEach(() => world.close());

  /** A check of a cluster that is not reached. */
  async function check(kubeconfig: string): Promise<void> {
    const worker = {
      config: configOf({ redisUrl: 'redis://127.0.0.1:1', keyPrefix: 'x:', settings: {} }),
      liteClusters: { readSecret: async () => kubeconfig },
      liteClusterHealth: new HealthResults(world.redis, 600),
      logger: createLogger({ level: 'debug', format: 'json', service: 'worker' }, captureLogLines().stream),
      redis: { store: world.redis },
      stopping: new AbortController(),
      webhooks: world.store,
    } as unknown as WorkerContext;
    const cluster = {
      id: 'c1',
      name: 'apps',
      projectId: 'p1',
      serverIp: '127.0.0.1',
      plugins: [],
      agents: [],
    };
    await checkHealth(worker, cluster as unknown as LiteCluster);
  }

  const fileEndingIn = (days: number) => kubeconfigOf(authorities, { endsInMs: days * DAY_MS });
  const bodiesOf = async (id: string) =>
    (await world.store.deliveries(id, 10)).map(({ body }) => parseMessage(body));

  it('is reported to webhooks of its project once, before it ends', async () => {
    const own = await world.create(1);
    const other = await world.create(1, { projectId: 'p2' });
    const ending = await fileEndingIn(10);

    await check(ending);
    await check(ending);

    const [event, ...more] = await bodiesOf(own.id);
    assert.deepEqual([more, await bodiesOf(other.id)], [[], []]);
    assert.equal(event?.type, 'lite_cluster.certificate_expiring');
    const { certificate_expires_at: end, ...data } = event.data;
    assert.deepEqual(data, { cluster_id: 'c1', cluster_name: 'apps', project_id: 'p1' });
    const days = (Date.parse(String(end)) - Date.now()) / DAY_MS;
    assert.ok(days > 9 && days < 11, String(end));
    const seen = webhookKeys.seen(`c1_certificate_${Date.parse(String(end))}`);
    assert.ok((await world.redis.ttl(seen)) * 1000 > 14 * DAY_MS, 'nor is it later');
  });

  it('is not reported while nodes have time to renew it', async () => {
    const { id } = await world.create(1);

    await check(await fileEndingIn(20));

    assert.deepEqual(await bodiesOf(id), []);
  });

  it('is reported again when the next one ends', async () => {
    const { id } = await world.create(1);

    await check(await fileEndingIn(3));
    await check(await fileEndingIn(13));

    assert.equal((await bodiesOf(id)).length, 2);
  });
});
