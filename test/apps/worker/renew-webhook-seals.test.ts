import assert from 'node:assert/strict';
import { createLogger } from '@gateway/platform';
import { openSecret, webhookKeys } from '@gateway/webhooks';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { renewWebhookSeals } from '../../../apps/worker/src/maintenance/renew-webhook-seals.ts';
import { WebhooksInRedis } from '../../packages/webhooks/webhooks-in-redis.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';

describe('the secrets of webhooks', () => {
  const world = new WebhooksInRedis();
  before(() => world.open());
  after(() => world.close());

  it('are encrypted with the first key, whatever else is odd', async () => {
    const created = [];
    for (let n = 0; n < 3; n++) created.push(await world.create(1));
    const [odd, ...others] = created;
    await world.redis.hset(webhookKeys.record(odd?.id ?? ''), 'secret', 'odd');
    world.rotateKeys();
    const lines = captureLogLines();

    await renewWebhookSeals({
      logger: createLogger({ level: 'debug', format: 'json', service: 'worker' }, lines.stream),
      sealer: world.sealer,
      stopping: new AbortController(),
      webhooks: world.store,
    } as unknown as WorkerContext);

    for (const { id, secret } of others) {
      const { sealedSecret } = (await world.store.read(id)) ?? assert.fail();
      assert.ok(world.sealer.isCurrent(sealedSecret));
      assert.equal(openSecret(world.sealer, sealedSecret), secret);
    }
    const [line, ...more] = lines.withMessage('The secret of a webhook could not be encrypted again');
    assert.deepEqual([line?.webhook_id, more], [odd?.id, []]);
  });
});
