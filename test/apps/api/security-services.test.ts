import assert from 'node:assert/strict';
import type { SecurityService } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, type TestCaller } from '../../support/api/factories.ts';
import { serviceCalls } from '../../support/api/service-calls.ts';
import { allStoredData } from '../../support/api/stored-data.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';

const { answers, calls } = serviceCalls('shared-file-system/share', '/v2');
const PATH = '/api/file-storage/security-services';
const PAIR = '/api/file-storage/share-networks/sn-1/security-services/ss-1';
const PASSWORD = 'Directory-Password-4711';

describe('security services', () => {
  const suite = apiSuite();

  async function start(options: Parameters<typeof newCaller>[0] = {}) {
    const api = await suite.start();
    return { api, caller: suite.cloud.validCaller(newCaller(options)) };
  }

  type Owner = Pick<TestCaller, 'projectId'>;

  /** As the service sends it: with the password. */
  function serviceOf({ projectId }: Owner, differences: object = {}) {
    return {
      id: 'ss-1',
      name: 'offices',
      description: null,
      project_id: projectId,
      type: 'active_directory',
      status: 'new',
      dns_ip: '10.0.0.5',
      server: null,
      domain: 'ad.example.org',
      ou: 'OU=Shares',
      user: 'share-admin',
      password: PASSWORD,
      created_at: '2026-11-22T03:00:00.000000',
      updated_at: null,
      ...differences,
    };
  }

  const networkOf = ({ projectId }: Owner) => ({ id: 'sn-1', name: 'exports', project_id: projectId });

  const shown = {
    id: 'ss-1',
    name: 'offices',
    description: '',
    type: 'active_directory',
    dns_ip: '10.0.0.5',
    server: '',
    domain: 'ad.example.org',
    ou: 'OU=Shares',
    user: 'share-admin',
    share_network_ids: [],
    share_network_names: [],
    created_at: '2026-11-22T03:00:00Z',
  };

  /** The service lists those of the project, with the ids of all share networks that use them. */
  function lists(caller: Owner, share_networks: readonly string[] = []): void {
    const listed = serviceOf(caller, { share_networks });
    answers(suite.cloud, 'GET /security-services/detail', { security_services: [listed] });
  }

  /** What names the share networks of a row. */
  function listsNetworks(caller: Owner): void {
    answers(suite.cloud, 'GET /share-networks/detail', { share_networks: [networkOf(caller)] });
  }

  it('are created, and their password is nowhere afterwards', async () => {
    const { api, caller } = await start();
    const body = {
      name: 'offices',
      type: 'active_directory',
      dns_ip: '10.0.0.5, 2001:db8::5',
      domain: 'ad.example.org',
      ou: 'OU=Shares',
      user: 'share-admin',
      password: PASSWORD,
    };
    answers(
      suite.cloud,
      'POST /security-services',
      { security_service: serviceOf(caller) },
      { requestBody: { security_service: { ...body, dns_ip: '10.0.0.5,2001:db8::5' } } },
    );

    const created = await api.post<SecurityService>(PATH, {
      as: caller,
      body,
      headers: { 'idempotency-key': 'once' },
    });
    const repeated = await api.post(PATH, { as: caller, body, headers: { 'idempotency-key': 'once' } });

    assert.equal(created.status, 201, created.text);
    assert.deepEqual(created.body, shown);
    assert.equal(repeated.text, created.text);
    const [line] = await eventually(async () => {
      const lines = api.log.withMessage('Audit');
      return lines.length > 0 ? lines : undefined;
    });
    assert.equal(line?.resource_id, 'ss-1');
    const stored = await eventually(async () => {
      const data = (await allStoredData(api)).join('\n');
      return data.includes(PATH) ? data : undefined;
    });
    for (const text of [created.text, stored, api.log.text()]) assert.ok(!text.includes(PASSWORD));
  });

  it('are shown with share networks, whose names are those of own ones', async () => {
    const { api, caller } = await start();
    const share_network_ids = ['sn-1', 'sn-of-another-project'];
    for (let time = 1; time <= 2; time += 1) lists(caller, share_network_ids);
    listsNetworks(caller);

    const [list, one] = [
      await api.get<SecurityService[]>(PATH, { as: caller }),
      await api.get<SecurityService>(`${PATH}/ss-1`, { as: caller }),
    ];

    const expected = { ...shown, share_network_ids, share_network_names: ['exports', null] };
    assert.deepEqual([list.body, one.body], [[expected], expected]);
    assert.ok(!(list.text + one.text).includes(PASSWORD));
  });

  for (const [field, value] of [
    ['type', 'nis'],
    ['type', undefined],
    ['dns_ip', 'ns.example.org'],
    ['dns_ip', '10.0.0.5,'],
    ['dns_ip', `${'2001:db8::1,'.repeat(5)}2001:db8::1`],
    ['password', 'p'.repeat(256)],
    ['domain', ''],
  ] as const) {
    it(`are not created with this ${field}: ${String(value).slice(0, 20)}`, async () => {
      const { api, caller } = await start();
      const body = { name: 'offices', type: 'ldap', password: PASSWORD, [field]: value };

      const refused = await api.post<ErrorBody>(PATH, { as: caller, body });

      assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_input']);
      assert.deepEqual(
        refused.body.errors?.map((each) => each.field),
        [`body.${field}`],
      );
      assert.ok(!refused.text.includes(PASSWORD) && !refused.text.includes('ppp'));
      assert.deepEqual(calls(suite.cloud), []);
    });
  }

  it('are deleted', async () => {
    const { api, caller } = await start();
    lists(caller);
    answers(suite.cloud, 'DELETE /security-services/ss-1', '', { status: 202 });

    assert.equal((await api.request('DELETE', `${PATH}/ss-1`, { as: caller })).status, 204);
  });

  it('are kept while a share network uses them, which the refusal names', async () => {
    const { api, caller } = await start();
    lists(caller, ['sn-1']);
    listsNetworks(caller);

    const { status, body } = await api.request<ErrorBody>('DELETE', `${PATH}/ss-1`, { as: caller });

    assert.deepEqual([status, body.code, body.reason], [409, 'conflict', 'in_use']);
    assert.equal(
      body.detail,
      'The security service cannot be deleted: first remove it from share network "exports" (sn-1).',
    );
  });

  it('are kept if the service says that one uses them', async () => {
    const { api, caller } = await start();
    lists(caller);
    const message = 'Cannot delete security service. It is assigned to share network(s)';
    answers(
      suite.cloud,
      'DELETE /security-services/ss-1',
      { forbidden: { code: 403, message } },
      { status: 403 },
    );

    const { status, body } = await api.request<ErrorBody>('DELETE', `${PATH}/ss-1`, { as: caller });

    assert.deepEqual([status, body.code, body.reason], [409, 'conflict', 'in_use']);
  });

  for (const [method, path] of [
    ['GET', `${PATH}/ss-1`],
    ['DELETE', `${PATH}/ss-1`],
    ['PUT', PAIR],
    ['DELETE', PAIR],
  ] as const) {
    it(`of another project are 404, also for administrators: ${method} ${path}`, async () => {
      const { api, caller } = await start({ roles: ['admin'] });
      answers(suite.cloud, 'GET /security-services/detail', { security_services: [] });
      if (path === PAIR)
        answers(suite.cloud, 'GET /share-networks/sn-1', { share_network: networkOf(caller) });

      const { status, body } = await api.request<ErrorBody>(method, path, { as: caller });

      assert.deepEqual([status, body.code], [404, 'not_found']);
      assert.ok(calls(suite.cloud).every((call) => call.startsWith('GET ')));
    });
  }

  describe('of a share network', () => {
    const [add, remove] = ['add_security_service', 'remove_security_service'] as const;

    function acts(action: string, options: object = {}, body: object | string = ''): void {
      const requestBody = { [action]: { security_service_id: 'ss-1' } };
      answers(suite.cloud, 'POST /share-networks/sn-1/action', body, { requestBody, ...options });
    }

    async function startWith({ isUsed }: { isUsed: boolean }) {
      const { api, caller } = await start();
      answers(suite.cloud, 'GET /share-networks/sn-1', { share_network: networkOf(caller) });
      lists(caller, isUsed ? ['sn-1'] : []);
      if (isUsed) listsNetworks(caller);
      return (method: string) => api.request<ErrorBody>(method, PAIR, { as: caller });
    }

    it('are added, once', async () => {
      const send = await startWith({ isUsed: false });
      acts(add, {}, { share_network: {} });

      assert.equal((await send('PUT')).status, 204);
      assert.equal((await (await startWith({ isUsed: true }))('PUT')).status, 204);
    });

    it('are removed', async () => {
      const send = await startWith({ isUsed: true });
      acts(remove, {}, { share_network: {} });

      assert.equal((await send('DELETE')).status, 204);
    });

    it('are 404 if it does not have them', async () => {
      const { status, body } = await (await startWith({ isUsed: false }))('DELETE');

      assert.deepEqual([status, body.code], [404, 'not_found']);
    });

    it('are one of each type', async () => {
      const send = await startWith({ isUsed: false });
      const message = "Security service with 'ldap' type already added to 'sn-1' share network";
      acts(add, { status: 409 }, { conflictingRequest: { code: 409, message } });

      const { status, body } = await send('PUT');

      assert.deepEqual([status, body.code, body.detail], [409, 'conflict', message]);
    });

    for (const [method, action, isUsed] of [
      ['PUT', add, false],
      ['DELETE', remove, true],
    ] as const) {
      it(`stay once it has had file storages: ${method}`, async () => {
        const send = await startWith({ isUsed });
        const message = 'Cannot change security services. Share network is used.';
        acts(action, { status: 403 }, { forbidden: { code: 403, message } });

        const { status, body } = await send(method);

        assert.deepEqual([status, body.code, body.reason], [409, 'conflict', 'in_use']);
      });

      it(`are 403 without the right: ${method}`, async () => {
        const send = await startWith({ isUsed });
        const message = `Policy doesn't allow share_network:${action} to be performed.`;
        acts(action, { status: 403 }, { forbidden: { code: 403, message } });

        const { status, body } = await send(method);

        assert.deepEqual([status, body.code], [403, 'forbidden']);
      });
    }
  });
});
