import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { freePort } from '../../scripts/free-port.ts';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { TestBrowser } from '../support/clients/test-browser.ts';
import { prepareMember } from '../support/projects/prepared-member.ts';
import { requirePasscode } from '../support/projects/second-factor.ts';
import { isRealCloud, testLogin } from '../support/stacks/test-stack.ts';
import { WatchedStack } from '../support/stacks/watched-stack.ts';

const DASHBOARD = 'https://dashboard.example.org';

describe('secrets', function () {
  this.timeout(300_000);
  let watched: WatchedStack;
  let stack: Stack;

  before(async () => {
    const port = await freePort();
    const provider = { id: 'company', name: 'Company', identity_provider: 'testidp', protocol: 'openid' };
    watched = await WatchedStack.start({
      ports: { api: port },
      config: {
        sso: { providers: [provider], dashboards: [`${DASHBOARD}/signed-in`] },
        http: { cors_origins: [DASHBOARD] },
        public_endpoint: { url: `http://127.0.0.1:${port}` },
      },
    });
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

  /** Creates an application credential, and logs in with it. @returns what only the program may know */
  async function logInAsProgram(gateway: GatewayClient): Promise<{ secret: string; token: string }> {
    const path = '/api/auth/application-credentials';
    const created = await gateway.request<{ id: string; secret: string }>('POST', path, {
      name: `e2e-${randomBytes(4).toString('hex')}`,
    });
    assert.equal(created.status, 201);
    const { id, secret } = created.body;
    const anonymous = new GatewayClient(stack.url, '', '');
    const { body, status } = await anonymous.request<{ token: string }>('POST', '/api/auth/login', {
      application_credential: { id, secret },
    });
    assert.equal(status, 200);
    const program = new GatewayClient(stack.url, body.token, gateway.projectId);
    assert.equal((await program.request('GET', '/api/volumes')).status, 200);
    assert.equal((await gateway.request('DELETE', `${path}/${id}`)).status, 204);
    return { secret, token: body.token };
  }

  /**
   * Signs a user on at an identity provider. @returns what only the browser may know, and the addresses that
   * it has sent to servers
   */
  async function signOn() {
    const trustedDashboards = [`${stack.url}/api/auth/sso/callback`];
    await new CloudsimControl(stack.cloudsim?.url ?? '').set({ trustedDashboards });
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const query = new URLSearchParams({ origin: DASHBOARD, challenge });
    const beginning = `${stack.url}/api/auth/sso/company?${query}`;
    const browser = new TestBrowser();
    const { returned, token: received } = await browser.signOn(beginning, 'erin');
    // A browser keeps the fragment of an address to itself.
    const [address = '', code = ''] = (returned.headers.get('location') ?? '').split('#code=');
    const response = await fetch(`${stack.url}/api/auth/exchange`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: DASHBOARD },
      body: JSON.stringify({ code, verifier }),
    });
    const { token } = (await response.json()) as { token: string };
    assert.equal(response.status, 200);
    return { secrets: { code, received, token, verifier }, addresses: [...browser.addresses, address] };
  }

  it("never appear in logs, traces, addresses, error bodies or Redis's files", async () => {
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
    await send('POST', '/api/instances/async', { ...request, key_name: 'not-there' });
    const cancelled = await gateway.createInstance(request);
    await send('POST', `/api/jobs/${cancelled.headers.get('x-job-id')}/cancel`);
    const failed = (await messagesOf(cancelled)).at(-1);
    await send('PUT', '/api/profile/password', {
      current_password: 'Wrong-Passw0rd-guess',
      new_password: 'Another-Passw0rd-wish',
    });
    await send('POST', '/api/auth/login', { username: login.username, password: 'Login-Passw0rd-guess' });
    const { passcode, receipt } = await logInWithPasscode();
    const program = await logInAsProgram(gateway);
    const browser = isRealCloud() ? null : await signOn();
    await send('POST', '/api/instances', { ...request, image_id: 7 });
    await send('DELETE', `/api/instances/${created?.instance_id}`);
    await send('DELETE', '/api/keypairs/e2e-secret-key');

    assert.equal(created?.step, 'COMPLETED', created?.error ?? '');
    assert.equal(failed?.step, 'FAILED');
    assert.ok(errors.length >= 4, 'there were error bodies to look into');
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
      'a passcode of an address': `=${passcode}`,
      'the token of a program': program.token,
      'the secret of an application credential': program.secret,
      'the private key': privateKey.split('\n')[1] ?? '',
      'a private key': 'PRIVATE KEY',
      'first-boot data': '#cloud-config',
      'encoded first-boot data': Buffer.from('Content-Type: multipart').toString('base64').slice(0, 16),
    };
    for (const [name, secret] of Object.entries(browser?.secrets ?? {})) {
      assert.ok(secret.length >= 43, name);
      Object.assign(secrets, { [`the ${name} of a single sign-on`]: secret });
    }
    const visited = browser?.addresses ?? [];
    await watched.assertSecretsAbsent(secrets, [...errors, JSON.stringify(failed), ...visited]);
  });
});
