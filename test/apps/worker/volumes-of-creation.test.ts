import assert from 'node:assert/strict';
import type { VolumeAttachment } from '@gateway/openstack';
import { isOfCreation } from '../../../apps/worker/src/sagas/delete-instance/steps/look-up.ts';

const server = { id: 'server', created: '2026-01-01T12:00:00Z' };

function volume(created_at: string, serverIds: string[] = []) {
  const attachments = serverIds.map((server_id) => ({ server_id }) as VolumeAttachment);
  return { created_at, attachments };
}

describe("a volume with the mark of an instance's job", () => {
  it('goes with the instance when it was created before the server, or by a call that came late', () => {
    for (const time of ['2026-01-01T11:59:00.000000', '2026-01-01T12:02:00.000000']) {
      assert.equal(isOfCreation(volume(time), server, 120), true, time);
    }
  });

  it('stays when it was created later, as one is that was restored from a backup', () => {
    assert.equal(isOfCreation(volume('2026-01-01T12:02:01.000000'), server, 120), false);
    assert.equal(isOfCreation(volume('2026-03-01T12:00:00.000000'), server, 120), false);
  });

  it('goes when the instance has it, and stays when another server has it', () => {
    assert.equal(isOfCreation(volume('2026-03-01T12:00:00.000000', ['server']), server, 120), true);
    assert.equal(isOfCreation(volume('2026-01-01T11:59:00.000000', ['other']), server, 120), false);
  });
});
