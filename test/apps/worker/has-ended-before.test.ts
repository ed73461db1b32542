import assert from 'node:assert/strict';
import { forbidden } from '@gateway/core';
import { type Delegation, UpstreamError } from '@gateway/openstack';
import { createLogger } from '@gateway/platform';
import { hasEndedBefore } from '../../../apps/worker/src/jobs/has-ended-before.ts';
import type { JobContext } from '../../../apps/worker/src/jobs/job-context.ts';
import { ParkedError } from '../../../apps/worker/src/saga/index.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';

describe('whether a job has ended before', () => {
  function job(isRevoked: (delegation: Delegation) => Promise<boolean>, hasDelegation = true): JobContext {
    return {
      call: { requestId: 'req-1' },
      identity: hasDelegation ? { delegation: { trustId: 't1' } } : {},
      logger: createLogger({ level: 'debug', format: 'json', service: 'worker' }, captureLogLines().stream),
      worker: { delegations: { isRevoked } },
    } as unknown as JobContext;
  }

  it('shows in its delegation', async () => {
    assert.equal(await hasEndedBefore(job(async () => true)), true);
    assert.equal(await hasEndedBefore(job(async () => false)), false);
  });

  it('is not known without a delegation, or by refused reads', async () => {
    const refuse = async () => {
      throw forbidden('No.');
    };

    assert.equal(await hasEndedBefore(job(refuse)), false);
    assert.equal(await hasEndedBefore(job(async () => true, false)), false);
  });

  it('is asked later while the identity service is unavailable', async () => {
    const fail = async () => {
      throw new UpstreamError(503, 'identity_unavailable', 'Later.', {
        service: 'identity',
        operation: 'trusts.list',
        upstreamStatus: 503,
        upstreamMessage: null,
        upstreamRequestId: null,
      });
    };

    await assert.rejects(hasEndedBefore(job(fail)), ParkedError);
  });
});
