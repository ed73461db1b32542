import assert from 'node:assert/strict';
import type { ShareNetwork } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT, type TestCaller } from '../../support/api/factories.ts';
import { NETWORK_ID, networkAnswers, networkOf, subnetOf } from '../../support/api/network.ts';
import { serviceCalls } from '../../support/api/service-calls.ts';
import { apiSuite } from '../../support/api/suite.ts';

const { answers, calls } = serviceCalls('shared-file-system/share', '/v2');
const PATH = '/api/file-storage/share-networks';

describe('share networks', () => {
  const suite = apiSuite();

  async function start(options: Parameters<typeof newCaller>[0] = {}) {
    const api = await suite.start();
    return { api, caller: suite.cloud.validCaller(newCaller(options)) };
  }

  /** As the service sends it. */
  function shareNetworkOf({ projectId }: Pick<TestCaller, 'projectId'>, differences: object = {}) {
    return {
      id: 'sn-1',
      name: 'exports',
      description: null,
      project_id: projectId,
      neutron_net_id: null,
      neutron_subnet_id: null,
      created_at: '2026-11-22T03:00:00.000000',
      ...differences,
    };
  }

  it('are created in a subnet of the project, with its network', async () => {
    const { api, caller } = await start();
    const ids = { neutron_net_id: NETWORK_ID, neutron_subnet_id: 'subnet-1' };
    networkAnswers(suite.cloud, 'GET /subnets/subnet-1', { subnet: subnetOf(caller) });
    answers(
      suite.cloud,
      'POST /share-networks',
      { share_network: shareNetworkOf(caller, ids) },
      { status: 202, requestBody: { share_network: { name: 'exports', description: 'For NFS', ...ids } } },
    );

    const { status, body } = await api.post<ShareNetwork>(PATH, {
      as: caller,
      body: { name: 'exports', description: 'For NFS', subnet_id: 'subnet-1' },
    });

    const { id, network_id, subnet_id } = body;
    assert.deepEqual([status, id, network_id, subnet_id], [201, 'sn-1', NETWORK_ID, 'subnet-1']);
  });

  it('need no subnet', async () => {
    const { api, caller } = await start();
    answers(
      suite.cloud,
      'POST /share-networks',
      { share_network: shareNetworkOf(caller) },
      { status: 202, requestBody: { share_network: { name: 'exports' } } },
    );

    const { status, body } = await api.post<ShareNetwork>(PATH, { as: caller, body: { name: 'exports' } });

    assert.deepEqual([status, body.network_id, body.subnet_id], [201, null, null]);
  });

  it('are not created in a subnet that the project does not see', async () => {
    const { api, caller } = await start({ roles: ['admin'] });
    const other = { ...caller, projectId: OTHER_PROJECT };
    networkAnswers(suite.cloud, 'GET /subnets/subnet-1', { subnet: subnetOf(other) });
    networkAnswers(suite.cloud, `GET /networks/${NETWORK_ID}`, { network: networkOf(other) });

    const refused = await api.post<ErrorBody>(PATH, {
      as: caller,
      body: { name: 'exports', subnet_id: 'subnet-1' },
    });

    assert.deepEqual([refused.status, refused.body.code], [404, 'not_found']);
  });

  it('are read', async () => {
    const { api, caller } = await start();
    const ids = { neutron_net_id: NETWORK_ID, neutron_subnet_id: 'subnet-1' };
    answers(suite.cloud, 'GET /share-networks/sn-1', { share_network: shareNetworkOf(caller, ids) });

    const { status, body } = await api.get<ShareNetwork>(`${PATH}/sn-1`, { as: caller });

    assert.equal(status, 200);
    assert.deepEqual(body, {
      id: 'sn-1',
      name: 'exports',
      description: '',
      network_id: NETWORK_ID,
      network_name: null,
      subnet_id: 'subnet-1',
      subnet_name: null,
      created_at: '2026-11-22T03:00:00Z',
    });
  });

  it('are deleted', async () => {
    const { api, caller } = await start();
    answers(suite.cloud, 'GET /share-networks/sn-1', { share_network: shareNetworkOf(caller) });
    answers(suite.cloud, 'DELETE /share-networks/sn-1', '', { status: 202 });

    const { status } = await api.request('DELETE', `${PATH}/sn-1`, { as: caller });

    assert.equal(status, 204);
  });

  it('are kept while file storages are in them', async () => {
    const { api, caller } = await start();
    const message = 'Can not delete share network sn-1, it has 1 share(s).';
    answers(suite.cloud, 'GET /share-networks/sn-1', { share_network: shareNetworkOf(caller) });
    answers(
      suite.cloud,
      'DELETE /share-networks/sn-1',
      { conflictingRequest: { code: 409, message } },
      { status: 409 },
    );

    const { status, body } = await api.request<ErrorBody>('DELETE', `${PATH}/sn-1`, { as: caller });

    assert.deepEqual([status, body.code, body.detail], [409, 'conflict', message]);
  });

  for (const method of ['GET', 'DELETE'] as const) {
    it(`of another project are 404, also for administrators: ${method}`, async () => {
      const { api, caller } = await start({ roles: ['admin'] });
      answers(suite.cloud, 'GET /share-networks/sn-1', {
        share_network: shareNetworkOf({ projectId: OTHER_PROJECT }),
      });

      const { status, body } = await api.request<ErrorBody>(method, `${PATH}/sn-1`, { as: caller });

      assert.deepEqual([status, body.code], [404, 'not_found']);
      assert.deepEqual(calls(suite.cloud), ['GET /share-networks/sn-1']);
    });
  }
});
