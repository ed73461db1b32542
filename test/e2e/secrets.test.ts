import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Stack } from '../../scripts/stack.ts';
import { GatewayClient, messagesOf } from '../support/gateway-client.ts';
import { startTestStack, testLogin } from '../support/test-stack.ts';

describe('secrets', function () {
  this.timeout(300_000);
  let stack: Stack;
  let redisDir: string;

  before(async () => {
    redisDir = mkdtempSync(join(tmpdir(), 'gateway-secrets-'));
    stack = await startTestStack({
      ownRedis: true,
      redisDir,
      env: { LOG_LEVEL: 'debug' },
      // Every job has a delegation.
      config: { jobs: { delegate_below_seconds: 31_536_000 } },
    });
  });

  after(async () => {
    await stack?.stop();
    rmSync(redisDir, { recursive: true, force: true });
  });

  it('stand in clear in no log line, no error body and nothing that Redis ever wrote', async () => {
    const login = testLogin('demo');
    const adminPass = 'Hidden-Passw0rd-of-the-VM';
    const gateway = await GatewayClient.logIn(stack.url, login);
    const errors: string[] = [];
    const remember = async (method: string, path: string, body?: unknown) => {
      const answer = await gateway.request<Record<string, string>>(method, path, body);
      if (answer.status >= 400) errors.push(answer.text);
      return answer;
    };

    const keypair = await remember('POST', '/api/keypairs', { name: 'e2e-secret-key' });
    const request = {
      ...(await gateway.smallInstance('e2e-secrets')),
      libraries: ['python311'],
      admin_pass: adminPass,
      key_name: 'e2e-secret-key',
    };
    const created = (await messagesOf(await gateway.createInstance(request))).at(-1);
    const failed = (await messagesOf(await gateway.createInstance({ ...request, key_name: 'not-there' }))).at(
      -1,
    );
    await remember('PUT', '/api/profile/password', {
      current_password: 'Wrong-Passw0rd-guess',
      new_password: 'Another-Passw0rd-wish',
    });
    await remember('POST', '/api/auth/login', { username: login.username, password: 'Login-Passw0rd-guess' });
    await remember('POST', '/api/instances', { ...request, image_id: 7 });
    await remember('DELETE', `/api/instances/${created?.instance_id}`);
    await remember('DELETE', '/api/keypairs/e2e-secret-key');

    assert.equal(created?.step, 'COMPLETED', created?.error ?? '');
    assert.equal(failed?.step, 'FAILED');
    assert.ok(errors.length >= 3, 'there were error bodies to look into');
    const privateKey = keypair.body.private_key ?? '';
    assert.match(privateKey, /PRIVATE KEY/);
    const secrets = {
      token: gateway.token,
      'any identity token': 'gAAAAA',
      "the service user's password": 'gateway-secret',
      "the user's password": login.password,
      'the password of the instance': adminPass,
      'a wrong current password': 'Wrong-Passw0rd-guess',
      'a new password': 'Another-Passw0rd-wish',
      'a wrong login password': 'Login-Passw0rd-guess',
      'the private key': privateKey.split('\n')[1] ?? '',
      'a private key': 'PRIVATE KEY',
      'first-boot data': '#cloud-config',
      'encoded first-boot data': Buffer.from('Content-Type: multipart').toString('base64').slice(0, 16),
    };
    const places = {
      'the logs': [...stack.apis, ...stack.workers].flatMap((process) => process.logs()).join('\n'),
      'error bodies': [...errors, JSON.stringify(failed)].join('\n'),
      Redis: await everythingRedisWrote(stack, redisDir),
    };
    for (const [place, text] of Object.entries(places)) {
      assert.ok(text.length > 0, `there is something in ${place}`);
      for (const [name, secret] of Object.entries(secrets)) {
        assert.ok(!text.includes(secret), `${name} stands in ${place}`);
      }
    }
  });
});

/** The append-only file holds every write there ever was, also of keys that are gone. */
async function everythingRedisWrote({ redis, redisUrl }: Stack, dir: string): Promise<string> {
  assert.ok(redis, 'the suite has a Redis of its own');
  const client = new Redis(redisUrl);
  await client.config('SET', 'appendfsync', 'always');
  client.disconnect();
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes('.aof'),
  );
  return files.map((name) => readFileSync(join(dir, name), 'latin1')).join('\n');
}
