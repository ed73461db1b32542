import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { computeAnswers } from '../../support/api/compute.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';

const ID = '0a1b2c3d-0000-4000-8000-0000000000e1';
const GROUPS = '/api/server-groups';

describe('server groups', () => {
  const suite = apiSuite();

  async function start(roles?: string[]) {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller(roles && { roles }));
    const group = {
      id: ID,
      name: 'apart',
      policy: 'anti-affinity',
      rules: {},
      members: [],
      project_id: caller.projectId,
    };
    const shown = {
      id: ID,
      name: 'apart',
      policy: 'anti-affinity',
      max_server_per_host: null,
      instance_ids: [],
      instance_names: [],
    };
    return { api, caller, group, shown };
  }

  it('are listed', async () => {
    const { api, caller, group, shown } = await start();
    const rules = { max_server_per_host: 3 };
    computeAnswers(suite.cloud, 'GET /os-server-groups', { server_groups: [group, { ...group, rules }] });

    assert.deepEqual((await api.get(GROUPS, { as: caller })).body, [shown, { ...shown, ...rules }]);
  });

  it('are created', async () => {
    const { api, caller, group, shown } = await start();
    const body = { name: 'apart', policy: 'anti-affinity' };
    computeAnswers(
      suite.cloud,
      'POST /os-server-groups',
      { server_group: group },
      { requestBody: { server_group: body } },
    );

    const answer = await api.post(GROUPS, { as: caller, body });

    assert.deepEqual([answer.status, answer.body], [201, shown]);
  });

  for (const [body, field] of [
    [{ policy: 'affinity' }, 'body.name'],
    [{ name: 'apart' }, 'body.policy'],
    [{ name: 'apart', policy: 'alone' }, 'body.policy'],
  ] as const) {
    it(`are 400 with ${JSON.stringify(body)}`, async () => {
      const { api, caller } = await start();

      const answer = await api.post<ErrorBody>(GROUPS, { as: caller, body });

      assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, field]);
    });
  }

  it('are deleted', async () => {
    const { api, caller, group } = await start();
    computeAnswers(suite.cloud, `GET /os-server-groups/${ID}`, { server_group: group });
    computeAnswers(suite.cloud, `DELETE /os-server-groups/${ID}`, '', { status: 204 });

    assert.equal((await api.request('DELETE', `${GROUPS}/${ID}`, { as: caller })).status, 204);
  });

  it('are 404 in another project, also for an administrator', async () => {
    const { api, caller, group } = await start(['admin']);
    computeAnswers(suite.cloud, `GET /os-server-groups/${ID}`, {
      server_group: { ...group, project_id: 'another' },
    });

    assert.equal((await api.request('DELETE', `${GROUPS}/${ID}`, { as: caller })).status, 404);
  });
});
