import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { prepareMember } from '../support/projects/prepared-member.ts';
import { requirePasscode } from '../support/projects/second-factor.ts';
import { testLogin } from '../support/stacks/test-stack.ts';
import { WatchedStack } from '../support/stacks/watched-stack.ts';

describe('secrets', function () {
  this.timeout(300_000);
  let watched: WatchedStack;
  let stack: Stack;

  before(async () => {
    watched = await WatchedStack.start();
    ({ stack } = watched);
  });

  after(() => watched?.stop());

  /** Logs a new user in with a second factor. @returns what only the client may know */
  async function logInWithPasscode(): Promise<{ passcode: string; receipt: string }> {
    const identityUrl = stack.identityUrl ?? '';
    const admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
    const { cloud, login } = await prepareMember(identityUrl, admin);
    const passcode = (await requirePasscode(admin, cloud.userId))();
    const anonymous = new GatewayClient(stack.url, '', '');
    const { password, username } = login;
    const first = await anonymous.request<{ receipt: string }>('POST', '/api/auth/login', {
      username,
      password,
    });
    const { receipt } = first.body;
    const second = await anonymous.request('POST', '/api/auth/login', { receipt, passcode });
    assert.equal(second.status, 200, second.text);
    return { passcode, receipt };
  }

  it("never appear in clear in logs, error bodies or Redis's files", async () => {
    const login = testLogin('demo');
    const adminPass = 'Hidden-Passw0rd-of-the-VM';
    const gateway = await GatewayClient.logIn(stack.url, login);
    const errors: string[] = [];
    const send = async (method: string, path: string, body?: unknown) => {
      const answer = await gateway.request<Record<string, string>>(method, path, body);
      if (answer.status >= 400) errors.push(answer.text);
      return answer;
    };

    const keypair = await send('POST', '/api/keypairs', { name: 'e2e-secret-key' });
    const request = {
      ...(await gateway.smallInstanceRequest('e2e-secrets')),
      libraries: ['python311'],
      admin_pass: adminPass,
      key_name: 'e2e-secret-key',
    };
    const created = (await gateway.messagesOfCreation(request)).at(-1);
    const failed = (await gateway.messagesOfCreation({ ...request, key_name: 'not-there' })).at(-1);
    await send('PUT', '/api/profile/password', {
      current_password: 'Wrong-Passw0rd-guess',
      new_password: 'Another-Passw0rd-wish',
    });
    await send('POST', '/api/auth/login', { username: login.username, password: 'Login-Passw0rd-guess' });
    const { passcode, receipt } = await logInWithPasscode();
    await send('POST', '/api/instances', { ...request, image_id: 7 });
    await send('DELETE', `/api/instances/${created?.instance_id}`);
    await send('DELETE', '/api/keypairs/e2e-secret-key');

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
      'a receipt': receipt,
      'a passcode': `"${passcode}"`,
      'the private key': privateKey.split('\n')[1] ?? '',
      'a private key': 'PRIVATE KEY',
      'first-boot data': '#cloud-config',
      'encoded first-boot data': Buffer.from('Content-Type: multipart').toString('base64').slice(0, 16),
    };
    await watched.assertSecretsAbsent(secrets, [...errors, JSON.stringify(failed)]);
  });
});
