import assert from 'node:assert/strict';
import { lineOf, logged, written } from './log-capture.ts';

const HUSH = 'hush-4711';
const FERNET = `gAAAAABm${'aZ09-_'.repeat(20)}==`;
const PEM = `-----BEGIN RSA PRIVATE KEY-----\nMIIE${HUSH}\n-----END RSA PRIVATE KEY-----`;

describe('the log', () => {
  for (const key of [
    'token',
    'ticket',
    'X-Auth-Token',
    'x-subject-token',
    'authorization',
    'Cookie',
    'set-cookie',
    'password',
    'admin_pass',
    'adminPass',
    'current_password',
    'newPassword',
    'secret',
    'client_secret',
    'private_key',
    'user_data',
    'userdata',
    'kubeconfig',
    'access_key',
    'auth_key',
    'node_token',
    'sealingKeys',
    'credentials',
    'passwordHash',
  ]) {
    it(`masks values of ${key}, at any depth and of any type`, async () => {
      const text = await written((log) =>
        log.child({ [key]: HUSH }).info('Said.', {
          below: [{ [key]: HUSH }, { [key]: { in: [HUSH] } }, new Map([[key, HUSH]])],
          raw: ['Accept', 'text/plain', key, HUSH],
        }),
      );

      assert(!text.includes(HUSH), text);
      assert(text.includes('[redacted]') && text.includes('text/plain'), text);
    });
  }

  for (const [what, text] of [
    ['a Fernet token', `No ${FERNET}, sorry`],
    ['a signed token', `No eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.${HUSH}, sorry`],
    ['a join token', `K10${'0a'.repeat(32)}::server:${HUSH} sorry`],
    ['a private key', `${PEM} sorry`],
    ['the password of a URL', `redis://:${HUSH}@store:6379 sorry`],
    ['the password of a user in a URL', `amqp://gateway:${HUSH}@store sorry`],
    ['a bearer token', `Authorization was Bearer ${HUSH} sorry`],
    ['the value of a name of many parts', `${'a-'.repeat(4_000)}token=${HUSH} sorry`],
    ['a value behind a name without one', `tokentoken token= token=${HUSH} sorry`],
    ['a signed token behind what only looks like one', `eyJ-eyJ-eyJabcdef eyJabcdef.${HUSH} sorry`],
    ['a key without an end', `sorry -----BEGIN PRIVATE KEY-----\nMIIE${HUSH}\n`],
    ['a header written out', `X-Auth-Token: ${HUSH}\nsorry`],
    ['a query', `GET /v1/x?token=${HUSH}&a=sorry`],
    ['a ticket in an address', `GET /v1/x?ticket=${HUSH}&a=sorry`],
    ['a setting', `connect password=${HUSH} sorry`],
    ['an API key', `connect api_key=${HUSH} sorry`],
    ['the key of a kubeconfig', `client-key-data: ${HUSH}\na: sorry`],
    ['JSON', `{"adminPass":"${HUSH}","a":"sorry"}`],
    ['JSON within JSON', JSON.stringify({ body: JSON.stringify({ password: HUSH, a: 'sorry' }) })],
    ['YAML', `password: ${HUSH}\na: sorry`],
  ] as const) {
    it(`masks ${what} inside a text`, async () => {
      const line = await written((log) => log.info(text, { text, error: new Error(text), list: [text] }));

      assert(!line.includes(HUSH) && !line.includes(FERNET), line);
      assert.equal(line.match(/sorry/g)?.length, 5, line);
    });
  }

  it('masks a secret that is split by truncation', async () => {
    const text = `${'x'.repeat(8 * 1024 - 18)} redis://:${HUSH}@store`;

    assert(!(await written((log) => log.info('Said.', { text }))).includes('hush'));
  });

  it('masks a secret that is the name of a value', async () => {
    assert(!(await written((log) => log.info('Said.', { below: { [FERNET]: 1 } }))).includes(FERNET));
  });

  it('keeps values that only resemble secrets', async () => {
    const text =
      'eyJustice eyJabcdefgh at 10:30, see http://host:8080/path; bearer is ill; -----BEGIN CERTIFICATE-----';

    assert.deepEqual(await logged({ text }), { text });
  });

  it('keeps plain values', async () => {
    const meta = {
      key_name: 'laptop',
      token_expires_at: '2026-01-01T00:00:00Z',
      token_cache_seconds: 60,
      has_token: true,
      password: null,
      keypair: 'k',
      route: '/api/auth/password',
      url: 'http://127.0.0.1:8774/v2.1/servers/1@2',
      note: 'The token was refused: it has expired',
      idempotency_key: 'a',
    };

    assert.deepEqual(await logged(meta), meta);
  });

  it('masks secrets of an error that holds its request', async () => {
    const error = Object.assign(new Error('Response code 500'), {
      options: { headers: { 'x-auth-token': HUSH } },
      response: { body: HUSH },
      command: { args: [HUSH] },
    });

    assert(!JSON.stringify(await lineOf((log) => log.error('Failed.', { error }))).includes(HUSH));
  });
});
