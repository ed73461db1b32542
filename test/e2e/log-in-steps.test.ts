import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { type PreparedMember, prepareMember } from '../support/projects/prepared-member.ts';
import { requirePasscode } from '../support/projects/second-factor.ts';
import { isRealCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';

interface Answer {
  code?: string;
  detail?: string;
  receipt?: string;
  missing_methods?: string[];
  token: string;
  project_id: string;
}

describe('a log-in that needs more than a password', function () {
  this.timeout(120_000);
  let stack: Stack;
  let identityUrl: string;
  let admin: CloudClient;
  const members: PreparedMember[] = [];
  /** Restores the password of a user of the cloud. */
  let restorePassword: (() => Promise<void>) | undefined;

  before(async () => {
    stack = await startTestStack({ startsJobs: false });
    identityUrl = stack.identityUrl ?? '';
    admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
  });

  after(async () => {
    await restorePassword?.();
    for (const member of members) await member.remove();
    await stack?.stop();
  });

  async function newMember(): Promise<PreparedMember> {
    const member = await prepareMember(identityUrl, admin);
    members.push(member);
    return member;
  }

  function send(method: string, path: string, body: object) {
    return new GatewayClient(stack.url, '', '').request<Answer>(method, path, body);
  }

  const withPassword = ({ username, password, projectName }: PreparedMember['login']) =>
    send('POST', '/api/auth/login', { username, password, project_name: projectName });

  function skip(context: Mocha.Context, reason: string): never {
    process.stderr.write(`      SKIPPED: ${reason}\n`);
    return context.skip();
  }

  it('continues with a receipt and a passcode, which is accepted once', async function () {
    const { cloud, login } = await newMember();
    const currentPasscode = await requirePasscode(admin, cloud.userId);
    const first = await withPassword(login);
    if (first.status === 200) skip(this, 'the identity service is not configured to accept passcodes');
    assert.deepEqual([first.status, first.body.code], [401, 'totp_required'], first.text);
    assert.deepEqual(first.body.missing_methods, ['totp']);
    const { receipt } = first.body;
    const proceed = (passcode: string) => send('POST', '/api/auth/login', { receipt, passcode });

    const passcode = currentPasscode();
    const wrong = await proceed(passcode === '000000' ? '000001' : '000000');
    const right = await proceed(passcode);
    const used = await proceed(passcode);

    assert.deepEqual([wrong.status, wrong.body.code], [401, 'wrong_passcode'], wrong.text);
    assert.equal(right.status, 200, right.text);
    assert.deepEqual([used.status, used.body.code], [401, 'wrong_passcode'], used.text);
    const { project_id, token } = right.body;
    const user = new GatewayClient(stack.url, token, project_id);
    assert.equal((await user.request('GET', '/api/instances')).status, 200);
    assert.equal((await user.request('POST', '/api/auth/token', { project_id })).status, 200);
  });

  it('changes a password that has expired, and then succeeds', async function () {
    const login = await expiredLogin();
    const refused = await withPassword(login);
    if (refused.body.code !== 'password_expired') {
      skip(this, `the password of the user ${login.username} has not expired in this cloud`);
    }
    const { password, username } = login;
    if (isRealCloud()) restorePassword = () => setPassword(username, password);
    const change = (current: string) =>
      send('PUT', '/api/auth/expired-password', {
        username,
        current_password: current,
        new_password: `${password}-new`,
      });

    const wrong = await change('wrong');
    const right = await change(password);

    assert.deepEqual([wrong.status, wrong.body.code], [401, 'unauthorized'], wrong.text);
    assert.equal(right.status, 200, right.text);
    assert.equal(right.body.token, undefined);
    assert.equal((await withPassword(login)).body.code, 'unauthorized');
    // The identity service also revokes tokens that it issues in the second of the change.
    await eventually(async () => {
      const { body } = await withPassword({ ...login, password: `${password}-new` });
      const user = new GatewayClient(stack.url, body.token, body.project_id);
      return (await user.request('GET', '/api/auth/projects')).status === 200 ? true : undefined;
    });
    const again = await change(`${password}-new`);
    assert.deepEqual([again.status, again.body.code], [409, 'conflict'], again.text);
  });

  async function setPassword(username: string, password: string): Promise<void> {
    const path = `/users?name=${username}&domain_id=default`;
    const { users } = await admin.call<{ users: { id: string }[] }>('identity', 'GET', path);
    await admin.call('identity', 'PATCH', `/users/${users[0]?.id}`, { user: { password } });
  }

  /** No request makes a password of a real cloud expire. The test cloud has a user for this. */
  async function expiredLogin(): Promise<PreparedMember['login']> {
    if (isRealCloud()) return { username: 'expired', password: 'expired-secret', projectName: 'demo' };
    const { cloud, login } = await newMember();
    const control = new CloudsimControl(stack.cloudsim?.url ?? '');
    await control.set({ changePasswordUponFirstUse: true });
    const user = { password: login.password };
    await admin.call('identity', 'PATCH', `/users/${cloud.userId}`, { user });
    await control.set({ changePasswordUponFirstUse: false });
    return login;
  }
});
