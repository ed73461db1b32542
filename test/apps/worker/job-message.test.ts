import assert from 'node:assert/strict';
import { jobMessage } from '../../../apps/worker/src/jobs/job-message.ts';

const update = { step: 'FAILED', progress: -1, message: 'It failed.' };
const failure = { status: 400, code: 'invalid_input', detail: 'The flavor was not found.' };

describe('the last message of a job that failed', () => {
  it('has the code, and the fields that are the cause', () => {
    const errors = [{ field: 'body.flavor_id', message: 'was not found' }];

    const message = jobMessage(update, { ...failure, errors }, { instance_id: null });

    const { code, detail: error } = failure;
    assert.deepEqual(message, { ...update, instance_id: null, error, code, errors });
  });

  it('has no errors for another cause', () => {
    assert.ok(!('errors' in jobMessage(update, failure, {})));
  });
});
