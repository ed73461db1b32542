import assert from 'node:assert/strict';
import type { VolumeRecord } from '@gateway/openstack';
import { answers, storageCalls, VOLUME_ID, volumeOf } from '../../support/api/block-storage.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT, type TestCaller } from '../../support/api/factories.ts';
import { withServiceUser } from '../../support/api/settings.ts';
import { apiSuite } from '../../support/api/suite.ts';

const PATH = `/volumes/${VOLUME_ID}`;
const ATTACHMENTS = `/attachments?volume_id=${VOLUME_ID}`;
const attachment = { id: 'a-1', status: 'attached', volume_id: VOLUME_ID, instance: 'server-1' };

describe('POST /api/volumes/{volume_id}/force-delete', () => {
  const suite = apiSuite();

  function serviceUser(): TestCaller {
    const gateway = newCaller({ userId: 'gateway-id', userName: 'gateway', roles: ['admin'] });
    suite.cloud.acceptsLogIn(gateway);
    return gateway;
  }

  function volumeIs(
    caller: TestCaller,
    differences: { [Field in keyof VolumeRecord]?: unknown },
    times = 1,
  ): void {
    answers(suite.cloud, `GET ${PATH}`, { volume: volumeOf(caller, differences) }, { times });
  }

  function attachmentsAre(...attachments: object[]): void {
    answers(suite.cloud, `GET ${ATTACHMENTS}`, { attachments });
  }

  /** Everything up to the reset of a volume in this state. */
  function isChecked(caller: TestCaller, status: string): void {
    volumeIs(caller, { status }, 2);
    answers(suite.cloud, `GET /snapshots/detail?volume_id=${VOLUME_ID}`, { snapshots: [] });
    answers(
      suite.cloud,
      `POST ${PATH}/metadata`,
      { metadata: {} },
      {
        requestHeaders: { 'x-auth-token': caller.token },
        requestBody: { metadata: {} },
      },
    );
    attachmentsAre();
  }

  function reset(who: TestCaller, status: string, options: object = {}): void {
    answers(suite.cloud, `POST ${PATH}/action`, '', {
      status: 202,
      requestHeaders: { 'x-auth-token': who.token },
      requestBody: { 'os-reset_status': { status } },
      ...options,
    });
  }

  function isDeletedBy(caller: TestCaller): void {
    volumeIs(caller, {});
    answers(suite.cloud, `DELETE ${PATH}`, '', {
      status: 202,
      requestHeaders: { 'x-auth-token': caller.token },
    });
  }

  const forceDelete = (api: Awaited<ReturnType<typeof suite.start>>, caller: TestCaller) =>
    api.post<ErrorBody>(`/api${PATH}/force-delete`, { as: caller });

  it('says what helps if a state does not end', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    volumeIs(caller, { status: 'reserved' }, 2);

    const answers = [
      await forceDelete(api, caller),
      await api.request<ErrorBody>('DELETE', `/api${PATH}`, { as: caller }),
    ];

    for (const { status, body } of answers) {
      assert.equal(status, 409);
      assert.equal(
        body.detail,
        'The volume cannot be deleted in its state reserved: it has to be available or failed, and not in use. ' +
          'Volumes of a shelved instance are reserved until it is unshelved. If no instance has the volume, an administrator can reset its state.',
      );
    }
  });

  for (const status of ['error', 'error_deleting']) {
    it(`resets a ${status} volume by service user, and deletes as caller`, async () => {
      const api = await suite.start({ settings: withServiceUser });
      const caller = suite.cloud.validCaller(newCaller());
      isChecked(caller, status);
      reset(serviceUser(), 'available');
      volumeIs(caller, {});
      attachmentsAre();
      isDeletedBy(caller);

      const answer = await forceDelete(api, caller);

      assert.equal(answer.status, 204);
      const writes = storageCalls(suite.cloud).filter((call) => !call.startsWith('GET'));
      assert.deepEqual(writes, [`POST ${PATH}/metadata`, `POST ${PATH}/action`, `DELETE ${PATH}`]);
    });
  }

  it('deletes a volume in another state without a reset', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller());
    volumeIs(caller, {});
    isDeletedBy(caller);

    assert.equal((await forceDelete(api, caller)).status, 204);
  });

  it("is 404 for another project's volume, without the service user", async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    volumeIs(caller, { status: 'error', 'os-vol-tenant-attr:tenant_id': OTHER_PROJECT });

    assert.equal((await forceDelete(api, caller)).status, 404);
  });

  it('is 403 for readers, without a call that changes anything', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller({ roles: ['reader'] }));
    volumeIs(caller, { status: 'error' });

    assert.equal((await forceDelete(api, caller)).status, 403);
  });

  it('is 403 by a policy, without the service user', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller({ roles: ['auditor'] }));
    volumeIs(caller, { status: 'error' });
    answers(suite.cloud, `GET /snapshots/detail?volume_id=${VOLUME_ID}`, { snapshots: [] });
    answers(
      suite.cloud,
      `POST ${PATH}/metadata`,
      {
        forbidden: {
          code: 403,
          message: "Policy doesn't allow volume:create_volume_metadata to be performed.",
        },
      },
      { status: 403 },
    );

    assert.equal((await forceDelete(api, caller)).status, 403);
  });

  it('is 409 for an attached volume, by state or attachment', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller());
    volumeIs(caller, { status: 'in-use' });
    const inUse = await forceDelete(api, caller);
    volumeIs(caller, { status: 'error' }, 2);
    answers(suite.cloud, `GET /snapshots/detail?volume_id=${VOLUME_ID}`, { snapshots: [] });
    answers(suite.cloud, `POST ${PATH}/metadata`, { metadata: {} });
    serviceUser();
    attachmentsAre(attachment);

    const inError = await forceDelete(api, caller);

    assert.deepEqual([inUse.status, inError.status], [409, 409]);
    assert.match(inUse.body.detail, /in its state in-use/);
    assert.match(inError.body.detail, /in its state error: it is attached to the instance server-1\./);
  });

  it('is 409 for a volume with snapshots, which keeps its state', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller());
    volumeIs(caller, { status: 'error' });
    answers(suite.cloud, `GET /snapshots/detail?volume_id=${VOLUME_ID}`, {
      snapshots: [{ id: 'snapshot-1' }],
    });

    const answer = await forceDelete(api, caller);

    assert.equal(answer.status, 409);
    assert.match(answer.body.detail, /^The volume has a snapshot, which has to be deleted first\.$/);
  });

  it('resets nothing if a row that may use the volume is unreadable', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller());
    volumeIs(caller, { status: 'error' });
    answers(suite.cloud, `GET /snapshots/detail?volume_id=${VOLUME_ID}`, { snapshots: [{ id: null }] });
    const hiddenSnapshot = await forceDelete(api, caller);
    volumeIs(caller, { status: 'error' }, 2);
    answers(suite.cloud, `GET /snapshots/detail?volume_id=${VOLUME_ID}`, { snapshots: [] });
    answers(suite.cloud, `POST ${PATH}/metadata`, { metadata: {} });
    serviceUser();
    attachmentsAre({ ...attachment, id: null });

    const hiddenAttachment = await forceDelete(api, caller);

    assert.deepEqual([hiddenSnapshot.status, hiddenAttachment.status], [502, 502]);
  });

  for (const [how, status, attachments, restored] of [
    ['attached', 'available', [{ server_id: 'server-1' }], 'in-use'],
    ['reserved for an attachment', 'available', [], 'reserved'],
  ] as const) {
    it(`restores the state of a volume ${how} between check and reset`, async () => {
      const api = await suite.start({ settings: withServiceUser });
      const caller = suite.cloud.validCaller(newCaller());
      const gateway = serviceUser();
      isChecked(caller, 'error');
      reset(gateway, 'available');
      volumeIs(caller, { status, attachments: [...attachments] as never });
      attachmentsAre(attachment);
      reset(gateway, restored);

      const answer = await forceDelete(api, caller);

      assert.equal(answer.status, 409);
      assert.match(answer.body.detail, /attached to the instance server-1/);
    });
  }

  it('does not delete a volume that was attached after the reset', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller());
    isChecked(caller, 'error');
    reset(serviceUser(), 'available');
    volumeIs(caller, { status: 'in-use' });
    attachmentsAre(attachment);

    assert.equal((await forceDelete(api, caller)).status, 409);
  });

  it('resets nothing if the state has changed since the first check', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller());
    volumeIs(caller, { status: 'error' });
    answers(suite.cloud, `GET /snapshots/detail?volume_id=${VOLUME_ID}`, { snapshots: [] });
    answers(suite.cloud, `POST ${PATH}/metadata`, { metadata: {} });
    serviceUser();
    volumeIs(caller, { status: 'in-use' }, 2);
    attachmentsAre(attachment);

    assert.equal((await forceDelete(api, caller)).status, 409);
  });

  it("uses the caller's rights without an administrator as service user", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    isChecked(caller, 'error_deleting');
    reset(caller, 'available', { status: 403, body: { forbidden: { code: 403, message: 'Policy.' } } });

    const stuck = await forceDelete(api, caller);
    isChecked(caller, 'error');
    reset(caller, 'available', { status: 403, body: { forbidden: { code: 403, message: 'Policy.' } } });
    isDeletedBy(caller);
    const deletable = await forceDelete(api, caller);

    assert.deepEqual([stuck.status, deletable.status], [403, 204]);
    assert.match(stuck.body.detail, /Only an administrator can delete a volume in the state error_deleting/);
  });
});
