import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';

const DOMAINS = '/api/admin/domains';
const record = { id: 'physics-id', name: 'Physics', description: null, enabled: true };

describe('domains of administrators', () => {
  const suite = apiSuite();

  function answers(domain: object): void {
    suite.cloud.reply('identity/domains', { path: /\/v3\/domains\/[\w-]+$/, body: { domain } });
  }

  it('are created enabled, unless the request says otherwise', async () => {
    const api = await suite.start();
    const as = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    for (const enabled of [true, false]) {
      suite.cloud.reply('identity/domains', {
        method: 'POST',
        path: '/v3/domains',
        requestBody: { domain: { name: 'Physics', enabled } },
        status: 201,
        body: { domain: { ...record, enabled } },
      });
      const body = enabled ? { name: 'Physics' } : { name: 'Physics', enabled };

      const answer = await api.post(DOMAINS, { as, body });

      assert.deepEqual([answer.status, answer.body], [201, { ...record, description: '', enabled }]);
    }
  });

  it('of the caller and of the configuration stay enabled', async () => {
    const id = 'c'.repeat(32);
    const settings = { identity: { admin_scope: { domains: ['default', id, 'SERVICE'] } } };
    const api = await suite.start({ settings });
    const as = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    for (const [domain, reason] of [
      [{ ...record, id: 'default', name: 'First' }, /your own user or project/],
      [{ ...record, id }, /configuration/],
      [{ ...record, name: 'Service' }, /configuration/],
    ] as const) {
      answers(domain);
      const path = `${DOMAINS}/${domain.id}`;
      const disabled = await api.request<ErrorBody>('PATCH', path, { as, body: { enabled: false } });
      assert.deepEqual([disabled.status, disabled.body.code], [409, 'conflict']);
      assert.match(disabled.body.detail, reason);

      answers({ ...domain, enabled: false });
      const deleted = await api.request<ErrorBody>('DELETE', path, { as });
      assert.equal(deleted.status, 409);
      assert.match(deleted.body.detail, reason);
    }
  });

  it('keep a name by which log-ins or the configuration find them', async () => {
    const api = await suite.start();
    const as = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    answers({ ...record, name: 'default' });

    const path = `${DOMAINS}/${record.id}`;
    const answer = await api.request<ErrorBody>('PATCH', path, { as, body: { name: 'Other' } });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
    assert.match(answer.body.detail, /log-ins/);
  });

  it('are not deleted with projects, whatever the service would do', async () => {
    const api = await suite.start();
    const as = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    answers({ ...record, enabled: false });
    suite.cloud.reply('identity/projects', {
      path: /\/v3\/projects\?domain_id=physics-id/,
      body: { projects: [{ id: 'p', name: 'p' }] },
    });

    const answer = await api.request<ErrorBody>('DELETE', `${DOMAINS}/${record.id}`, { as });

    assert.equal(answer.status, 409);
    assert.equal(answer.body.detail, 'The domain cannot be deleted: it still has 1 project.');
  });

  it('refuse malformed input, before any call', async () => {
    const api = await suite.start();
    const as = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    for (const [method, path, body, field] of [
      ['POST', DOMAINS, {}, 'body.name'],
      ['POST', DOMAINS, { name: 'x'.repeat(65) }, 'body.name'],
      ['PATCH', `${DOMAINS}/d`, { enabled: 'no' }, 'body.enabled'],
      ['PATCH', `${DOMAINS}/d`, { enabled: 'perhaps' }, 'body.enabled'],
    ] as const) {
      const answer = await api.request<ErrorBody>(method, path, { as, body });
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, field], JSON.stringify(body));
    }
  });
});
