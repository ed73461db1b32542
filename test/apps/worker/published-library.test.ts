import assert from 'node:assert/strict';
import { JOB_METADATA_KEY } from '@gateway/core';
import { publishShare } from '../../../apps/worker/src/sagas/build-library/steps/publish.ts';

type PublishContext = Parameters<NonNullable<typeof publishShare.find>>[0];

describe('the share of a library', () => {
  /** A run whose journal knows no share, while the service has this one. */
  function found(metadata: Record<string, string>): Promise<object[]> | undefined {
    const share = { id: 's1', project_id: 'service', created_at: '2026-11-28T01:00:00', metadata };
    const context = {
      input: { libraryId: 'python311', version: '1' },
      state: {},
      resourceOwner: { mark: async () => ({ jobId: 'j1', projectId: 'service' }) },
      service: async () => ({ sharedFileSystem: { shares: { listByName: async () => [share] } } }),
    };
    return publishShare.find?.(context as unknown as PublishContext);
  }

  it('shows its publication to a journal that does not have it', async () => {
    assert.deepEqual(await found({ [JOB_METADATA_KEY]: 'j1', overlay_status: 'ready' }), [{}]);
  });

  it('is not published while it is built, nor by another build', async () => {
    assert.deepEqual(await found({ [JOB_METADATA_KEY]: 'j1', overlay_status: 'building' }), []);
    assert.deepEqual(await found({ [JOB_METADATA_KEY]: 'j2', overlay_status: 'ready' }), []);
  });
});
