import assert from 'node:assert/strict';
import type { Container } from '@gateway/resources';
import type { ErrorBody } from '../support/api/client.ts';
import { eventually } from '../support/eventually.ts';
import type { Prepared } from '../support/projects/prepared-cloud.ts';
import { createNetwork } from '../support/projects/prepared-project.ts';
import { TestProject } from '../support/projects/test-project.ts';
import { withoutNames } from '../support/without-names.ts';

const LIST = '/api/containers';
const MISSING = '00000000-0000-4000-8000-000000000000';

describe('containers', function () {
  this.timeout(120_000);
  let project: TestProject;
  let network: Prepared;

  before(async function () {
    const config = { services: { container: true } };
    project = new TestProject(await TestProject.prepare({ config }));
    if (!project.cloud.has('container')) {
      process.stderr.write('      SKIPPED: the cloud has no container service\n');
      return this.skip();
    }
    network = await createNetwork(project.cloud, null);
  });

  after(async () => {
    await network?.remove();
    await project?.removeEmpty();
  });

  async function make(body: object = {}): Promise<Container> {
    const answer = await project.ask<Container>('POST', LIST, { image: 'nginx:1.27', ...body });
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.body.status, 'Creating');
    return answer.body;
  }

  function becomes(id: string, status: string): Promise<Container> {
    return eventually(async () => {
      const { body } = await project.ask<Container>('GET', `${LIST}/${id}`);
      return body.status === status ? body : undefined;
    });
  }

  /** Performs an action, and waits until the service has carried it out. */
  async function act(id: string, action: string, started: string, status: string): Promise<void> {
    const answer = await project.ask('POST', `${LIST}/${id}/${action}`);
    assert.deepEqual([answer.status, answer.body], [200, { status: started }]);
    await becomes(id, status);
  }

  async function drop(id: string): Promise<void> {
    const { status, text } = await project.ask('DELETE', `${LIST}/${id}`);
    assert.equal(status, 204, text);
    await eventually(async () => (await project.ask('GET', `${LIST}/${id}`)).status === 404);
  }

  async function refused(method: string, path: string, body?: object): Promise<[number, string]> {
    const answer = await project.ask<ErrorBody>(method, path, body);
    return [answer.status, answer.body.code];
  }

  it('are created, listed, read, started, stopped, restarted and deleted', async () => {
    const body = { name: 'web', command: 'nginx -g "daemon off;"', cpu: 0.5, memory: 256 };
    const made = await make(body);
    const created = await becomes(made.id, 'Created');
    const listed = await project.ask<Container[]>('GET', LIST);

    const { name, image, command, cpu, memory, status_reason } = created;
    assert.deepEqual({ name, command, cpu, memory }, body);
    assert.deepEqual([image, status_reason, made.addresses], ['nginx:1.27', '', []]);
    assert.deepEqual(
      created.addresses.map(({ type, network_name }) => [type, network_name]),
      [['fixed', 'prepared']],
    );
    assert.deepEqual(listed.body, [created]);
    const ofAll = await project.ask<(Container & { project_id: string })[]>(
      'GET',
      '/api/admin/all-containers',
      undefined,
      project.others.admin,
    );
    const ofProject = ofAll.body.filter(({ project_id }) => project_id === project.id);
    assert.deepEqual(withoutNames(ofProject), [
      { ...withoutNames(created), project_id: project.id, host: ofProject[0]?.host },
    ]);
    assert.deepEqual([created.host, typeof ofProject[0]?.host], [null, 'string']);
    await act(made.id, 'start', 'starting', 'Running');
    const log = await project.ask<{ log: string }>('GET', `${LIST}/${made.id}/log?length=2`);
    assert.match(log.body.log, /^line 99 of web\nline 100 of web\n$/);
    await act(made.id, 'stop', 'stopping', 'Stopped');
    await act(made.id, 'restart', 'restarting', 'Running');
    await drop(made.id);
    assert.deepEqual(await refused('DELETE', `${LIST}/${made.id}`), [404, 'not_found']);
    assert.deepEqual((await project.ask('GET', LIST)).body, []);
  });

  it('reject actions in the wrong state, and explain a failed creation', async () => {
    const { id } = await make({ name: 'idle' });
    await becomes(id, 'Created');
    assert.deepEqual(await refused('POST', `${LIST}/${id}/stop`), [409, 'conflict']);
    const failed = await make({ image: 'missing-no-such:1' });

    assert.match((await becomes(failed.id, 'Error')).status_reason, /not (be )?found/);
    await drop(failed.id);
    await drop(id);
  });

  it('are found only in their own project, and only by id', async () => {
    const { id } = await make({ name: 'hidden' });
    await becomes(id, 'Created');

    await project.isUnlisted(LIST, id);
    await project.isHidden('GET', `${LIST}/${id}`);
    await project.isHidden('DELETE', `${LIST}/${id}`);
    for (const action of ['start', 'stop', 'restart'])
      await project.isHidden('POST', `${LIST}/${id}/${action}`);
    assert.deepEqual(await refused('GET', `${LIST}/hidden-1`), [404, 'not_found']);
    assert.deepEqual(await refused('GET', `${LIST}/${MISSING}`), [404, 'not_found']);
    await drop(id);
  });

  it('are 400 with a name that the service refuses', async () => {
    const body = { image: 'nginx', name: 'with blanks' };
    assert.deepEqual(await refused('POST', LIST, body), [400, 'invalid_input']);
  });
});
