import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixture, fixtureBody } from '../../support/doubles/upstream.ts';

interface KeypairRow {
  name: string;
  fingerprint: string;
  public_key: string;
  private_key?: string;
}

describe('GET /api/keypairs', () => {
  const suite = apiSuite();

  it("lists the caller's key pairs without their times, which the service omits", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/keypairs');

    const answer = await api.get('/api/keypairs', { as: caller });

    const recorded = fixtureBody<{ keypair: KeypairRow }[]>('compute/keypairs', 'keypairs');
    assert.deepEqual(
      answer.body,
      recorded.map(({ keypair: { name, fingerprint } }) => ({
        name,
        fingerprint,
        type: 'ssh',
        created_at: null,
      })),
    );
  });
});

describe('POST /api/keypairs', () => {
  const suite = apiSuite();

  it("returns the service's generated pair without a public key", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const recorded = fixtureBody<KeypairRow>('compute/keypair-create', 'keypair');
    const privateKey = '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\n';
    suite.cloud.reply('compute/keypair-create', {
      requestBody: { keypair: { name: 'my key', type: 'ssh' } },
      body: { keypair: { ...recorded, private_key: privateKey } },
    });

    const answer = await api.post('/api/keypairs', { as: caller, body: { name: 'my key' } });

    assert.deepEqual(answer.body, {
      name: recorded.name,
      fingerprint: recorded.fingerprint,
      public_key: recorded.public_key,
      private_key: privateKey,
    });
    assert.equal(answer.headers['cache-control'], 'no-store');
  });

  it('returns no private key if a public key was given', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { private_key: _, ...recorded } = fixtureBody<KeypairRow>('compute/keypair-create', 'keypair');
    suite.cloud.reply('compute/keypair-create', {
      requestBody: { keypair: { name: 'k', public_key: recorded.public_key, type: 'x509' } },
      body: { keypair: recorded },
    });

    const answer = await api.post<KeypairRow>('/api/keypairs', {
      as: caller,
      body: { name: 'k', public_key: recorded.public_key, key_type: 'x509' },
    });

    assert.equal(answer.status, 200);
    assert.equal('private_key' in answer.body, false);
  });

  for (const body of ['', '{}', '{"keypair":null}']) {
    it(`is 502 without details for an invalid service response (${body})`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      suite.cloud.reply('compute/keypair-create', { body });

      const answer = await api.post<ErrorBody>('/api/keypairs', { as: caller, body: { name: 'k' } });

      assert.equal(answer.status, 502);
      assert.equal(answer.body.code, 'upstream_error');
    });
  }

  it('is 409 for a name in use', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/keypair-exists');

    const answer = await api.post<ErrorBody>('/api/keypairs', { as: caller, body: { name: 'k' } });

    assert.equal(answer.status, 409);
    assert.equal(answer.body.code, 'conflict');
  });

  it('is not retried after a broken connection, because the pair may exist', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/keypair-create', { fault: 'ECONNRESET' });

    const answer = await api.post('/api/keypairs', { as: caller, body: { name: 'k' } });

    assert.equal(answer.status, 503);
  });
});

describe('DELETE /api/keypairs/{keypair_name}', () => {
  const suite = apiSuite();
  const { path } = fixture('compute/keypairs').request;

  for (const name of ['plain', 'with space', 'ü', '%41', 'a?b#c', '...', 'a.b', 'types']) {
    it(`deletes the pair named ${name}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      suite.cloud.reply('compute/keypair', {
        method: 'DELETE',
        path: `${path}/${encodeURIComponent(name)}`,
        status: 202,
        body: '',
      });

      const answer = await api.request('DELETE', `/api/keypairs/${encodeURIComponent(name)}`, { as: caller });

      assert.equal(answer.status, 204);
      assert.equal(answer.text, '');
    });
  }

  it('is 404 for an unknown pair, never a silent 204', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/server-not-found', { method: 'DELETE', path: `${path}/gone` });

    const answer = await api.request('DELETE', '/api/keypairs/gone', { as: caller });

    assert.equal(answer.status, 404);
  });

  it('is 404 without a call for a name with a slash', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    const { body, status } = await api.request<ErrorBody>('DELETE', '/api/keypairs/a%2Fb', { as: caller });

    assert.deepEqual([status, body.code], [404, 'not_found']);
  });

  it('does not reach another resource by a name of dots', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    for (const name of ['%2e%2e', '%2e']) {
      const answer = await api.request('DELETE', `/api/keypairs/${name}`, { as: caller });
      assert.equal(answer.status, 404);
    }
  });
});
