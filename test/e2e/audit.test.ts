import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eventually } from '../support/eventually.ts';
import { AdminStack } from '../support/stacks/admin-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

interface AuditRecord {
  id: string;
  timestamp: string;
  user_id: string;
  user_name: string;
  project_id: string;
  target_project_id: string | null;
  method: string;
  route: string;
  resource_id: string | null;
  status: number;
  outcome: string;
  request_id: string;
  job_id: string | null;
}

const AUDIT = '/api/admin/audit';

describe('the audit records of administrators', function () {
  this.timeout(120_000);
  let suite: AdminStack;

  before(async () => {
    suite = await AdminStack.start({ apis: 1, config: { audit: { max_records: 1000 } } });
  });

  after(() => suite?.stop());

  const page = (query: string) => suite.read<{ items: AuditRecord[] }>(`${AUDIT}?${query}`);

  /** The records of these requests, once they are stored. */
  const recordsOf = (query: string, count: number) =>
    eventually(async () => {
      const { items } = await page(query);
      return items.length >= count ? items : undefined;
    });

  it("contain user, change, project and outcome, and never a body's content", async () => {
    const password = `secret-${randomUUID()}`;
    const name = `audited-${randomUUID().slice(0, 8)}`;
    const me = await suite.read<{ user_id: string; username: string }>('/api/auth/me');
    const user = await suite.make<{ id: string }>('/api/admin/users', { name, password });
    const quotas = `/api/admin/gpu-quotas/${suite.admin.projectId}`;
    await suite.change(200, 'PUT', quotas, { [name]: 1 });
    await suite.change(204, 'DELETE', `${quotas}/${name}`);
    await suite.refused(404, /./, ['DELETE', `${quotas}/${name}`]);
    await suite.refused(400, /./, ['POST', '/api/admin/users', { password }]);

    const items = await recordsOf(`user_id=${me.user_id}&limit=100`, 5);

    const summary = items.map(({ method, route, resource_id, target_project_id, status, outcome }) => [
      `${method} ${route}`,
      resource_id,
      target_project_id,
      status,
      outcome,
    ]);
    const project = suite.admin.projectId;
    const type = '/api/admin/gpu-quotas/{project_id}/{gpu_type}';
    assert.deepEqual(summary, [
      ['POST /api/admin/users', null, null, 400, 'failure'],
      [`DELETE ${type}`, `${project}/${name}`, project, 404, 'failure'],
      [`DELETE ${type}`, `${project}/${name}`, project, 204, 'success'],
      ['PUT /api/admin/gpu-quotas/{project_id}', project, project, 200, 'success'],
      ['POST /api/admin/users', user.id, null, 201, 'success'],
    ]);
    for (const record of items) {
      assert.deepEqual([record.user_name, record.project_id], ['admin', project]);
      assert.match(record.request_id, /^req-/);
      assert.ok(Math.abs(Date.parse(record.timestamp) - Date.now()) < 60_000);
    }
    assert.ok(!JSON.stringify(items).includes(password));

    await suite.change(200, 'PATCH', `/api/admin/users/${user.id}`, { email: 'a@example.test' });
    const [changed, created] = await recordsOf(`resource_id=${user.id}`, 2);
    assert.equal(created?.status, 201);
    assert.deepEqual([changed?.method, changed?.status], ['PATCH', 200]);
    assert.deepEqual((await page(`request_id=${changed?.request_id}`)).items, [changed]);
  });

  it('are filtered and paged, without a gap or a repetition', async () => {
    const project = suite.admin.projectId;
    for (let index = 0; index < 4; index += 1) {
      await suite.change(200, 'PUT', `/api/admin/gpu-quotas/${project}`, { paged: index });
    }
    await suite.change(204, 'DELETE', `/api/admin/gpu-quotas/${project}/paged`);
    const query = `project_id=${project}&method=PUT`;
    const all = await recordsOf(`${query}&limit=100`, 4);

    const walked: AuditRecord[] = [];
    for (let marker = ''; ; ) {
      const { items, next_marker } = await suite.read<{ items: AuditRecord[]; next_marker: string | null }>(
        `${AUDIT}?${query}&limit=3${marker === '' ? '' : `&marker=${marker}`}`,
      );
      walked.push(...items);
      if (next_marker === null) break;
      marker = next_marker;
    }
    assert.deepEqual(walked, all);
    assert.deepEqual((await page(`${query}&outcome=failure`)).items, []);
    assert.deepEqual((await page(`since=${new Date(Date.now() + 60_000).toISOString()}`)).items, []);
    assert.deepEqual((await page('until=2020-01-01T00:00:00Z')).items, []);
  });

  it('are for administrators only, whose refused changes of others leave none', async () => {
    const member = await suite.logIn(testLogin('demo'));
    await suite.refused(403, /administrator/, ['GET', AUDIT], member);
    await suite.refused(403, /administrator/, ['DELETE', '/api/admin/users/x'], member);
    assert.ok((await page('limit=100')).items.every(({ resource_id }) => resource_id !== 'x'));
  });
});
