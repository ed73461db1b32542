import assert from 'node:assert/strict';
import { openAuditStream } from '@gateway/activity';
import { createClosers } from '@gateway/platform';
import { newCaller } from '../../support/api/factories.ts';
import { killableRedis } from '../../support/api/killable-redis.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';

const settings = { audit: { stream: { url: 'https://audit.example.org/events' } } };

describe('the audit stream of an api', function () {
  this.timeout(120_000);
  const suite = apiSuite();
  const redis = killableRedis();

  /** What waits in the store, seen by another process. */
  async function waiting({ context }: TestApi) {
    const { outbox } = openAuditStream({ ...context, closers: createClosers() });
    const events = (await outbox?.first(100)) ?? [];
    return events.map(({ event: { action, outcome, initiator, target } }) => [
      ...[action, outcome, initiator.name, target.id, target.name],
    ]);
  }

  it('has each write when its response arrives, also a refused one', async () => {
    const api = await suite.start({ settings });
    const admin = suite.cloud.validCaller(newCaller({ userName: 'Ada', roles: ['admin'] }));
    suite.cloud.reply('identity/project-create');
    const body = { name: 'new' };

    const made = await api.post<{ id: string; name: string }>('/api/admin/projects', { as: admin, body });
    const first = await waiting(api);
    const member = suite.cloud.validCaller(newCaller({ userName: 'Bob' }));
    const refused = await api.post('/api/admin/projects', { as: member, body });
    const second = await waiting(api);

    assert.deepEqual([made.status, refused.status], [201, 403]);
    assert.deepEqual(first, [['create', 'success', 'Ada', made.body.id, made.body.name]]);
    assert.deepEqual(second.slice(1), [['create', 'failure', 'Bob', 'unknown', undefined]]);
  });

  it('has a write once, also if its response cannot be sent', async () => {
    const api = await suite.start({ settings });
    const admin = suite.cloud.validCaller(newCaller({ userName: 'Ada', roles: ['admin'] }));
    suite.cloud.reply('identity/project-create');
    const body = { name: 'new' };
    api.context.acceptedEncodings.of = () => {
      throw new Error('The response cannot be sent.');
    };

    const { status } = await api.post('/api/admin/projects', { as: admin, body });

    assert.equal(status, 500);
    assert.deepEqual(
      (await waiting(api)).map(([action, outcome]) => [action, outcome]),
      [['create', 'success']],
    );
  });

  it('has no reads, and no requests of unknown callers', async () => {
    const api = await suite.start({ settings });
    await api.post('/api/admin/projects', { body: {} });
    await api.get('/api/site-config');

    assert.deepEqual(await waiting(api), []);
  });

  it('gets what was written while the store was unavailable', async () => {
    const api = await suite.start({ settings, redisUrl: redis.url });
    await redis.killAndWait(api);
    const admin = newCaller({ userName: 'Ada', roles: ['admin'] });
    suite.cloud.acceptsToken(admin);
    suite.cloud.reply('identity/project-create', {
      method: 'DELETE',
      path: '/v3/users/someone',
      status: 204,
      body: '',
    });

    const { status } = await api.request('DELETE', '/api/admin/users/someone', { as: admin });
    await redis.restart();

    assert.equal(status, 204);
    const events = await eventually(async () => {
      const found = await waiting(api);
      return found.length > 0 ? found : undefined;
    });
    assert.deepEqual(events, [['delete', 'success', 'Ada', 'someone', undefined]]);
  });
});
