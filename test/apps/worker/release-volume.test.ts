import assert from 'node:assert/strict';
import { notFound } from '@gateway/core';
import { releaseVolume } from '../../../apps/worker/src/sagas/resources/release-volume.ts';

const SERVER = 'server';
/** Long enough for a busy machine. */
const PATIENT_MS = 60_000;

describe('releasing a volume from a server that is being deleted', () => {
  let attachments: { id: string; instance: string }[];
  let isServerThere: boolean;
  /** Called with each read of the attachments. */
  let meanwhile: () => void;

  beforeEach(() => {
    attachments = [{ id: 'attachment', instance: SERVER }];
    isServerThere = true;
    meanwhile = () => {};
  });

  it('waits until the compute service has detached it', async () => {
    let looks = 0;
    meanwhile = () => {
      looks += 1;
      if (looks === 3) attachments = [];
    };

    await release();

    assert.equal(looks, 3);
  });

  it('deletes the attachments of a server that no longer exists', async () => {
    isServerThere = false;

    await release();

    assert.deepEqual(attachments, []);
  });

  it('keeps the attachment of a server that still exists, and times out', async () => {
    await assert.rejects(release(50), { code: 'upstream_timeout' });

    assert.equal(attachments.length, 1);
  });

  it('keeps the attachments of other servers', async () => {
    isServerThere = false;
    attachments.push({ id: 'of another', instance: 'another' });

    await release();

    assert.deepEqual(
      attachments.map(({ id }) => id),
      ['of another'],
    );
  });

  function release(timeoutMs = PATIENT_MS): Promise<void> {
    const waitOptions = { intervals: { firstMs: 1, maxMs: 1 }, timeoutMs, stuckAfterMs: timeoutMs };
    const client = {
      blockStorage: {
        attachments: {
          async listByVolume() {
            meanwhile();
            return attachments;
          },
          async remove(id: string) {
            attachments = attachments.filter((attachment) => attachment.id !== id);
          },
        },
      },
      compute: {
        servers: {
          async get() {
            if (!isServerThere) throw notFound('The server was not found.');
            return {};
          },
        },
      },
    };
    return releaseVolume(client as unknown as Parameters<typeof releaseVolume>[0], 'id', SERVER, waitOptions);
  }
});
