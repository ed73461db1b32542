import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { assertConflict, startWithCaller } from '../../support/api/refusals.ts';
import { type ApiSuite, apiSuite } from '../../support/api/suite.ts';
import { fixture, fixtureBody } from '../../support/doubles/upstream.ts';

interface Server {
  id: string;
  user_id: string;
  [field: string]: unknown;
}

const server = fixtureBody<Server>('compute/server', 'server');
const { path: serverPath } = fixture('compute/server').request;
const stopped = { status: 'SHUTOFF', 'OS-EXT-STS:vm_state': 'stopped' };
const path = `/api/instances/${server.id}`;
/** How the compute service answers for what the driver of a host cannot do. */
const NOT_IMPLEMENTED = {
  notImplemented: { code: 501, message: 'Unable to get console log, functionality not implemented.' },
};

/**
 * The differences between the actions: the body that is sent, a state that allows the action
 * and one that does not.
 */
const ACTIONS = [
  { name: 'start', sent: { 'os-start': null }, from: stopped, refusedIn: 'ACTIVE', status: 'starting' },
  { name: 'stop', sent: { 'os-stop': null }, from: {}, refusedIn: 'SHUTOFF', status: 'stopping' },
  {
    name: 'reboot',
    sent: { reboot: { type: 'SOFT' } },
    from: {},
    refusedIn: 'SHUTOFF',
    status: 'rebooting',
  },
  { name: 'shelve', sent: { shelve: null }, from: stopped, refusedIn: 'SHELVED_OFFLOADED', status: null },
  {
    name: 'unshelve',
    sent: { unshelve: null },
    from: { status: 'SHELVED_OFFLOADED', 'OS-EXT-STS:vm_state': 'shelved_offloaded' },
    refusedIn: 'ACTIVE',
    status: null,
  },
] as const;

for (const { name, sent, from, refusedIn, status } of ACTIONS) {
  describe(`POST /api/instances/{instance_id}/${name}`, () => {
    const suite = apiSuite();

    it('sends the action to the compute service', async () => {
      const { api, caller } = await startWithCaller(suite);
      replyServer(suite, from);
      suite.cloud.reply('compute/server-start-active', {
        path: `${serverPath}/action`,
        requestBody: sent,
        status: 202,
        body: '',
      });

      const answer = await api.post(`${path}/${name}`, { as: caller });

      assert.equal(answer.status, status === null ? 204 : 200);
      assert.deepEqual(answer.body, status === null ? undefined : { status });
    });

    it('is 409 with the status in other states, without a call', async () => {
      const { api, caller } = await startWithCaller(suite);
      const vmState = { ACTIVE: 'active', SHUTOFF: 'stopped', SHELVED_OFFLOADED: 'shelved_offloaded' };
      replyServer(suite, { status: refusedIn, 'OS-EXT-STS:vm_state': vmState[refusedIn] });

      const answer = await api.post<ErrorBody>(`${path}/${name}`, { as: caller });

      assertConflict(answer, new RegExp(`: its status is ${refusedIn}\\.$`));
    });

    it('is 409 with the task while one is running', async () => {
      const { api, caller } = await startWithCaller(suite);
      replyServer(suite, { ...from, 'OS-EXT-STS:task_state': 'powering-on' });

      const answer = await api.post<ErrorBody>(`${path}/${name}`, { as: caller });

      assertConflict(
        answer,
        /its task state is powering-on\. If this state does not end, an administrator can reset it\.$/,
      );
    });

    it("is 404 for another project's instance, also with an administrator's token", async () => {
      const { api, caller } = await startWithCaller(suite, {
        roles: ['admin'],
        projectId: 'another-project',
      });
      replyServer(suite, from);

      const answer = await api.post<ErrorBody>(`${path}/${name}`, { as: caller });

      assert.deepEqual([answer.status, answer.body.code], [404, 'not_found']);
    });
  });
}

