import assert from 'node:assert/strict';
import type { Volume } from '@gateway/resources';
import { answers, storageCalls, VOLUME_ID, volumeOf } from '../../support/api/block-storage.ts';
import { inOtherProject, newCaller, OTHER_PROJECT, type TestCaller } from '../../support/api/factories.ts';
import { answers as balancerAnswers, balancerOf, LB } from '../../support/api/load-balancing.ts';
import { networkAnswers } from '../../support/api/network.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import type { EventStream } from '../../support/clients/sse-client.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const VOLUMES = '/api/events?types=volume';
const LIST = 'GET /volumes/detail';

describe('the events of lists', () => {
  const suite = apiSuite();

  const shows = (caller: TestCaller, ...rows: Parameters<typeof volumeOf>[1][]) =>
    answers(suite.cloud, LIST, { volumes: rows.map((row) => volumeOf(caller, row)) });

  /** Opens a stream, and waits for the first poll of its list. */
  async function listen(api: TestApi, caller: TestCaller, path = VOLUMES): Promise<EventStream> {
    const stream = await api.stream('GET', path, { as: caller });
    assert.equal((await stream.next())?.name, 'ready');
    assert.equal((await stream.next())?.name, 'reset');
    return stream;
  }

  const volume = (change: string, state: string | null, id = VOLUME_ID) => ({
    type: 'volume',
    id,
    change,
    state,
    job_id: null,
  });

  it('have what a request creates, and its state in the next poll', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    shows(caller);
    const stream = await listen(api, caller);
    answers(suite.cloud, 'POST /volumes', { volume: volumeOf(caller, { status: 'creating' }) });
    shows(caller, { status: 'available' });

    const body = { name: 'data', size_gb: 1 };
    assert.equal((await api.post('/api/volumes', { as: caller, body })).status, 201);

    assert.deepEqual(await stream.nextJson(), volume('created', 'creating'));
    assert.deepEqual(await stream.nextJson(), volume('updated', 'available'));
    stream.close();
  });

  it('have a row without a state that a request changes', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const rule = {
      id: 'rule-1',
      security_group_id: 'group-1',
      direction: 'ingress',
      ethertype: 'IPv4',
      protocol: null,
      port_range_min: null,
      port_range_max: null,
      remote_ip_prefix: null,
      remote_group_id: null,
    };
    const group = { id: 'group-1', name: 'web', project_id: caller.projectId, security_group_rules: [rule] };
    const list = `GET /security-groups?project_id=${caller.projectId}`;
    const security_groups = [group, { ...group, id: 'group-2' }];
    networkAnswers(suite.cloud, list, { security_groups }, { times: 2 });
    const stream = await listen(api, caller, '/api/events?types=security_group');
    networkAnswers(suite.cloud, 'GET /security-groups/group-1', { security_group: group });
    networkAnswers(suite.cloud, 'POST /security-group-rules', { security_group_rule: rule }, { status: 201 });

    const body = { direction: 'ingress' };
    const answer = await api.post('/api/security-groups/group-1/rules', { as: caller, body });

    assert.equal(answer.status, 201, answer.text);
    const expected = { type: 'security_group', id: 'group-1', change: 'updated', state: null, job_id: null };
    assert.deepEqual(await stream.nextJson(), expected);
    stream.close();
  });

  it('name the load balancer of a part that has changed', async () => {
    const api = await suite.start({ settings: { cache: { networks_seconds: 0 } } });
    const caller = suite.cloud.validCaller(newCaller());
    const balancers = (...updates: { updated_at: string; operating_status?: string }[]) => {
      const loadbalancers = updates.map((update) => balancerOf(caller, update));
      balancerAnswers(suite.cloud, `GET /loadbalancers?project_id=${caller.projectId}`, { loadbalancers });
    };
    balancers({ updated_at: '2026-11-22T03:00:00' });
    const stream = await listen(api, caller, '/api/events?types=load_balancer');
    const expected = { type: 'load_balancer', id: LB, change: 'updated', state: 'ACTIVE', job_id: null };

    balancers({ updated_at: '2026-11-22T03:00:01' });
    await api.get('/api/loadbalancers', { as: caller });
    assert.deepEqual(await stream.nextJson(), expected);
    balancers({ updated_at: '2026-11-22T03:00:01', operating_status: 'DEGRADED' });
    await api.get('/api/loadbalancers', { as: caller });
    assert.deepEqual(await stream.nextJson(), expected);
    stream.close();
  });

  it('have what an administrator changes in the project', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const admin = suite.cloud.validCaller(inOtherProject(newCaller({ roles: ['admin'] })));
    shows(caller, {}, { id: 'volume-2' });
    const stream = await listen(api, caller);
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(caller, { size: 1 }) });
    answers(suite.cloud, `POST /volumes/${VOLUME_ID}/action`, '', { status: 202 });
    shows(caller, { size: 20 }, { id: 'volume-2' });

    const path = `/api/admin/volumes/${VOLUME_ID}/extend`;
    const answer = await api.post(path, { as: admin, body: { new_size: 20 } });

    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(await stream.nextJson(), volume('updated', 'available'));
    stream.close();
  });

  it('are read with one call for all listeners and processes', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const caller = suite.cloud.validCaller(newCaller());
    shows(caller);

    const first = await listen(api, caller);
    const streams = await Promise.all(
      [api, other, api, other].map((process) => process.stream('GET', VOLUMES, { as: caller })),
    );
    for (const stream of streams) assert.equal((await stream.next())?.name, 'ready');

    answers(suite.cloud, 'POST /volumes', { volume: volumeOf(caller, { status: 'creating' }) });
    shows(caller, {});
    await api.post('/api/volumes', { as: caller, body: { name: 'data', size_gb: 1 } });
    for (const stream of [first, ...streams]) {
      assert.deepEqual(await stream.nextJson(), volume('created', 'creating'));
      assert.deepEqual(await stream.nextJson(), volume('updated', 'available'));
      stream.close();
    }
    const polls = storageCalls(suite.cloud).filter((call) => call === LIST);
    assert.equal(polls.length, 2);
  });

  it('have what changes in the cloud from any read of the list', async () => {
    const api = await suite.start({ settings: { cache: { volumes_seconds: 0 } } });
    const caller = suite.cloud.validCaller(newCaller());
    shows(caller, {});
    const stream = await listen(api, caller);
    shows(caller, { status: 'in-use' }, { id: 'volume-2' });
    await api.get<Volume[]>('/api/volumes?refresh=true', { as: caller });
    assert.deepEqual(await stream.nextJson(), volume('updated', 'in-use'));
    assert.deepEqual(await stream.nextJson(), volume('created', 'available', 'volume-2'));

    shows(caller, { status: 'in-use' });
    await api.get<Volume[]>('/api/volumes?refresh=true', { as: caller });

    assert.deepEqual(await stream.nextJson(), volume('deleted', null, 'volume-2'));
    stream.close();
  });

  it('have what changes in the cloud, after the interval', async () => {
    const api = await suite.start({ settings: { events: { interval_seconds: { volumes: 1 } } } });
    const caller = suite.cloud.validCaller(newCaller());
    shows(caller, {});
    const stream = await listen(api, caller);
    shows(caller, { status: 'error' });

    assert.deepEqual(await stream.nextJson(), volume('updated', 'error'));
    stream.close();
  });

  it('have no rows of other projects, which a list may show', async () => {
    const api = await suite.start({ settings: { events: { interval_seconds: { images: 1 } } } });
    const caller = suite.cloud.validCaller(newCaller());
    const image = fixtureBody<{ owner: string; id: string }[]>('image/images', 'images')[0];
    const images = (...rows: object[]) =>
      suite.cloud.reply('image/images', { body: { images: rows.map((row) => ({ ...image, ...row })) } });
    images();
    const stream = await listen(api, caller, '/api/events?types=image');
    images(
      { id: 'foreign', owner: OTHER_PROJECT, visibility: 'public' },
      { id: 'own', owner: caller.projectId },
    );

    assert.equal((await stream.nextJson<{ id: string }>())?.id, 'own');
    stream.close();
  });

  it('have a key pair for its user only', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const colleague = suite.cloud.validCaller(newCaller({ userId: 'e'.repeat(32) }));
    suite.cloud.reply('compute/keypairs', { body: { keypairs: [] }, times: 2 });
    const own = await listen(api, caller, '/api/events?types=keypair');
    const other = await listen(api, colleague, '/api/events?types=keypair');
    suite.cloud.reply('compute/keypair-create');
    suite.cloud.reply('compute/keypair-create');

    await api.post('/api/keypairs', { as: caller, body: { name: 'first' } });
    await api.post('/api/keypairs', { as: colleague, body: { name: 'second' } });

    const { name } = fixtureBody<{ name: string }>('compute/keypair-create', 'keypair');
    const events = [await own.next(), await other.next()];
    for (const event of events) assert.equal(JSON.parse(event?.data ?? '').id, name);
    assert.notEqual(events[0]?.id, events[1]?.id, 'each has the event of its own key pair');
    for (const stream of [own, other]) stream.close();
  });

  it('are not read for other types, or without their service', async () => {
    const api = await suite.start({ settings: { services: { shared_fs: false } } });
    const caller = suite.cloud.validCaller(newCaller());
    shows(caller);

    const stream = await listen(api, caller, '/api/events?types=volume,file_storage');

    assert.deepEqual(storageCalls(suite.cloud), [LIST]);
    stream.close();
  });
});
