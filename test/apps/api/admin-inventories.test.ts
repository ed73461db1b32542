import assert from 'node:assert/strict';
import type { ClusterRecord, ImageRecord } from '@gateway/openstack';
import type { AdminClusterRow, AdminInstance, Image, Network, Port } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { storeCluster } from '../../support/api/clusters.ts';
import { computeAnswers, serverOf } from '../../support/api/compute.ts';
import { newCaller, OTHER_PROJECT } from '../../support/api/factories.ts';
import { networkAnswers, networkOf, portOf } from '../../support/api/network.ts';
import { serviceCalls } from '../../support/api/service-calls.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const { answers: imageAnswers } = serviceCalls('image/images', '/v2');
const { answers: clusterAnswers } = serviceCalls('container-infra/cluster', '/v1');
const { answers: identityAnswers } = serviceCalls('identity/token-validate', '/v3');

interface Page<T> {
  items: T[];
  next_marker: string | null;
  count: number;
}

const MARKER = '0a1b2c3d-0000-4000-8000-000000000001';
const INSTANCES = '/api/admin/all-instances';
const UPSTREAM = '/servers/detail?all_tenants=1';

describe('the inventories of all projects', () => {
  const suite = apiSuite();
  const administrator = () => suite.cloud.validCaller(newCaller({ roles: ['admin'] }));

  it("page instances by the service's markers, up to a full last page", async () => {
    const api = await suite.start();
    const admin = administrator();
    const rows = ['a', 'b', 'c', 'd'].map((id) => serverOf({ id }));
    const links = { servers_links: [{ rel: 'next', href: 'http://elsewhere/servers?marker=c' }] };
    computeAnswers(suite.cloud, `GET ${UPSTREAM}&limit=3`, { servers: rows.slice(0, 3), ...links });
    computeAnswers(suite.cloud, `GET ${UPSTREAM}&limit=3&marker=b`, { servers: rows.slice(2) });

    const first = await api.get<Page<AdminInstance>>(`${INSTANCES}?limit=2`, { as: admin });
    const last = await api.get<Page<AdminInstance>>(`${INSTANCES}?limit=2&marker=b`, { as: admin });

    const summary = ({ items, ...page }: Page<AdminInstance>) => ({
      ...page,
      ids: items.map(({ id }) => id),
    });
    assert.deepEqual(summary(first.body), { count: 2, next_marker: 'b', ids: ['a', 'b'] });
    assert.deepEqual(summary(last.body), { count: 2, next_marker: null, ids: ['c', 'd'] });
  });

  it('continue if the service returns fewer rows than requested', async () => {
    const api = await suite.start();
    const links = { servers_links: [{ rel: 'next', href: 'http://elsewhere/servers?marker=a' }] };
    computeAnswers(suite.cloud, `GET ${UPSTREAM}&limit=21`, { servers: [serverOf({ id: 'a' })], ...links });

    const { body } = await api.get<Page<AdminInstance>>(INSTANCES, { as: administrator() });

    assert.deepEqual([body.count, body.next_marker], [1, 'a']);
  });

  it('are 400 for an unknown marker and a limit out of range', async () => {
    const api = await suite.start();
    const admin = administrator();
    const unknown = { badRequest: { code: 400, message: `marker [${MARKER}] not found` } };
    computeAnswers(suite.cloud, `GET ${UPSTREAM}&limit=21&marker=${MARKER}`, unknown, { status: 400 });
    suite.cloud.reply('block-storage/volume-not-found', {
      path: new RegExp(`/volumes/detail\\?all_tenants=1&limit=21&marker=${MARKER}$`),
    });
    const wrong = ['limit=0', 'limit=101', 'limit=x', `marker=${MARKER}`].flatMap((query) =>
      [INSTANCES, '/api/admin/all-volumes'].map((path) => `${path}?${query}`),
    );

    for (const path of wrong) {
      const { body, status } = await api.get<ErrorBody>(path, { as: admin });
      assert.deepEqual([status, body.code, body.errors?.length], [400, 'invalid_input', 1], path);
    }
  });

  it('show instances with host and fault, even while their cell is down', async () => {
    const api = await suite.start();
    const fault = { code: 500, message: 'No valid host was found.', created: '2026-11-22T03:00:00Z' };
    const failed = serverOf({
      id: 'failed',
      tenant_id: 'p',
      status: 'ERROR',
      fault: { ...fault, details: 'Traceback' },
    });
    const hidden = { id: 'hidden', status: 'UNKNOWN', tenant_id: 'p', created: '2026-11-22T03:00:00Z' };
    const placed = serverOf({ id: 'placed', tenant_id: 'p', 'OS-EXT-SRV-ATTR:host': 'compute-1' });
    const servers = [placed, { ...failed, 'OS-EXT-SRV-ATTR:host': null }, hidden];
    computeAnswers(suite.cloud, `GET ${UPSTREAM}&project_id=p&limit=21`, { servers });

    const { body } = await api.get<Page<AdminInstance>>(`${INSTANCES}?project_id=p`, { as: administrator() });

    assert.deepEqual(
      body.items.map((row) => [row.id, row.host, row.fault, row.flavor]),
      [
        ['placed', 'compute-1', null, placed.flavor.original_name],
        ['failed', null, fault, placed.flavor.original_name],
        ['hidden', null, null, ''],
      ],
    );
  });

  it('read ports in pages, and only the fields that they show', async () => {
    const api = await suite.start();
    const admin = administrator();
    const fields =
      'fields=id&fields=name&fields=status&fields=network_id&fields=device_owner&fields=device_id&fields=mac_address&fields=fixed_ips&fields=project_id&fields=tenant_id&fields=created_at&fields=updated_at&limit=1000';
    const own = portOf(admin, { id: 'own' });
    const ofService = portOf(admin, { id: 'service', project_id: '', device_owner: 'network:floatingip' });
    const href = `http://elsewhere/v2.0/ports?${fields}&marker=own`;
    networkAnswers(suite.cloud, `GET /ports?${fields}`, {
      ports: [own],
      ports_links: [{ rel: 'next', href }],
    });
    networkAnswers(suite.cloud, `GET /ports?${fields}&marker=own`, { ports: [ofService] });

    const first = await api.get<Port[]>('/api/admin/all-ports', { as: admin });
    const cached = await api.get<Port[]>('/api/admin/all-ports', { as: admin });

    assert.deepEqual(
      first.body.map(({ id, project_id }) => [id, project_id]),
      [
        ['own', admin.projectId],
        ['service', null],
      ],
    );
    assert.equal(cached.text, first.text);
  });

  it('are the same for every administrator, and read anew on request', async () => {
    const api = await suite.start();
    const [one, other] = [administrator(), administrator()];
    const network = (name: string) => ({ networks: [networkOf(one, { name })] });
    for (const name of ['before', 'after']) {
      suite.cloud.reply('network/networks', { path: /networks\?fields=/, body: network(name) });
    }
    const namesFor = async (as: typeof one, query = '') => {
      const { body } = await api.get<Network[]>(`/api/admin/all-networks${query}`, { as });
      return body.map(({ name }) => name);
    };

    assert.deepEqual(await namesFor(one), ['before']);
    assert.deepEqual(await namesFor({ ...other, projectId: one.projectId }), ['before']);
    assert.deepEqual(await namesFor(one, '?refresh=true'), ['after']);
    assert.deepEqual(await namesFor(other), ['after']);
  });

  const answersProjects = () => {
    const projects = [{ id: OTHER_PROJECT, name: 'physics' }];
    identityAnswers(suite.cloud, 'GET /projects?limit=1000', { projects });
  };

  it('have the images of all projects, also hidden ones', async () => {
    const api = await suite.start();
    const [recorded] = fixtureBody<ImageRecord[]>('image/images', 'images');
    const theirs = { ...recorded, id: 'theirs', owner: OTHER_PROJECT, visibility: 'private' };
    imageAnswers(suite.cloud, 'GET /images?limit=1000', { images: [theirs] });
    imageAnswers(suite.cloud, 'GET /images?limit=1000&os_hidden=true', {
      images: [{ ...theirs, id: 'hidden', os_hidden: true }],
    });
    answersProjects();

    const { body } = await api.get<Image[]>(`/api/admin/all-images?project_id=${OTHER_PROJECT}`, {
      as: administrator(),
    });

    assert.deepEqual(
      body.map(({ id, os_hidden, owner_name }) => [id, os_hidden, owner_name]),
      [
        ['theirs', false, 'physics'],
        ['hidden', true, 'physics'],
      ],
    );
  });

  it('have the managed clusters of all projects', async () => {
    const api = await suite.start({ settings: { services: { container_infra: true } } });
    const recorded = fixtureBody<ClusterRecord>('container-infra/cluster');
    const theirs = { ...recorded, uuid: 'theirs', project_id: OTHER_PROJECT };
    clusterAnswers(suite.cloud, 'GET /clusters/detail', { clusters: [theirs] });
    answersProjects();

    const { body } = await api.get<AdminClusterRow[]>('/api/admin/all-clusters', { as: administrator() });

    assert.deepEqual(
      body.map(({ id, project_id, project_name, allowed_actions }) => [
        id,
        project_id,
        project_name,
        allowed_actions,
      ]),
      [['theirs', OTHER_PROJECT, 'physics', []]],
    );
  });

  it('have the lite clusters of all projects that are not deleted', async () => {
    const api = await suite.start();
    const theirs = { projectId: OTHER_PROJECT, userId: 'user-1' };
    const cluster = await storeCluster(api, theirs, { status: 'ERROR' });
    await storeCluster(api, theirs, { status: 'DELETED' });
    suite.cloud.reply('network/networks', { path: /networks\?fields=/ });
    answersProjects();

    const { body } = await api.get<AdminClusterRow[]>('/api/admin/all-lite-clusters', {
      as: administrator(),
    });

    const row = body.find(({ project_id }) => project_id === OTHER_PROJECT);
    assert.deepEqual(
      [body.length, row?.id, row?.project_name, row?.allowed_actions],
      [1, cluster.id, 'physics', []],
    );
  });
});
