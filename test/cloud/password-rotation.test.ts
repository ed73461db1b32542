import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import type { EventStream } from '../support/clients/sse-client.ts';
import { eventually } from '../support/eventually.ts';
import { serviceLogin, startTestStack, testLogin } from '../support/stacks/test-stack.ts';
import { ServiceUser } from '../support/subjects/service-user.ts';

interface Job {
  status: string;
  error: string | null;
  resource_id: string | null;
  leftovers: object[];
}

const WAITS = 'A job waits until the identity service accepts the service user';
const CREATIONS = 2;
const LIMIT_MS = 600_000;

/** A service user of the test's own: others use the cloud, too. */
const login = {
  username: `e2e-gateway-${randomBytes(4).toString('hex')}`,
  password: `first-${randomBytes(8).toString('hex')}`,
  projectName: serviceLogin.projectName,
};

describe('a rotation of the password of the service user', function () {
  this.timeout(2 * LIMIT_MS);
  let admin: CloudClient;
  let userId: string;
  let stack: Stack;
  let member: GatewayClient;
  const created: string[] = [];

  before(async () => {
    const identityUrl = process.env.TEST_CLOUD_AUTH_URL ?? '';
    admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
    const service = await CloudClient.logIn(identityUrl, serviceLogin);
    const { user } = await admin.call<{ user: { id: string } }>('identity', 'POST', '/users', {
      user: { name: login.username, password: login.password, domain_id: 'default' },
    });
    userId = user.id;
    const { roles } = await admin.call<{ roles: { id: string }[] }>('identity', 'GET', '/roles?name=admin');
    const path = `/projects/${service.projectId}/users/${userId}/roles/${roles[0]?.id}`;
    await admin.call('identity', 'PUT', path);
    stack = await startTestStack({ own: true, env: serviceVariables(login.password) });
    member = await GatewayClient.logIn(stack.url, testLogin('demo'));
  });

  after(async () => {
    for (const id of created) await member.request('DELETE', `/api/instances/${id}`);
    await stack?.stop();
    if (userId) await admin.call('identity', 'DELETE', `/users/${userId}`);
  });

  function serviceVariables(password: string): Record<string, string> {
    return {
      GATEWAY_SERVICE_USERNAME: login.username,
      GATEWAY_SERVICE_PASSWORD: password,
      GATEWAY_SERVICE_PROJECT: login.projectName,
    };
  }

  it('lets creations wait, whose users have logged out, and completes them', async () => {
    const user = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const streams: EventStream[] = [];
    for (let count = 0; count < CREATIONS; count += 1) {
      const stream = await user.createInstance(await user.smallInstanceRequest(`e2e-rotation-${count}`));
      await stream.next();
      streams.push(stream);
    }
    const jobIds = streams.map(({ headers }) => headers.get('x-job-id') ?? '');
    const readAll = () => Promise.all(jobIds.map((id) => member.read<Job>(`/api/jobs/${id}`)));
    await user.request('POST', '/api/auth/logout');
    await stack.workers[0]?.stop();
    for (const stream of streams) stream.close();
    const begun = await readAll();
    assert.ok(
      begun.some(({ status }) => status === 'running'),
      'the worker has stopped in the middle',
    );

    const rotated = `second-${randomBytes(8).toString('hex')}`;
    await (await ServiceUser.find(stack.identityUrl ?? '', login)).setPassword(rotated);
    const late = await stack.addWorker();
    await eventually(async () => late.logs().some((line) => line.includes(WAITS)), LIMIT_MS);
    for (const { error, status } of await readAll()) {
      assert.equal(error, null);
      assert.notEqual(status, 'failed');
    }
    await late.stop();

    await stack.addWorker(serviceVariables(rotated));
    const ended = await eventually(async () => {
      const jobs = await readAll();
      return jobs.every(({ status }) => !['queued', 'running'].includes(status)) ? jobs : undefined;
    }, LIMIT_MS);
    for (const { error, leftovers, resource_id: id, status } of ended) {
      if (id) created.push(id);
      assert.deepEqual([status, error, leftovers], ['completed', null, []]);
    }
  });
});
