import assert from 'node:assert/strict';
import type { ContainerRecord } from '@gateway/openstack';
import type { Container } from '@gateway/resources';
import nock from 'nock';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT, type TestCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { startJunkService } from '../../support/doubles/junk-after-204.ts';
import type { ReplyOptions } from '../../support/doubles/upstream.ts';

const LIST = '/api/containers';
const ORIGIN = 'http://127.0.0.1:9517';
/** The recorded catalog has no container service. */
const settings = { services: { container: true }, identity: { endpoints: { container: `${ORIGIN}/v1` } } };

describe('containers', () => {
  const suite = apiSuite();

  function containerOf(
    { projectId }: TestCaller,
    differences: { [Field in keyof ContainerRecord]?: unknown } = {},
  ): { [Field in keyof ContainerRecord]?: unknown } {
    return {
      uuid: 'container-1',
      name: 'web',
      project_id: projectId,
      status: 'Running',
      status_reason: null,
      image: 'nginx',
      command: null,
      cpu: 0.5,
      memory: '512M',
      addresses: {},
      host: 'compute-1',
      ...differences,
    };
  }

  function answers(
    method: string,
    path: string,
    status: number,
    body?: object,
    request?: object,
  ): nock.Scope {
    return nock(ORIGIN, { reqheaders: { 'openstack-api-version': 'container 1.12' } })
      .intercept(`/v1${path}`, method, request as nock.RequestBodyMatcher)
      .reply(status, body);
  }

  function network(path: RegExp, body: object, options: ReplyOptions = {}): void {
    suite.cloud.reply('network/networks', { path, body, ...options });
  }

  it('are listed with the names of their networks and their floating IPs', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    const addresses = { 'net-1': [{ addr: '10.0.0.5', port: 'port-1' }] };
    const command = ['nginx', '-g', 'daemon "off";', ''];
    const mine = containerOf(caller, { addresses, command, memory: '1g', created_at: '2026-11-22 03:00:00' });
    const foreign = containerOf(caller, { project_id: OTHER_PROJECT });
    answers('GET', '/containers', 200, { containers: [mine, foreign], next: null });
    network(/networks\?id=net-1$/, { networks: [{ id: 'net-1', name: 'inside' }] });
    const floating = {
      id: 'fip-1',
      floating_ip_address: '203.0.113.9',
      port_id: 'port-1',
      fixed_ip_address: '10.0.0.5',
    };
    network(/floatingips\?project_id=/, { floatingips: [floating] });

    const answer = await api.get<Container[]>(LIST, { as: caller });

    assert.deepEqual(answer.body, [
      {
        id: 'container-1',
        name: 'web',
        status: 'Running',
        status_reason: '',
        image: 'nginx',
        command: 'nginx -g "daemon \\"off\\";" ""',
        cpu: 0.5,
        memory: 1024,
        addresses: [
          { addr: '10.0.0.5', type: 'fixed', network_name: 'inside' },
          { addr: '203.0.113.9', type: 'floating', network_name: 'inside' },
        ],
        host: 'compute-1',
        created_at: '2026-11-22T03:00:00Z',
      },
    ]);
  });

  it('are shown without names of networks while that service is unavailable', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    const addresses = { 'net-1': [{ addr: '10.0.0.5', port: 'port-1' }] };
    answers(
      'GET',
      '/containers/container-1',
      200,
      containerOf(caller, { addresses, memory: null, cpu: null }),
    );
    network(/networks/, {}, { status: 500 });
    network(/floatingips/, {}, { status: 500 });

    const { body } = await api.get<Container>(`${LIST}/container-1`, { as: caller });

    assert.deepEqual(body.addresses, [{ addr: '10.0.0.5', type: 'fixed', network_name: '' }]);
    assert.deepEqual([body.memory, body.cpu, body.created_at], [null, null, null]);
  });

  for (const isLate of [false, true]) {
    const when = isLate ? 'later' : 'at once';

    it(`are deleted despite a body ${when} with the 204, and later ones`, async () => {
      const caller = newCaller();
      const service = await startJunkService(
        () => JSON.stringify({ ...containerOf(caller), containers: [] }),
        { isLate },
      );
      suite.allowPort(service.port);
      const container = `http://127.0.0.1:${service.port}/v1`;
      const api = await suite.start({ settings: { ...settings, identity: { endpoints: { container } } } });
      suite.cloud.validCaller(caller);

      for (let round = 0; round < 3; round += 1) {
        const deleted = await api.request('DELETE', `${LIST}/container-1`, { as: caller });
        await service.sendLate();
        const listed = await api.get<Container[]>(LIST, { as: caller });

        assert.equal(deleted.status, 204, deleted.text);
        assert.deepEqual([listed.status, listed.body], [200, []], listed.text);
      }
      await service.close();
    });
  }

  it('show the last lines of their log, which may be empty', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    const read = (query = '') => api.get<{ log: string }>(`${LIST}/container-1/log${query}`, { as: caller });
    for (const [tail, log] of [
      [100, 'a\nb\n'],
      [1, ''],
    ] as const) {
      answers('GET', '/containers/container-1', 200, containerOf(caller));
      answers('GET', `/containers/container-1/logs?tail=${tail}`, 200, JSON.stringify(log) as never);
    }

    const logs = [(await read()).body, (await read('?length=1')).body];

    assert.deepEqual(logs, [{ log: 'a\nb\n' }, { log: '' }]);
    assert.equal((await read('?length=0')).status, 400);
  });

  for (const status of [400, 409]) {
    it(`have no log where the service answers ${status}`, async () => {
      const api = await suite.start({ settings });
      const caller = suite.cloud.validCaller(newCaller());
      const refusal = { errors: [{ status, detail: 'Cannot logs container in Creating state' }] };
      answers('GET', '/containers/container-1', 200, containerOf(caller, { status: 'Creating' }));
      answers('GET', '/containers/container-1/logs?tail=100', status, refusal);

      const { body } = await api.get<ErrorBody>(`${LIST}/container-1/log`, { as: caller });

      assert.deepEqual(
        [body.code, body.detail],
        ['conflict', 'The container has no log: its status is Creating.'],
      );
    });
  }

  it('are created, and stopped before they are deleted', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    const command = `echo ${'x'.repeat(100_000)}`;
    const body = { image: 'nginx', cpu: 2048, memory: 2 ** 30, command };
    answers('POST', '/containers', 202, containerOf(caller, { status: 'Creating', host: null }), body);
    answers('GET', '/containers/container-1', 200, containerOf(caller));
    const deletion = answers('DELETE', '/containers/container-1?stop=true', 204);

    const created = await api.post<Container>(LIST, { as: caller, body });
    const deleted = await api.request('DELETE', `${LIST}/container-1`, { as: caller });

    assert.deepEqual([created.status, created.body.status, created.body.host], [201, 'Creating', null]);
    assert.equal(deleted.status, 204);
    assert.ok(deletion.isDone());
  });

  it('that are lost name who can delete them', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    answers('GET', '/containers/container-1', 200, containerOf(caller, { status: 'Unknown' }));
    const detail = 'Cannot delete_after_stop container container-1 in Unknown state';
    answers('DELETE', '/containers/container-1?stop=true', 409, {
      errors: [{ status: 409, title: detail, detail }],
    });

    const { body, status } = await api.request<ErrorBody>('DELETE', `${LIST}/container-1`, { as: caller });

    assert.deepEqual([status, body.code], [409, 'conflict']);
    assert.match(body.detail, /status is Unknown\. .* an administrator can force/);
  });

  it('are 409 beyond the quota, and for actions that their state forbids', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    const refusal = (status: number, detail: string) => ({ errors: [{ status, title: detail, detail }] });
    answers('POST', '/containers', 403, refusal(403, 'Quota exceeded for resources: containers'));
    answers('GET', '/containers/container-1', 200, containerOf(caller));
    const detail = 'Cannot start container container-1 in Running state';
    answers('POST', '/containers/container-1/start', 409, refusal(409, detail));

    const full = await api.post<ErrorBody>(LIST, { as: caller, body: { image: 'nginx' } });
    const running = await api.post<ErrorBody>(`${LIST}/container-1/start`, { as: caller });

    assert.deepEqual([full.status, full.body.code], [409, 'quota_exceeded']);
    assert.deepEqual([running.status, running.body.code, running.body.detail], [409, 'conflict', detail]);
  });

  it('are 404 while the service is disabled or missing in the cloud', async () => {
    const caller = suite.cloud.validCaller(newCaller());
    const off = await suite.start();
    const missing = await suite.start({ settings: { services: { container: true } } });

    for (const api of [off, missing]) {
      const { status, body } = await api.get<ErrorBody>(LIST, { as: caller });
      assert.deepEqual([status, body.code], [404, 'service_disabled']);
    }
  });

  it('refuse invalid fields before any call', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    const invalid: [object, string][] = [
      [{}, 'body.image'],
      [{ image: '' }, 'body.image'],
      [{ image: 'nginx', cpu: 0 }, 'body.cpu'],
      [{ image: 'nginx', memory: 1.5 }, 'body.memory'],
      [{ image: 'nginx', memory: '256' }, 'body.memory'],
      [{ image: 'nginx', command: 'echo "open' }, 'body.command'],
      [{ image: 'nginx', command: "echo 'open" }, 'body.command'],
      [{ image: 'nginx', command: 'echo \\' }, 'body.command'],
    ];

    for (const [body, field] of invalid) {
      const answer = await api.post<ErrorBody>(LIST, { as: caller, body });
      const fields = answer.body.errors?.map((error) => error.field);
      assert.deepEqual([answer.status, fields], [400, [field]], JSON.stringify(body));
    }
  });

  it('are created at most ten times a minute', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());

    const statuses = [];
    for (let count = 0; count < 11; count += 1) {
      if (count < 10) answers('POST', '/containers', 202, containerOf(caller));
      statuses.push((await api.post(LIST, { as: caller, body: { image: 'nginx' } })).status);
    }

    assert.deepEqual(statuses, [...Array<number>(10).fill(201), 429]);
  });
});
