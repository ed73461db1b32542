import assert from 'node:assert/strict';
import { isKept, KEEP_VOLUME_METADATA } from '@gateway/core';

describe('a volume that outlives its instance', () => {
  it('is recognized by its metadata', () => {
    assert.equal(isKept({ metadata: { gateway_job_id: 'a job', ...KEEP_VOLUME_METADATA } }), true);
  });

  it('is recognized by the backup that was restored into it', () => {
    assert.equal(isKept({ metadata: { gateway_job_id: 'a job', src_backup_id: 'a backup' } }), true);
  });

  it('is not recognized by the mark of the job alone', () => {
    assert.equal(isKept({ metadata: { gateway_job_id: 'a job' } }), false);
    assert.equal(isKept({ metadata: { gateway_keep_volume: 'false' } }), false);
  });
});