describe('POST /api/instances/{instance_id}/reboot with the type hard', () => {
  const suite = apiSuite();
  const sends = (type: string) =>
    suite.cloud.reply('compute/server-start-active', {
      path: `${serverPath}/action`,
      requestBody: { reboot: { type } },
      status: 202,
      body: '',
    });

  for (const from of [
    {},
    stopped,
    { status: 'ERROR', 'OS-EXT-STS:vm_state': 'error' },
    { 'OS-EXT-STS:task_state': 'rebooting' },
  ]) {
    it(`is sent for an instance that is ${JSON.stringify(from)}`, async () => {
      const { api, caller } = await startWithCaller(suite);
      replyServer(suite, from);
      sends('HARD');

      const answer = await api.post(`${path}/reboot`, { as: caller, body: { type: 'hard' } });

      assert.deepEqual([answer.status, answer.body], [200, { status: 'rebooting' }]);
    });
  }

  it('is 409 while another task is running, and in other states', async () => {
    const { api, caller } = await startWithCaller(suite);
    for (const from of [
      { 'OS-EXT-STS:task_state': 'powering-off' },
      { status: 'SHELVED_OFFLOADED', 'OS-EXT-STS:vm_state': 'shelved_offloaded' },
    ]) {
      replyServer(suite, from);

      const answer = await api.post<ErrorBody>(`${path}/reboot`, { as: caller, body: { type: 'hard' } });

      assertConflict(answer, /^The instance cannot be rebooted: its status is/);
    }
  });

  it('is 400 with another type, and soft with the type soft', async () => {
    const { api, caller } = await startWithCaller(suite);
    assert.equal((await api.post(`${path}/reboot`, { as: caller, body: { type: 'cold' } })).status, 400);
    replyServer(suite, {});
    sends('SOFT');

    assert.equal((await api.post(`${path}/reboot`, { as: caller, body: { type: 'soft' } })).status, 200);
  });
});

describe('an action that the compute service refuses', () => {
  const suite = apiSuite();

  it('is 409 with the state that the instance has come into meanwhile', async () => {
    const { api, caller } = await startWithCaller(suite);
    replyServer(suite, stopped);
    refuse(suite, "Cannot 'start' instance while it is in task_state powering-on");
    replyServer(suite, { ...stopped, 'OS-EXT-STS:task_state': 'powering-on' });

    const answer = await api.post<ErrorBody>(`${path}/start`, { as: caller });

    assertConflict(answer, /its status is SHUTOFF and its task state is powering-on\. If this state /);
  });

  it('is 409 with state and reason if the state is another', async () => {
    const { api, caller } = await startWithCaller(suite);
    replyServer(suite, stopped);
    refuse(suite, 'Instance is locked');
    replyServer(suite, stopped);

    const answer = await api.post<ErrorBody>(`${path}/start`, { as: caller });

    assertConflict(answer, /its status is SHUTOFF, and the compute service says: Instance is locked/);
    assert.equal(answer.body.upstream?.status, 409);
  });

  it('is 404 if the instance was deleted meanwhile', async () => {
    const { api, caller } = await startWithCaller(suite);
    replyServer(suite, stopped);
    refuse(suite, 'Instance is locked');
    suite.cloud.reply('compute/server-not-found', { path: serverPath });

    const answer = await api.post<ErrorBody>(`${path}/start`, { as: caller });

    assert.deepEqual([answer.status, answer.body.code], [404, 'not_found']);
  });

  it('keeps its status if the service fails', async () => {
    const { api, caller } = await startWithCaller(suite);
    replyServer(suite, stopped);
    suite.cloud.reply('compute/server-start-active', { path: `${serverPath}/action`, status: 500 });

    const answer = await api.post<ErrorBody>(`${path}/start`, { as: caller });

    assert.deepEqual([answer.status, answer.body.code], [502, 'upstream_error']);
  });
});

describe('GET /api/instances/{instance_id}/console', () => {
  const suite = apiSuite();
  const consolePath = `${serverPath}/remote-consoles`;
  const console = { protocol: 'spice', type: 'spice-html5', url: 'https://console/?token=secret' };

  it('takes the first type of console that the cloud has', async () => {
    const { api, caller } = await startWithCaller(suite);
    replyServer(suite, {});
    suite.cloud
      .reply('compute/boot-volume-detach', { method: 'POST', path: consolePath })
      .reply('compute/server', {
        method: 'POST',
        path: consolePath,
        requestBody: { remote_console: { protocol: 'spice', type: 'spice-html5' } },
        body: { remote_console: console },
      });

    const answer = await api.get(`${path}/console`, { as: caller });

    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, { url: console.url, type: console.type });
    assert.equal(answer.headers['cache-control'], 'no-store');
  });

  it('tries the next type of console if the driver lacks one', async () => {
    const { api, caller } = await startWithCaller(suite);
    replyServer(suite, {});
    suite.cloud
      .reply('compute/boot-volume-detach', {
        method: 'POST',
        path: consolePath,
        status: 501,
        body: NOT_IMPLEMENTED,
        times: 2,
      })
      .reply('compute/server', { method: 'POST', path: consolePath, body: { remote_console: console } });

    const answer = await api.get(`${path}/console`, { as: caller });

    assert.equal(answer.status, 200);
  });

  it('is 409 if the cloud has no consoles', async () => {
    const { api, caller } = await startWithCaller(suite);
    replyServer(suite, {});
    suite.cloud.reply('compute/boot-volume-detach', { method: 'POST', path: consolePath, times: 3 });

    assertConflict(await api.get<ErrorBody>(`${path}/console`, { as: caller }), /does not offer consoles/);
  });

  for (const state of [stopped, { 'OS-EXT-STS:task_state': 'deleting' }]) {
    it(`is 409 without a call while the instance is ${JSON.stringify(state)}`, async () => {
      const { api, caller } = await startWithCaller(suite);
      replyServer(suite, state);

      assertConflict(await api.get<ErrorBody>(`${path}/console`, { as: caller }), /its status is/);
    });
  }
});

