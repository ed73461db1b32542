import assert from 'node:assert/strict';
import type { AdminContainer, Container, Listener, LoadBalancer } from '@gateway/resources';
import type { ErrorBody } from '../support/api/client.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import type { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { LIST, LoadBalancerProject } from '../support/projects/load-balancer-project.ts';
import { simulatedCloud } from '../support/stacks/test-stack.ts';

const BALANCERS = '/v2.0/lbaas/loadbalancers';

function namesOf(rows: { name: string }[]): string[] {
  return rows.map(({ name }) => name).sort();
}

describe('lists whose next links have no filters', function () {
  this.timeout(120_000);
  let project: LoadBalancerProject;
  let control: CloudsimControl;

  before(async () => {
    const config = { services: { container: true } };
    project = await LoadBalancerProject.start({ ...simulatedCloud, config });
    control = new CloudsimControl(project.stack.cloudsim?.url ?? '');
    await control.set({ maxPageLength: 1 });
  });

  after(async () => {
    await control?.set({ maxPageLength: 1000 });
    await project?.remove();
  });

  const read = <T>(path: string, who?: GatewayClient) => project.read<T>(`${path}?refresh=true`, who);

  it('have the containers of all projects, which keep a project from deletion', async () => {
    const { admin } = project.others;
    for (const name of ['first', 'second', 'third']) {
      const { status, text } = await project.ask('POST', '/api/containers', { image: 'nginx', name });
      assert.equal(status, 201, text);
    }

    const rows = await read<AdminContainer[]>('/api/admin/all-containers', admin);
    const path = `/api/admin/projects/${project.id}`;
    const refusal = await project.ask<ErrorBody>('DELETE', path, undefined, admin);

    await eventually(async () => {
      const left = await read<Container[]>('/api/containers');
      // One that is still being created is not deleted.
      for (const { id } of left) await project.ask('DELETE', `/api/containers/${id}`);
      return left.length === 0;
    });
    const ofProject = rows.filter(({ project_id }) => project_id === project.id);
    assert.deepEqual(namesOf(ofProject), ['first', 'second', 'third']);
    assert.equal(refusal.status, 409, refusal.text);
    assert.match(refusal.body.detail, /3 containers/);
  });

  it('have the load balancers of one project, also for an administrator', async () => {
    const loadbalancer = { name: 'of-admin', vip_subnet_id: project.subnetId };
    const made = await project.admin.call<{ loadbalancer: { id: string } }>(
      'load-balancer',
      'POST',
      BALANCERS,
      { loadbalancer },
    );
    const { id } = await project.makeBalancer('of-project');

    const rows = await read<LoadBalancer[]>(LIST, project.others.admin);

    await project.settled(id);
    await project.drop(`${LIST}/${id}`);
    await eventually(async () => {
      const path = `${BALANCERS}/${made.loadbalancer.id}?cascade=true`;
      await project.admin.call('load-balancer', 'DELETE', path);
      return true;
    });
    assert.ok(namesOf(rows).includes('of-admin'));
    assert.ok(!namesOf(rows).includes('of-project'));
  });

  it('have the listeners of one load balancer', async () => {
    const balancers = [await project.makeBalancer('one'), await project.makeBalancer('other')];
    for (const { id, name } of balancers) {
      for (const port of [80, 81]) {
        await project.settled(id);
        const listener = { name: `${name}-${port}`, protocol: 'HTTP', protocol_port: port };
        await project.make<Listener>(`${LIST}/${id}/listeners`, listener);
      }
    }

    const listed = [];
    for (const { id } of balancers) listed.push(await read<Listener[]>(`${LIST}/${id}/listeners`));

    assert.deepEqual(listed.map(namesOf), [
      ['one-80', 'one-81'],
      ['other-80', 'other-81'],
    ]);
  });
});
