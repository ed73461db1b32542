import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { computeAnswers } from '../../support/api/compute.ts';
import { instanceRequest, newCaller } from '../../support/api/factories.ts';
import { queuedData } from '../../support/api/jobs.ts';
import { networkAnswers } from '../../support/api/network.ts';
import { allStoredData } from '../../support/api/stored-data.ts';
import { apiSuite } from '../../support/api/suite.ts';

const ID = '0a1b2c3d-0000-4000-8000-0000000000e1';
const OTHER = '0a1b2c3d-0000-4000-8000-0000000000e2';
const ASYNC = '/api/instances/async';
const DATA = '#cloud-config\nruncmd: [find-this]\n';

describe('options of a creation', () => {
  const suite = apiSuite();

  async function start() {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const answersList = (collection: string, query: string, rows: object[]) =>
      suite.cloud.reply('network/ports', {
        path: `/v2.0/${collection}?${query}`,
        body: { [collection.replaceAll('-', '_')]: rows },
      });
    const refused = async (more: Record<string, unknown>) => {
      const { status, body } = await api.post<ErrorBody>(ASYNC, {
        as: caller,
        body: instanceRequest(more),
      });
      return [status, body.errors?.[0]?.field, body.detail];
    };
    return { api, caller, answersList, refused };
  }

  for (const [more, field] of [
    [{ networks: [] }, 'body.networks'],
    [{ networks: [{}] }, 'body.networks.0'],
    [{ networks: [{ network_id: ID, port_id: ID }] }, 'body.networks.0'],
    [{ networks: [{ network_id: ID }, { network_id: ID }] }, 'body.networks.1'],
    [{ network_id: ID, networks: [{ network_id: OTHER }] }, 'body'],
    [{ security_group_ids: ['a/b'] }, 'body.security_group_ids.0'],
    [
      { security_group_ids: Array.from({ length: 21 }, (_, index) => `g${index}`) },
      'body.security_group_ids',
    ],
    [{ floating_ip: 'no' }, 'body.floating_ip'],
    [{ user_data: 'echo' }, 'body.user_data'],
    [{ user_data: `#!${'ö'.repeat(16_384)}` }, 'body.user_data'],
    [{ server_group_id: '' }, 'body.server_group_id'],
  ] as const) {
    it(`are 400 before any call: ${JSON.stringify(more).slice(0, 70)}`, async () => {
      const { refused } = await start();

      assert.deepEqual((await refused(more)).slice(0, 2), [400, field]);
    });
  }

  it('are 400 for a security group that the project does not have', async () => {
    const { answersList, refused } = await start();
    answersList('security-groups', `id=${ID}`, [{ id: ID, project_id: 'another' }]);

    const refusal = await refused({ security_group_ids: [ID] });

    assert.deepEqual(refusal, [400, 'body.security_group_ids', `Security group ${ID} was not found.`]);
  });

  it('are 400 or 409 for networks and ports that cannot be used', async () => {
    const { answersList, caller, refused } = await start();
    answersList('networks', `id=${ID}`, []);
    assert.deepEqual(await refused({ networks: [{ network_id: ID }] }), [
      400,
      'body.networks',
      `Network ${ID} was not found.`,
    ]);
    answersList('ports', `id=${ID}`, [{ id: ID, project_id: 'another', device_id: '', fixed_ips: [{}] }]);
    assert.deepEqual(await refused({ networks: [{ port_id: ID }] }), [
      400,
      'body.networks',
      `Port ${ID} was not found.`,
    ]);
    const own = { id: ID, project_id: caller.projectId };
    answersList('ports', `id=${ID}`, [{ ...own, device_id: 'server', fixed_ips: [{}] }]);
    assert.deepEqual((await refused({ networks: [{ port_id: ID }] }))[0], 409);
    answersList('ports', `id=${ID}`, [{ ...own, device_id: '', fixed_ips: [] }]);
    assert.deepEqual((await refused({ networks: [{ port_id: ID }] }))[0], 400);
  });

  it('are 400 for a server group of another project', async () => {
    const { refused } = await start();
    computeAnswers(suite.cloud, `GET /os-server-groups/${ID}`, {
      server_group: { id: ID, project_id: 'another' },
    });

    const refusal = await refused({ server_group_id: ID });

    assert.deepEqual(refusal, [400, 'body.server_group_id', `Server group ${ID} was not found.`]);
  });

  it('are in the job, with first-boot data that only workers can read', async () => {
    const { answersList, api, caller } = await start();
    const network = { id: ID, project_id: caller.projectId, subnets: ['s'], 'router:external': false };
    answersList('networks', `id=${ID}`, [{ ...network, name: 'n', shared: false }]);
    networkAnswers(suite.cloud, `GET /networks/${ID}`, { network });
    answersList('security-groups', `id=${OTHER}`, [{ id: OTHER, project_id: caller.projectId }]);

    const stream = await api.stream('POST', ASYNC, {
      as: caller,
      body: instanceRequest({
        networks: [{ network_id: ID }],
        security_group_ids: [OTHER],
        floating_ip: false,
        user_data: DATA,
      }),
    });
    stream.close();

    const { options } = (await queuedData(api, stream.headers.get('x-job-id') ?? '')).payload as {
      options: Record<string, unknown>;
    };
    const { sealedUserData, ...shown } = options;
    assert.deepEqual(shown, {
      nics: [{ networkId: ID, portId: null }],
      securityGroupIds: [OTHER],
      serverGroupId: null,
      floatingIp: false,
    });
    assert.equal(api.context.sealer.open('userData', String(sealedUserData)), DATA);
    assert.ok(!(await allStoredData(api)).some((text) => text.includes('find-this')));
  });
});