describe('GET /api/instances/{instance_id}/log', () => {
  const suite = apiSuite();

  it("is 409 with the service's sentence if the driver has no logs", async () => {
    const { api, caller } = await startWithCaller(suite);
    replyServer(suite, {});
    const action = { path: `${serverPath}/action`, status: 501, body: NOT_IMPLEMENTED };
    suite.cloud.reply('compute/server-start-active', action);

    const { body, status } = await api.get<ErrorBody>(`${path}/log`, { as: caller });

    assert.deepEqual([status, body.code, body.reason], [409, 'conflict', 'not_supported']);
    assert.equal(body.detail, NOT_IMPLEMENTED.notImplemented.message);
  });

  for (const [query, sent] of [
    ['', { length: 100 }],
    ['?length=7', { length: 7 }],
    ['?length=0', {}],
  ] as const) {
    it(`asks for ${JSON.stringify(sent)} with "${query}"`, async () => {
      const { api, caller } = await startWithCaller(suite);
      replyServer(suite, {});
      suite.cloud.reply('compute/server-start-active', {
        path: `${serverPath}/action`,
        requestBody: { 'os-getConsoleOutput': sent },
        status: 200,
        body: { output: 'a\nb' },
      });

      const answer = await api.get(`${path}/log${query}`, { as: caller });

      assert.deepEqual(answer.body, { log: 'a\nb' });
    });
  }

  for (const query of ['?length=-1', '?length=many', '?length=1.5']) {
    it(`is 400 before any call with "${query}"`, async () => {
      const { api, caller } = await startWithCaller(suite);

      const { status, body } = await api.get<ErrorBody>(`${path}/log${query}`, { as: caller });

      assert.deepEqual([status, body.errors?.map(({ field }) => field)], [400, ['query.length']]);
    });
  }

  for (const status of [404, 409]) {
    it(`is 409 with the state without a log of the instance (${status})`, async () => {
      const { api, caller } = await startWithCaller(suite);
      replyServer(suite, {});
      refuse(suite, 'Guest does not have a console available.', status);
      replyServer(suite, {});

      assertConflict(await api.get<ErrorBody>(`${path}/log`, { as: caller }), /its status is ACTIVE/);
    });
  }
});

describe('GET /api/instances/{instance_id}/owner', () => {
  const suite = apiSuite();

  for (const status of [403, 404, 500]) {
    it(`has no name if the identity service answers ${status}`, async () => {
      const { api, caller } = await startWithCaller(suite);
      replyServer(suite, { user_id: 'somebody-else' });
      suite.cloud.reply('identity/user-forbidden', { path: '/v3/users/somebody-else', status });

      const answer = await api.get<Record<string, string>>(`${path}/owner`, { as: caller });

      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, {
        user_id: 'somebody-else',
        user_name: '',
        project_id: caller.projectId,
        project_name: caller.projectName,
      });
    });
  }

  it("has another user's name if the identity service shows it", async () => {
    const { api, caller } = await startWithCaller(suite);
    replyServer(suite, { user_id: 'somebody-else' });
    suite.cloud.reply('identity/user', { path: '/v3/users/somebody-else' });

    const answer = await api.get<Record<string, string>>(`${path}/owner`, { as: caller });

    assert.equal(answer.body.user_name, fixtureBody<{ name: string }>('identity/user', 'user').name);
  });
});

function replyServer(suite: ApiSuite, differences: object): void {
  suite.cloud.reply('compute/server', { body: { server: { ...server, ...differences } } });
}

/** The compute service refuses an action. */
function refuse(suite: ApiSuite, message: string, status = 409): void {
  suite.cloud.reply('compute/server-start-active', {
    path: `${serverPath}/action`,
    status,
    body: { conflictingRequest: { code: status, message } },
  });
}
