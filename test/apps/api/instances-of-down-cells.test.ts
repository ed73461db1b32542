import assert from 'node:assert/strict';
import type { Instance } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { answersShare, SHARE_PATH } from '../../support/api/file-storage.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

interface Row {
  id: string;
  tenant_id: string;
  user_id: string;
  created: string;
}

const server = fixtureBody<Row>('compute/server', 'server');
const { created, id, tenant_id, user_id } = server;
/** All that the compute service says of a server whose cell is down. */
const minimal = {
  ...{ id, tenant_id, user_id, created, status: 'UNKNOWN', image: '', links: [] },
  ...{ 'OS-EXT-AZ:availability_zone': 'UNKNOWN', 'OS-EXT-STS:power_state': 0 },
};
const path = `/api/instances/${id}`;

describe('an instance whose cell is down', () => {
  const suite = apiSuite();

  for (const [method, action] of [
    ['DELETE', ''],
    ['POST', '/stop'],
    ['POST', '/lock'],
    ['DELETE', '/floating-ip'],
    ['DELETE', '/volumes/7a0d3a3e-5f4b-4c35-9f1b-0c3b8d1f9f10'],
    ['DELETE', '/interfaces/7a0d3a3e-5f4b-4c35-9f1b-0c3b8d1f9f10'],
  ] as const) {
    it(`is not changed by its minimal row: ${method} ${action.split('/')[1] ?? 'instance'}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      suite.cloud.reply('compute/server', { body: { server: minimal } });

      const answer = await api.request<ErrorBody>(method, `${path}${action}`, { as: caller });

      assert.deepEqual([answer.status, answer.body.code], [503, 'upstream_unavailable'], answer.text);
      assert.ok(Number(answer.headers['retry-after']) > 0);
      assert.match(answer.body.detail, /part of the compute service/);
      const jobs = await api.get<{ items: unknown[] }>('/api/jobs', { as: caller });
      assert.deepEqual(jobs.body.items, []);
    });
  }

  it('keeps a file storage that it may have as a layer', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answersShare(suite.cloud, { metadata: { overlay_type: 'dynamic' } });
    suite.cloud.reply('shared-file-system/access-rules', { body: { access_list: [] } });
    suite.cloud.reply('compute/servers', { body: { servers: [minimal] } });

    const answer = await api.request<ErrorBody>('DELETE', SHARE_PATH, { as: caller });

    assert.deepEqual([answer.status, answer.body.code], [503, 'upstream_unavailable'], answer.text);
  });

  it('offers no action in its row', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud
      .reply('compute/servers', { body: { servers: [minimal] } })
      .reply('block-storage/volumes')
      .reply('compute/flavors')
      .reply('image/images');

    const { body } = await api.get<Instance[]>('/api/instances', { as: caller });

    assert.deepEqual(
      body.map(({ allowed_actions }) => allowed_actions),
      [[]],
    );
  });

  it('differs from one whose metadata alone are unsaid', async () => {
    const api = await suite.start({ settings: { time_limits: { job_accept_seconds: 1 } } });
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/server', { body: { server: { ...server, metadata: null } } });

    const answer = await api.request<ErrorBody>('DELETE', path, { as: caller });

    assert.deepEqual([answer.status, answer.body.code], [504, 'timeout']);
  });
});
