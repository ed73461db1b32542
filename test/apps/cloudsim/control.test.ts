import assert from 'node:assert/strict';
import { startCloudsim } from '../../../apps/cloudsim/src/server.ts';
import { type Client, idOf, LATEST_SHARE, startTestCloud, type TestCloud } from './client.ts';

describe('the control API of the simulated cloud', () => {
  let cloud: TestCloud;
  let demo: Client;
  let volumes: string;

  beforeEach(async () => {
    cloud = await startTestCloud();
    demo = await cloud.as('demo');
    volumes = `/volume/v3/${demo.projectId}/volumes`;
    await cloud.call('DELETE', '/_control/calls');
  });
  afterEach(() => cloud.close());

  function fault(spec: object) {
    return cloud.call('POST', '/_control/faults', spec);
  }

  function create() {
    return demo.call('POST', volumes, { volume: { size: 1 } });
  }

  async function count(): Promise<number> {
    return (await cloud.call('GET', '/_control/state')).body.totals.volumes;
  }

  it('fails the configured call once, with the error body of its service', async () => {
    await fault({ service: 'block-storage', operation: 'volumes.create', nth: 2, status: 503 });

    const statuses = [(await create()).status, (await create()).status, (await create()).status];

    assert.deepEqual(statuses, [202, 503, 202]);
    assert.equal(await count(), 2);
  });

  it('carries out a call and then loses its response', async () => {
    await fault({ operation: 'volumes.create', drop: true, after: true });

    await assert.rejects(create());

    assert.equal(await count(), 1);
  });

  it('loses a call before it is carried out', async () => {
    await fault({ path: '/volumes$', method: 'POST', drop: true });

    await assert.rejects(create());

    assert.equal(await count(), 0);
  });

  it('never answers a hanging call until faults are cleared', async () => {
    await fault({ operation: 'volumes.list', hang: true });

    const hanging = demo.call('GET', volumes);
    while ((await cloud.call('GET', '/_control/calls?operation=volumes.list')).body.calls.length === 0);
    await cloud.call('DELETE', '/_control/faults');

    await assert.rejects(hanging);
  });

  it('identifies server actions by the name of the action', async () => {
    const { body } = await create();
    await fault({ operation: 'volumes.os-extend', status: 500, times: 0 });

    const refused = await demo.call('POST', `${volumes}/${body.volume.id}/action`, {
      'os-extend': { new_size: 2 },
    });

    assert.equal(refused.status, 500);
  });

  it('records calls with project and request id, without headers or bodies', async () => {
    const id = 'req-01234567-89ab-4cde-8f01-23456789abcd';
    await demo.call('GET', `${volumes}?limit=1`, undefined, { 'X-OpenStack-Request-ID': id });

    const { body } = await cloud.call('GET', '/_control/calls?service=block-storage');

    assert.equal(body.calls.length, 1);
    const { seq, time, ...call } = body.calls[0];
    assert.ok(seq > 0 && time !== '');
    assert.deepEqual(call, {
      service: 'block-storage',
      operation: 'volumes.list',
      method: 'GET',
      path: `${volumes}?limit=1`,
      status: 200,
      traceparent: null,
      project: demo.projectId,
      request_id: id,
      performed: true,
      made: null,
      concurrent: 1,
    });
  });

  it('resets to the seed, with the same ids in every run', async () => {
    await create();
    await cloud.call('POST', '/_control/reset');
    const other = await startCloudsim();
    const again = await cloud.as('demo');

    const state = (await (await fetch(`${other.url}/_control/state`)).json()) as { projects: object };
    await other.close();

    assert.equal(await count(), 0);
    assert.equal((await demo.call('GET', volumes)).status, 401);
    assert.equal(again.projectId, demo.projectId);
    assert.ok(demo.projectId in state.projects);
  });

  it('refuses a setting that does not exist', async () => {
    for (const change of [{ delayScales: 2 }, { latencyMs: {} }, { guest: { outcomes: 'fails' } }]) {
      assert.equal((await cloud.call('POST', '/_control/settings', change)).status, 400);
    }
  });

  it('shortens the lifetime of new tokens', async () => {
    await cloud.call('POST', '/_control/settings', { tokenLifetimeSeconds: 5 });
    const brief = await cloud.as('demo');
    cloud.clock.advance(6000);

    assert.equal((await brief.call('GET', volumes)).status, 401);
    assert.equal((await demo.call('GET', volumes)).status, 200);
  });

  it('gives new shares the export location that is configured for their protocol', async () => {
    await cloud.call('POST', '/_control/settings', { exportPaths: { NFS: '10.0.2.2:/export' } });
    await cloud.call('POST', '/_control/settings', { exportPaths: { CEPHFS: '10.9.9.9:6789:/export' } });

    const paths = [await exportOf('NFS'), await exportOf('CEPHFS')];
    await cloud.call('POST', '/_control/reset');
    demo = await cloud.as('demo');

    assert.deepEqual(paths, ['10.0.2.2:/export', '10.9.9.9:6789:/export']);
    assert.match(await exportOf('NFS'), /^192\.0\.2\./);
  });

  async function exportOf(protocol: string): Promise<string> {
    const share = { size: 1, share_proto: protocol };
    const made = await demo.call('POST', '/share/v2/shares', { share }, LATEST_SHARE);
    cloud.clock.advance(1000);
    const locations = `/share/v2/shares/${made.body.share.id}/export_locations`;
    return (await demo.call('GET', locations, undefined, LATEST_SHARE)).body.export_locations[0].path;
  }

  it('returns the user data of a server', async () => {
    const images = await demo.call('GET', '/image/v2/images');
    const flavors = await demo.call('GET', `/compute/v2.1/flavors`);
    const userData = Buffer.from('#cloud-config\n').toString('base64');
    const make = (more: object) =>
      demo.call('POST', '/compute/v2.1/servers', {
        server: {
          name: 'with-data',
          imageRef: idOf(images, 'debian-12'),
          flavorRef: idOf(flavors, 'm1.small'),
          ...more,
        },
      });
    const serverId = (await make({ user_data: userData })).body.server.id;
    const silent = (await make({})).body.server.id;

    assert.equal((await cloud.call('GET', `/_control/servers/${serverId}/user-data`)).body, userData);
    assert.equal((await cloud.call('GET', `/_control/servers/${silent}/user-data`)).status, 404);
    assert.equal((await cloud.call('GET', '/_control/servers/none/user-data')).status, 404);
  });

  it('makes transitions immediate with a time scale of zero', async () => {
    const quick = await startCloudsim({ delayScale: 0 });
    const token = await fetch(`${quick.identityUrl}/auth/tokens`, {
      method: 'POST',
      body: JSON.stringify({
        auth: {
          identity: {
            methods: ['password'],
            password: { user: { name: 'demo', password: 'demo-secret', domain: { id: 'default' } } },
          },
          scope: { project: { id: demo.projectId } },
        },
      }),
    });
    const headers = { 'X-Auth-Token': token.headers.get('x-subject-token') ?? '' };
    const made = await fetch(quick.url + volumes, {
      method: 'POST',
      headers,
      body: JSON.stringify({ volume: { size: 1 } }),
    });
    const { volume } = (await made.json()) as { volume: { id: string; status: string } };
    const read = await fetch(`${quick.url}${volumes}/${volume.id}`, { headers });
    const now = (await read.json()) as { volume: { status: string } };
    await quick.close();

    assert.equal(volume.status, 'creating');
    assert.equal(now.volume.status, 'available');
  });
});
