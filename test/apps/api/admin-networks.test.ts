import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT, type TestCaller } from '../../support/api/factories.ts';
import {
  NETWORK_ID,
  networkAnswers,
  networkCalls,
  networkOf,
  networkRefuses,
  subnetOf,
} from '../../support/api/network.ts';
import { apiSuite } from '../../support/api/suite.ts';

const NETWORKS = '/api/admin/networks';
const BODY = { name: 'inside', cidr: '10.0.0.0/24' };
const REFUSED = ['InvalidInput', 'Invalid input for operation: no.'] as [string, string];

describe('networks of administrators', () => {
  const suite = apiSuite();
  const administrator = () => suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
  const settings = { jobs: { poll_interval_ms: 50 } };

  /** A creation whose subnet is refused. */
  async function withoutSubnet(undo: number[]) {
    const api = await suite.start({ settings });
    const admin = administrator();
    networkAnswers(suite.cloud, 'POST /networks', { network: networkOf(admin) }, { status: 201 });
    networkRefuses(suite.cloud, 'POST /subnets', 400, REFUSED);
    for (const status of undo) {
      networkRefuses(suite.cloud, `DELETE /networks/${NETWORK_ID}`, status, ['NetworkInUse', 'In use.']);
    }
    return api.post<ErrorBody>(NETWORKS, { as: admin, body: BODY });
  }

  it('are deleted again if their subnet cannot be created', async () => {
    const { status, body } = await withoutSubnet([204]);

    assert.deepEqual([status, body.detail], [400, REFUSED[1]]);
  });

  it('are deleted at the next attempt, or gone already', async () => {
    const { status, body } = await withoutSubnet([409, 404]);

    assert.deepEqual([status, body.detail], [400, REFUSED[1]]);
  });

  it('that cannot be deleted are named', async () => {
    const { status, body } = await withoutSubnet([409, 409, 409]);

    assert.equal(status, 400);
    assert.match(body.detail, new RegExp(`The network ${NETWORK_ID} could not be deleted`));
  });

  it('get subnets that belong to their own project', async () => {
    const api = await suite.start();
    const admin = administrator();
    const theirs = { projectId: OTHER_PROJECT } as TestCaller;
    networkAnswers(suite.cloud, `GET /networks/${NETWORK_ID}`, { network: networkOf(theirs) });
    const subnet = {
      ...BODY,
      gateway_ip: '192.0.2.1',
      enable_dhcp: true,
      network_id: NETWORK_ID,
      project_id: OTHER_PROJECT,
      ip_version: 4,
    };
    const options = { status: 201, requestBody: { subnet } };
    networkAnswers(suite.cloud, 'POST /subnets', { subnet: subnetOf(theirs) }, options);

    const body = { ...BODY, gateway_ip: '192.0.2.1' };
    const { status, text } = await api.post(`${NETWORKS}/${NETWORK_ID}/subnets`, { as: admin, body });

    assert.equal(status, 201, text);
  });

  it('may be of any type, with a segment of 32 bits', async () => {
    const api = await suite.start();
    const admin = administrator();
    const network = {
      name: 'inside',
      'provider:network_type': 'x-fabric_2',
      'provider:segmentation_id': 2 ** 32 - 1,
    };
    const options = { status: 201, requestBody: { network } };
    networkAnswers(suite.cloud, 'POST /networks', { network: networkOf(admin, network) }, options);

    const body = {
      name: 'inside',
      provider_network_type: 'x-fabric_2',
      provider_segmentation_id: 2 ** 32 - 1,
    };
    const { status, text } = await api.post(NETWORKS, { as: admin, body });

    assert.equal(status, 201, text);
  });

  it('refuse input that no network can have, before any call', async () => {
    const api = await suite.start();
    const admin = administrator();
    const refused: [string, string, unknown, string][] = [
      ['POST', NETWORKS, { cidr: '10.0.0.0/24' }, 'body.name'],
      ['POST', NETWORKS, { ...BODY, cidr: '10.0.0.0' }, 'body.cidr'],
      ['POST', NETWORKS, { ...BODY, cidr: '10.0.0.0/33' }, 'body.cidr'],
      ['POST', NETWORKS, { ...BODY, is_external: 'true' }, 'body.is_external'],
      ['POST', NETWORKS, { ...BODY, is_shared: 1 }, 'body.is_shared'],
      ['POST', `${NETWORKS}/n/subnets`, { ...BODY, gateway_ip: 'fe80::1' }, 'body.gateway_ip'],
      ['POST', `${NETWORKS}/n/subnets`, { name: 's' }, 'body.cidr'],
      ['PUT', `${NETWORKS}/subnets/s`, { dns_nameservers: ['x'] }, 'body.dns_nameservers.0'],
      ['POST', '/api/admin/routers/r/interfaces', {}, 'body.subnet_id'],
      ['POST', NETWORKS, { ...BODY, enable_dhcp: 'no' }, 'body.enable_dhcp'],
      ['PUT', `${NETWORKS}/x`, { name: '' }, 'body.name'],
      ['PUT', '/api/admin/routers/x', { external_network_id: 7 }, 'body.external_network_id'],
      ['PUT', '/api/admin/ports/x', { name: ' ' }, 'body.name'],
      ['POST', '/api/admin/floating-ips', {}, 'body.floating_network_id'],
      ['POST', '/api/admin/volumes/x/extend', {}, 'body.new_size'],
      ['POST', '/api/admin/volumes/x/extend', { new_size: 1.5 }, 'body.new_size'],
      ['POST', '/api/admin/volumes/x/reset-status', { status: 'creating' }, 'body.status'],
      ['PATCH', '/api/admin/volumes/x', { name: 3 }, 'body.name'],
    ];

    for (const [method, path, body, field] of refused) {
      const answer = await api.request<ErrorBody>(method, path, { as: admin, body });
      const fields = (answer.body.errors ?? []).map((error) => error.field);
      assert.deepEqual([answer.status, fields], [400, [field]], `${method} ${path} ${JSON.stringify(body)}`);
    }
    assert.deepEqual(networkCalls(suite.cloud), []);
  });
});
