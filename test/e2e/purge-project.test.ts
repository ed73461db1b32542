import assert from 'node:assert/strict';
import type { PurgeMessage } from '@gateway/jobs';
import type { AdminProject, ProjectResource } from '@gateway/resources';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import {
  type Prepared,
  preparePrebuiltShare,
  removeWhenUnused,
  testLibraries,
} from '../support/projects/prepared-cloud.ts';
import { freshName, IdentitySuite } from '../support/stacks/identity-suite.ts';
import { simulatedCloud, testLogin } from '../support/stacks/test-stack.ts';

interface Preview {
  project_id: string;
  project_name: string;
  enabled: boolean;
  child_projects: number;
  resources: ProjectResource[];
}

/** A project with a security service, a volume, a network with a subnet on a router, and a security group. */
async function filledProject(suite: IdentitySuite): Promise<{ project: AdminProject; path: string }> {
  const project = await suite.makeProject();
  const { user_id } = await suite.read<{ user_id: string }>('/api/auth/me');
  await suite.assign({ user_id }, project.id, await suite.roleId('member'));
  const inside = await suite.logIn({ ...testLogin('admin'), projectName: project.name });
  const make = async (path: string, body: object) => {
    const { body: made, status, text } = await inside.request<{ id: string }>('POST', path, body);
    assert.ok(status < 300, `${path}: ${text}`);
    return made.id;
  };
  const network = await make('/api/networks', { name: 'n' });
  const subnet = await make(`/api/networks/${network}/subnets`, { name: 's', cidr: '10.9.0.0/24' });
  const router = await make('/api/routers', { name: 'r' });
  await make(`/api/routers/${router}/interfaces`, { subnet_id: subnet });
  await make('/api/security-groups', { name: 'g' });
  await make('/api/file-storage/security-services', { name: 'd', type: 'ldap', password: 'Directory-4711' });
  // Still being created when the purge begins.
  await make('/api/volumes', { name: 'v', size_gb: 1 });
  return { project, path: `/api/admin/projects/${project.id}` };
}

const previewOf = (suite: IdentitySuite, path: string) => suite.read<Preview>(`${path}/purge`);
const typesIn = ({ resources }: Preview) => [...new Set(resources.map(({ type }) => type))];

async function purge(suite: IdentitySuite, path: string): Promise<PurgeMessage[]> {
  const answer = await suite.ask<{ job_id: string }>('POST', `${path}/purge`);
  assert.equal(answer.status, 202, answer.text);
  const stream = await suite.admin.at(suite.otherUrl).followJob(answer.body.job_id);
  return (await stream.rest()).map(({ data }) => JSON.parse(data) as PurgeMessage);
}

describe('the purge of a project', function () {
  this.timeout(300_000);
  let suite: IdentitySuite;

  before(async () => {
    suite = await IdentitySuite.start({ workers: 1 });
  });

  after(() => suite?.stop());

  it('shows what it removes, and removes it and the project', async () => {
    const { path, project } = await filledProject(suite);
    const shown = await previewOf(suite, path);
    assert.deepEqual([shown.project_name, shown.enabled], [project.name, true]);
    assert.deepEqual(typesIn(shown), ['security_service', 'volume', 'router', 'network', 'security_group']);
    await suite.refused(
      409,
      /still owns 1 security service, 1 volume, 1 router, 1 network and 1 security group/,
      ['DELETE', path],
    );

    const messages = await purge(suite, path);

    assert.deepEqual(
      messages.map(({ step }) => step),
      [
        'PROJECT_DISABLING',
        'RESOURCES_LISTING',
        'SECURITY_SERVICES_REMOVING',
        'VOLUMES_REMOVING',
        'ROUTERS_REMOVING',
        'NETWORKS_REMOVING',
        'SECURITY_GROUPS_REMOVING',
        'EMPTINESS_CHECKING',
        'PROJECT_REMOVING',
        'COMPLETED',
      ],
    );
    assert.deepEqual(messages.at(-1)?.remaining, {});
    await suite.refused(404, /project/, ['GET', `${path}/purge`]);
    for (const list of ['networks', 'volumes']) {
      const rows = await suite.read<{ items?: { project_id: string }[] } | { project_id: string }[]>(
        `/api/admin/all-${list}`,
      );
      const all = Array.isArray(rows) ? rows : (rows.items ?? []);
      assert.deepEqual(
        all.filter(({ project_id }) => project_id === project.id),
        [],
      );
    }
  });

  it('leaves out file storages of others, and deletes an empty project', async () => {
    const demo = await suite.logIn(testLogin('demo'));
    const share = { name: freshName('share'), size_gb: 1 };
    const made = await demo.request<{ id: string }>('POST', '/api/file-storage', share);
    assert.equal(made.status, 201, made.text);
    const project = await suite.makeProject();
    const path = `/api/admin/projects/${project.id}`;

    const { resources } = await previewOf(suite, path);
    const deleted = await suite.ask('DELETE', path);

    await demo.request('DELETE', `/api/file-storage/${made.body.id}`);
    assert.deepEqual(
      resources.filter(({ type }) => type !== 'security_group'),
      [],
    );
    assert.equal(deleted.status, 204, deleted.text);
  });

  it('is refused while the project has child projects', async () => {
    const { id } = await suite.makeProject();
    const path = `/api/admin/projects/${id}`;
    const cloud = await CloudClient.logIn(suite.stack.identityUrl ?? '', testLogin('admin'));
    const body = { project: { name: freshName('child'), parent_id: id } };
    const { project: child } = await cloud.call<{ project: { id: string } }>(
      'identity',
      'POST',
      '/projects',
      body,
    );

    assert.equal((await previewOf(suite, path)).child_projects, 1);
    await suite.refused(409, /it has 1 child project/, ['POST', `${path}/purge`]);
    await suite.refused(409, /it has 1 child project/, ['DELETE', path]);

    await suite.change(204, 'DELETE', `/api/admin/projects/${child.id}`);
    assert.equal((await previewOf(suite, path)).child_projects, 0);
    assert.equal((await purge(suite, path)).at(-1)?.step, 'COMPLETED');
  });

  it("is refused to members, for unknown projects, and for the administrator's own", async () => {
    const demo = await suite.logIn(testLogin('demo'));
    const own = `/api/admin/projects/${suite.admin.projectId}`;
    await suite.refused(403, /./, ['GET', `${own}/purge`], demo);
    await suite.refused(403, /./, ['POST', `${own}/purge`], demo);
    await suite.refused(409, /from within/, ['POST', `${own}/purge`]);
    await suite.refused(404, /project/, ['POST', `/api/admin/projects/${'0'.repeat(32)}/purge`]);
  });
});

