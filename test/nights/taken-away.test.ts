import assert from 'node:assert/strict';
import type { PurgeMessage } from '@gateway/jobs';
import type { ProjectResource } from '@gateway/resources';
import { alertsFiring, scrape } from '../support/alerts/firing-alerts.ts';
import { freshName, IdentitySuite } from '../support/stacks/identity-suite.ts';
import { simulatedCloud, testLogin } from '../support/stacks/test-stack.ts';

interface Preview {
  resources: ProjectResource[];
}

/** In the simulated cloud, the shared file system service ignores the project of a list with a count. */
describe('a night in which an administrator removes too much', function () {
  this.timeout(180_000);
  let suite: IdentitySuite;

  before(async () => {
    suite = await IdentitySuite.start({ ...simulatedCloud, own: true, workers: 1 });
  });
  after(() => suite?.stop());

  it('purges one project and leaves the file storages of others', async () => {
    const demo = await suite.logIn(testLogin('demo'));
    const share = await demo.request<{ id: string }>('POST', '/api/file-storage', {
      name: freshName('share'),
      size_gb: 1,
    });
    assert.equal(share.status, 201, share.text);
    const project = await suite.makeProject();
    const path = `/api/admin/projects/${project.id}`;

    const { resources } = await suite.read<Preview>(`${path}/purge`);
    const { body } = await suite.ask<{ job_id: string }>('POST', `${path}/purge`);
    const stream = await suite.admin.at(suite.otherUrl).followJob(body.job_id);
    const last = (await stream.rest()).map(({ data }) => JSON.parse(data) as PurgeMessage).at(-1);

    assert.deepEqual(
      resources.filter(({ type }) => type === 'file_storage'),
      [],
    );
    assert.deepEqual([last?.step, last?.remaining], ['COMPLETED', {}]);
    const left = await demo.request('GET', `/api/file-storage/${share.body.id}`);
    assert.equal(left.status, 200, left.text);
  });

  it("keeps the gateway's own user, and names the setting", async () => {
    const before = await scrape(suite.stack);
    const named = async (list: string, name: string) =>
      (await suite.allPages<{ id: string; name: string }>(`/api/admin/${list}`, 100)).find(
        (row) => row.name === name,
      )?.id ?? assert.fail(`${name} is not in ${list}.`);
    const userId = await named('users', 'gateway');
    const projectId = await named('projects', 'service');
    const role = await suite.roleId('admin');
    const grant = `user_id=${userId}&project_id=${projectId}&role_id=${role}`;

    await suite.refused(409, /service_user\.username/, ['DELETE', `/api/admin/users/${userId}`]);
    await suite.refused(409, /service_user\.username/, ['DELETE', `/api/admin/roles/assign?${grant}`]);
    await suite.refused(409, /service_user\.project_name/, [
      'POST',
      `/api/admin/projects/${projectId}/purge`,
    ]);
    await suite.refused(409, /service_user\.project_name/, ['DELETE', `/api/admin/projects/${projectId}`]);

    const after = await scrape(suite.stack);
    const scrapes = [
      { atMinutes: 0, targets: before },
      { atMinutes: 10, targets: after },
    ];
    assert.deepEqual(await alertsFiring(scrapes, 60), []);
  });
});
