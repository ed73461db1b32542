import assert from 'node:assert/strict';
import { newCaller } from '../../support/api/factories.ts';
import { killableRedis } from '../../support/api/killable-redis.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';

interface Page {
  items: { id: string; resource_id: string | null; status: number }[];
}

const AUDIT = '/api/admin/audit';

describe('GET /api/admin/audit', function () {
  this.timeout(60_000);
  const suite = apiSuite();
  const redis = killableRedis();

  it('forgets records that are older than the configured time', async () => {
    const api = await suite.start({ settings: { audit: { keep_seconds: 3600 } } });
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    await api.request('DELETE', '/api/admin/gpu-quotas/someone/none', { as: admin });
    const items = await eventually(async () => {
      const { body } = await api.get<Page>(AUDIT, { as: admin });
      return body.items.length > 0 ? body.items : undefined;
    });

    assert.deepEqual(
      items.map(({ resource_id, status }) => [resource_id, status]),
      [['someone/none', 404]],
    );
    api.clock.advance(3660);
    const again = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    assert.deepEqual((await api.get<Page>(AUDIT, { as: again })).body.items, []);
  });

  it('neither fails nor delays a change while the store is away; the log line stays', async () => {
    const api = await suite.start({ redisUrl: redis.url });
    await redis.killAndWait(api);
    const admin = newCaller({ roles: ['admin'] });
    suite.cloud.acceptsToken(admin);
    suite.cloud.reply('identity/project-create', {
      method: 'DELETE',
      path: '/v3/users/someone',
      status: 204,
      body: '',
    });

    const answer = await api.request('DELETE', '/api/admin/users/someone', { as: admin });

    assert.equal(answer.status, 204, answer.text);
    const [line] = await eventually(async () => {
      const lines = api.log.withMessage('Audit');
      return lines.length > 0 ? lines : undefined;
    });
    assert.equal(line?.resource_id, 'someone');
    await eventually(async () =>
      api.log.withMessage('An audit record could not be stored').length === 1 ? true : undefined,
    );
  });
});