describe('the purge of a project with libraries', function () {
  this.timeout(120_000);
  let suite: IdentitySuite;
  let cloud: CloudClient;
  let share: Prepared | undefined;

  before(async () => {
    suite = await IdentitySuite.start({
      workers: 1,
      config: { libraries: testLibraries, file_storage: { share_type: { nativefs: 'cephfs' } } },
    });
    cloud = await CloudClient.logIn(suite.stack.identityUrl ?? '', testLogin('admin'));
    share = await preparePrebuiltShare(cloud);
  });

  after(async () => {
    await removeWhenUnused(share);
    await suite?.stop();
  });

  it('leaves no access to their shares, which can be deleted', async () => {
    const { path, project } = await filledProject(suite);
    const shareId = share?.id ?? '';
    const inside = await suite.logIn({ ...testLogin('admin'), projectName: project.name });
    const request = await inside.smallInstanceRequest(freshName('layered'));
    const created = await inside.messagesOfCreation({ ...request, libraries: ['python311'] });
    assert.equal(created.at(-1)?.step, 'COMPLETED', created.at(-1)?.error ?? '');
    assert.equal((await cloud.accessRules(shareId)).length, 1);

    const last = (await purge(suite, path)).at(-1);

    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    assert.deepEqual(await cloud.accessRules(shareId), []);
    await suite.change(204, 'DELETE', `/api/file-storage/${shareId}`);
  });
});

describe('a purge with faults', function () {
  this.timeout(120_000);
  let suite: IdentitySuite;

  before(async () => {
    suite = await IdentitySuite.start({
      ...simulatedCloud,
      workers: 1,
      config: { jobs: { lock_seconds: 2 }, time_limits: { undo_seconds: 8 } },
    });
  });

  after(() => suite?.stop());

  it('says what remains after a failure, and can be repeated', async () => {
    const { path } = await filledProject(suite);
    const control = new CloudsimControl(suite.stack.cloudsim?.url ?? '');
    const refusal = { service: 'network', operation: 'networks.delete', status: 409 };
    await control.addFault({ ...refusal, times: 0 });

    const last = (await purge(suite, path)).at(-1);

    await control.clear();
    assert.deepEqual([last?.step, last?.code], ['FAILED', 'conflict']);
    assert.match(last?.error ?? '', /1 network could not be removed/);
    assert.deepEqual(last?.remaining, { network: 1, security_group: 2 });
    const left = await previewOf(suite, path);
    assert.deepEqual([left.enabled, typesIn(left)], [true, ['network', 'security_group']]);
    assert.equal((await purge(suite, path)).at(-1)?.step, 'COMPLETED');
  });

  it('continues after the death of the worker', async () => {
    const { path } = await filledProject(suite);
    const control = new CloudsimControl(suite.stack.cloudsim?.url ?? '');
    const hold = await control.hold('before', { service: 'network', operation: 'routers.delete' });
    const purged = purge(suite, path);
    assert.equal(await hold.waitUntilReached(60_000), 'held');

    await suite.stack.workers[0]?.kill('SIGKILL');
    await suite.stack.workers[0]?.restart();
    await control.clear();

    assert.equal((await purged).at(-1)?.step, 'COMPLETED');
    await suite.refused(404, /project/, ['GET', `${path}/purge`]);
  });
});
