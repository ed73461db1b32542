import assert from 'node:assert/strict';
import type { AccessRule } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { answersShare, rule, SHARE_PATH } from '../../support/api/file-storage.ts';
import { apiSuite } from '../../support/api/suite.ts';

describe('the access rules of a file storage', () => {
  const suite = apiSuite();
  const at = `${SHARE_PATH}/access-rules`;

  it('are listed with keys, which nothing may keep, except those of instances', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answersShare(suite.cloud);
    const rules = [
      { ...rule, access_key: 'client-key' },
      { ...rule, access_key: 'instance-key', access_to: 'gateway-p-j' },
      { ...rule, access_key: null, access_type: 'ip', access_level: null },
    ];
    suite.cloud.reply('shared-file-system/access-rules', { body: { access_list: rules } });

    const answer = await api.get<AccessRule[]>(at, { as: caller });

    assert.deepEqual(
      answer.body.map(({ access_key, access_type, access_level }) => [access_type, access_level, access_key]),
      [
        ['nativeauth', 'ro', 'client-key'],
        ['nativeauth', 'ro', null],
        ['ip', 'rw', null],
      ],
    );
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.doesNotMatch(api.log.text(), /client-key|instance-key/);
  });

  it('are created read-only for a native client by default', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answersShare(suite.cloud);
    suite.cloud.reply('shared-file-system/access-rule-allow', {
      requestBody: { allow_access: { access_type: 'cephx', access_to: 'me', access_level: 'ro' } },
    });

    const answer = await api.post<AccessRule>(at, { as: caller, body: { access_to: 'me' } });

    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual([answer.body.access_type, answer.body.access_key], ['nativeauth', null]);
    assert.equal(answer.headers['cache-control'], 'no-store');
  });

  const NFS = { share_proto: 'NFS' };
  const NATIVE = { share_proto: 'CEPHFS' };
  const wrong: [object, object, string][] = [
    [NFS, { access_to: 'me' }, 'body.access_type'],
    [NATIVE, { access_to: '10.0.0.1', access_type: 'ip' }, 'body.access_type'],
    [{ share_proto: 'CIFS' }, { access_to: '10.0.0.1', access_type: 'ip' }, 'body.access_type'],
    [NFS, { access_to: '10.0.0.256', access_type: 'ip' }, 'body.access_to'],
    [NFS, { access_to: '10.0.0.0/33', access_type: 'ip' }, 'body.access_to'],
    [NFS, { access_to: '10.0.0.0/8/8', access_type: 'ip' }, 'body.access_to'],
    [NFS, { access_to: '2001:db8::/129', access_type: 'ip' }, 'body.access_to'],
    [NFS, { access_to: 'host.example', access_type: 'ip' }, 'body.access_to'],
    [NATIVE, { access_to: 'a.b' }, 'body.access_to'],
    [NATIVE, { access_to: 'ü' }, 'body.access_to'],
    [NATIVE, { access_to: ' me' }, 'body.access_to'],
    [NATIVE, { access_to: 'gateway-p-j' }, 'body.access_to'],
    [NATIVE, { access_to: 'Gateway-x' }, 'body.access_to'],
  ];
  for (const [differences, body, field] of wrong) {
    it(`are refused with 400: ${JSON.stringify({ ...differences, ...body })}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      answersShare(suite.cloud, differences);

      const answer = await api.post<ErrorBody>(at, { as: caller, body });

      assert.equal(answer.status, 400);
      assert.deepEqual(
        answer.body.errors?.map((error) => error.field),
        [field],
      );
    });
  }

  for (const body of [
    {},
    { access_to: '' },
    { access_to: 'me', access_level: 'x' },
    { access_to: 'me', access_type: 'user' },
  ]) {
    it(`are refused with 400 before any call: ${JSON.stringify(body)}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());

      assert.equal((await api.post(at, { as: caller, body })).status, 400);
    });
  }

  for (const access_to of ['10.0.0.1', '10.0.0.0/8', '2001:db8::1', '2001:db8::/32']) {
    it(`take ${access_to} for NFS`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      answersShare(suite.cloud, NFS as object);
      suite.cloud.reply('shared-file-system/access-rule-allow', {
        requestBody: { allow_access: { access_type: 'ip', access_to, access_level: 'rw' } },
      });

      const body = { access_to, access_type: 'ip', access_level: 'rw' };
      assert.equal((await api.post(at, { as: caller, body })).status, 201);
    });
  }

  it('are refused with 409 for a name that has one', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answersShare(suite.cloud);
    suite.cloud.reply('shared-file-system/access-rule-exists');
    answersShare(suite.cloud);

    const answer = await api.post<ErrorBody>(at, { as: caller, body: { access_to: 'record-user' } });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
  });

  it('are rejected with 409 and the state while the share is unavailable', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answersShare(suite.cloud, { status: 'creating' });
    const early = await api.post<ErrorBody>(at, { as: caller, body: { access_to: 'me' } });
    answersShare(suite.cloud);
    suite.cloud.reply('shared-file-system/share-busy');
    answersShare(suite.cloud, { status: 'deleting' });

    const late = await api.post<ErrorBody>(at, { as: caller, body: { access_to: 'me' } });

    assert.deepEqual([early.status, late.status], [409, 409]);
    assert.match(early.body.detail, /is creating/);
    assert.match(late.body.detail, /is deleting/);
  });

  it('let nobody else write into the share of an instance', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answersShare(suite.cloud, { metadata: { overlay_type: 'dynamic' } });
    const body = { access_to: 'me', access_level: 'rw' };

    assert.equal((await api.post(at, { as: caller, body })).status, 409);
  });

  it('are revoked, except those of instances and of other shares', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const rules = [rule, { ...rule, id: 'own', access_to: 'gateway-p-j' }];
    for (let times = 0; times < 3; times++) {
      answersShare(suite.cloud);
      suite.cloud.reply('shared-file-system/access-rules', { body: { access_list: rules } });
    }
    suite.cloud.reply('shared-file-system/access-rule-deny', {
      requestBody: { deny_access: { access_id: rule.id } },
    });
    const remove = async (id: string) => (await api.request('DELETE', `${at}/${id}`, { as: caller })).status;

    assert.deepEqual([await remove(rule.id), await remove('own'), await remove('unknown')], [204, 409, 404]);
  });

  it('are 409 when the state of the share forbids to revoke them', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answersShare(suite.cloud);
    suite.cloud.reply('shared-file-system/access-rules');
    const message =
      'Access rules cannot be denied while the share lacks a valid host or is in an invalid state.';
    suite.cloud.reply('shared-file-system/access-rule-deny', {
      status: 400,
      body: { badRequest: { code: 400, message } },
    });

    assert.equal((await api.request('DELETE', `${at}/${rule.id}`, { as: caller })).status, 409);
  });
});
