import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { readFirstBootData } from '../../apps/cloudsim/src/guest/first-boot-data.ts';
import type { Stack } from '../../scripts/stack.ts';
import { buildOf, endedBuild, startBuild } from '../support/builds.ts';
import { CloudsimControl } from '../support/cloudsim-control.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayClient, messagesOf } from '../support/gateway-client.ts';
import { isRealCloud, startTestStack, testLogin } from '../support/test-stack.ts';

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
    await standNowhere(secrets, [...errors, JSON.stringify(failed)]);
  });

  it('of a builder do not either, nor does its job tell them', async function () {
    // On a real cloud the builder would have to reach this machine.
    if (isRealCloud()) return this.skip();
    const control = new CloudsimControl(stack.cloudsim?.url ?? '');
    await control.set({ guest: { outcome: 'silent' } });
    const admin = await GatewayClient.logIn(stack.url, testLogin('admin'));
    const { body } = await startBuild(admin, 'python311');
    const serverId = await eventually(async () => (await buildOf(admin, body.job_id)).server_id ?? undefined);
    const userData = (await control.userData(serverId)).toString('base64');
    const { files } = readFirstBootData(userData);
    const secret = (name: string) => (files.get(`/etc/gateway/first-boot/${name}`) ?? '').trim();
    const secrets = {
      'the token of the builder': secret('report-token'),
      'the key of the share': secret('share.secret'),
      'the first-boot data of the builder': userData.slice(0, 100),
    };
    for (const [name, value] of Object.entries(secrets)) assert.ok(value.length > 16, name);
    const refused = await admin.request('POST', '/api/file-storage/builds/callback', {
      token: secrets['the token of the builder'],
      stage: 'Not A Stage',
    });
    assert.equal(refused.status, 400, refused.text);

    await admin.request('POST', `/api/jobs/${body.job_id}/cancel`);
    await endedBuild(admin, body.job_id);

    const events = await messagesOf(await admin.followJob(body.job_id));
    await standNowhere(secrets, [refused.text, JSON.stringify(events)]);
  });

  async function standNowhere(secrets: Record<string, string>, answers: string[]): Promise<void> {
    const places = {
      'the logs': [...stack.apis, ...stack.workers].flatMap((process) => process.logs()).join('\n'),
      answers: answers.join('\n'),
      Redis: await everythingRedisWrote(stack, redisDir),
    };
    for (const [place, text] of Object.entries(places)) {
      assert.ok(text.length > 0, `there is something in ${place}`);
      for (const [name, secret] of Object.entries(secrets)) {
        assert.ok(!text.includes(secret), `${name} stands in ${place}`);
      }
    }
  }
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
