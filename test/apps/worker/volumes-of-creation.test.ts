import assert from 'node:assert/strict';
import { isOfCreation } from '../../../apps/worker/src/sagas/delete-instance/steps/look-up.ts';

const server = { id: 'server', created: '2026-01-01T12:00:00Z' };

function volume(created_at: string, serverIds: (string | null)[] = []) {
  const attachments = serverIds.map((server_id) => ({
    attachment_id: 'a-1',
    server_id,
    host_name: server_id === null ? 'ctl-1' : null,
    device: '',
  }));
  return { created_at, attachments, status: serverIds.length === 0 ? 'available' : 'in-use' };
}

describe('a volume marked with the job of an instance', () => {
  it('is deleted with the instance if created by its creation', () => {
    for (const time of ['2026-01-01T11:59:00.000000', '2026-01-01T12:02:00.000000']) {
      assert.equal(isOfCreation(volume(time), server, 120), true, time);
    }
  });

  it('is kept if it was created later, such as a restored backup', () => {
    assert.equal(isOfCreation(volume('2026-01-01T12:02:01.000000'), server, 120), false);
    assert.equal(isOfCreation(volume('2026-03-01T12:00:00.000000'), server, 120), false);
  });

  it('is kept without a time of its own or of the instance', () => {
    assert.equal(isOfCreation(volume(''), server, 120), false);
    assert.equal(
      isOfCreation(volume('2026-01-01T12:00:00.000000'), { id: 'server', created: '' }, 120),
      false,
    );
  });

  it('is deleted if attached to the instance, and kept if attached elsewhere', () => {
    assert.equal(isOfCreation(volume('2026-03-01T12:00:00.000000', ['server']), server, 120), true);
    assert.equal(isOfCreation(volume('2026-01-01T11:59:00.000000', ['other']), server, 120), false);
    assert.equal(isOfCreation(volume('2026-01-01T11:59:00.000000', [null]), server, 120), false);
  });

  it('is kept if it is not known what it is attached to', () => {
    const unknown = { ...volume('2026-01-01T11:59:00.000000'), attachments: null };

    assert.equal(isOfCreation({ ...unknown, status: 'error' }, server, 120), false);
    assert.equal(isOfCreation({ ...unknown, status: 'available' }, server, 120), true);
  });
});
