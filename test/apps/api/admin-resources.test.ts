import assert from 'node:assert/strict';
import type { ClusterRecord, ImageRecord } from '@gateway/openstack';
import { answers as storageAnswers, VOLUME_ID, volumeOf } from '../../support/api/block-storage.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { storeCluster } from '../../support/api/clusters.ts';
import { computeAnswers, serverOf } from '../../support/api/compute.ts';
import { newCaller, OTHER_PROJECT, type TestCaller } from '../../support/api/factories.ts';
import { answersShare, share } from '../../support/api/file-storage.ts';
import {
  NETWORK_ID,
  networkAnswers,
  networkOf,
  networkRefuses,
  portOf,
  routerOf,
  subnetOf,
} from '../../support/api/network.ts';
import { serviceCalls } from '../../support/api/service-calls.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const { answers: clusterAnswers } = serviceCalls('container-infra/cluster', '/v1');
const { answers: imageAnswers } = serviceCalls('image/images', '/v2');
const { answers: identityAnswers } = serviceCalls('identity/token-validate', '/v3');

interface Owned {
  id: string;
  project_id: string | null;
  project_name: string;
}

describe('one resource of any project', () => {
  const suite = apiSuite();
  const [recordedImage] = fixtureBody<ImageRecord[]>('image/images', 'images');
  const theirs = { projectId: OTHER_PROJECT } as TestCaller;

  const start = async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    return { api, get: <T = Owned>(path: string) => api.get<T>(`/api/admin/${path}`, { as: admin }) };
  };

  function answersProject(name = 'physics'): void {
    identityAnswers(suite.cloud, `GET /projects/${OTHER_PROJECT}`, { project: { id: OTHER_PROJECT, name } });
  }

  it('has the project that it belongs to: a volume', async () => {
    const { get } = await start();
    storageAnswers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(theirs) });
    answersProject();

    const { body } = await get(`volumes/${VOLUME_ID}`);

    assert.deepEqual([body.id, body.project_id, body.project_name], [VOLUME_ID, OTHER_PROJECT, 'physics']);
  });

  it('has no name of a project that is gone', async () => {
    const { get } = await start();
    storageAnswers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(theirs) });
    const error = { code: 404, title: 'Not Found', message: 'Could not find project.' };
    identityAnswers(suite.cloud, `GET /projects/${OTHER_PROJECT}`, { error }, { status: 404 });

    const { body } = await get(`volumes/${VOLUME_ID}`);

    assert.deepEqual([body.project_id, body.project_name], [OTHER_PROJECT, '']);
  });

  it('has no name of its project while the identity service fails', async () => {
    const { get } = await start();
    storageAnswers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(theirs) });
    identityAnswers(suite.cloud, `GET /projects/${OTHER_PROJECT}`, {}, { status: 500 });

    const { body } = await get(`volumes/${VOLUME_ID}`);

    assert.deepEqual([body.project_id, body.project_name], [OTHER_PROJECT, '']);
  });

  it('is read anew by each administrator', async () => {
    const { get } = await start();
    for (const size of [1, 2]) {
      storageAnswers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(theirs, { size }) });
      answersProject();
    }
    const read = async () => (await get<{ size: number }>(`volumes/${VOLUME_ID}`)).body.size;

    assert.deepEqual([await read(), await read()], [1, 2]);
  });

  it('can be an instance', async () => {
    const { get } = await start();
    const server = serverOf({ id: 'server-1', tenant_id: OTHER_PROJECT, image: '' });
    server['os-extended-volumes:volumes_attached'] = [];
    computeAnswers(suite.cloud, 'GET /servers/server-1', { server });
    suite.cloud.reply('compute/flavors');
    answersProject();

    const { body } = await get('instances/server-1');

    assert.deepEqual([body.id, body.project_id, body.project_name], ['server-1', OTHER_PROJECT, 'physics']);
  });

  it('can be an image, also one of no project', async () => {
    const { get } = await start();
    imageAnswers(suite.cloud, 'GET /images/image-1', { ...recordedImage, id: 'image-1', owner: null });

    const { body } = await get('images/image-1');

    assert.deepEqual([body.id, body.project_id, body.project_name], ['image-1', null, '']);
  });

  it('can be a network, with the routers of all projects', async () => {
    const { get } = await start();
    const network = networkOf(theirs, { subnets: ['subnet-1'] });
    const router = routerOf(newCaller());
    networkAnswers(suite.cloud, `GET /networks/${NETWORK_ID}`, { network });
    networkAnswers(suite.cloud, `GET /subnets?network_id=${NETWORK_ID}`, { subnets: [subnetOf(theirs)] });
    networkAnswers(suite.cloud, 'GET /routers', { routers: [router] });
    const ports = [portOf(theirs, { device_id: router.id, device_owner: 'network:router_interface' })];
    const path = /^\/v2\.0\/ports\?device_owner=/;
    networkAnswers(suite.cloud, 'GET /ports', { ports }, { path });
    answersProject();

    const { body } = await get<Owned & { routers: { id: string }[] }>(`networks/${NETWORK_ID}`);

    assert.deepEqual([body.project_name, body.routers.map(({ id }) => id)], ['physics', [router.id]]);
  });

  it('can be a file storage', async () => {
    const { get } = await start();
    answersShare(suite.cloud, { project_id: OTHER_PROJECT });
    suite.cloud.reply('shared-file-system/export-locations');
    answersProject();

    const { body } = await get(`file-storage/${share.id}`);

    assert.deepEqual([body.id, body.project_name], [share.id, 'physics']);
  });

  it('can be a managed cluster, by its id only', async () => {
    const { get } = await start();
    const cluster = fixtureBody<ClusterRecord>('container-infra/cluster');
    const record = { ...cluster, uuid: 'cluster-1', project_id: OTHER_PROJECT };
    clusterAnswers(suite.cloud, 'GET /clusters/cluster-1', record);
    clusterAnswers(suite.cloud, 'GET /clusters/workers', record);
    answersProject();

    const { body } = await get('clusters/cluster-1');
    const named = await get<ErrorBody>('clusters/workers');

    assert.deepEqual([body.id, body.project_name, named.status], ['cluster-1', 'physics', 404]);
  });

  it('can be a lite cluster', async () => {
    const { api, get } = await start();
    const { id, name } = await storeCluster(api, { projectId: OTHER_PROJECT, userId: 'u' });
    answersProject();

    const found = await get<Owned & { name: string }>(`lite/clusters/${id}`);
    const missing = await get<ErrorBody>('lite/clusters/none-1');

    assert.deepEqual([found.body.name, found.body.project_name], [name, 'physics']);
    assert.deepEqual([missing.status, missing.body.code], [404, 'not_found']);
  });

  it('is 404 if it is not there', async () => {
    const { get } = await start();
    networkRefuses(suite.cloud, `GET /networks/${NETWORK_ID}`, 404, ['NetworkNotFound', 'Not there.']);
    const gone = { itemNotFound: { code: 404, message: 'Not there.' } };
    storageAnswers(suite.cloud, `GET /volumes/${VOLUME_ID}`, gone, { status: 404 });
    const page = { message: 'No image found with ID image-1<br /><br />\n\n\n', code: '404 Not Found' };
    imageAnswers(suite.cloud, 'GET /images/image-1', page, { status: 404 });

    for (const path of [`networks/${NETWORK_ID}`, `volumes/${VOLUME_ID}`, 'images/image-1']) {
      const { status, body } = await get<ErrorBody>(path);
      assert.deepEqual([status, body.code], [404, 'not_found'], path);
    }
  });
});
