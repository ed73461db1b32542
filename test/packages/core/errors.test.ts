import assert from 'node:assert/strict';
import * as core from '@gateway/core';
import { GatewayError, toGatewayError } from '@gateway/core';

describe('a gateway error', () => {
  it('has the documented status and code of its kind', () => {
    const kinds: [ReturnType<typeof core.conflict>, number, string][] = [
      [core.invalidInput('x'), 400, 'invalid_input'],
      [core.unauthorized('x'), 401, 'unauthorized'],
      [core.sessionExpired('x'), 401, 'session_expired'],
      [core.forbidden('x'), 403, 'forbidden'],
      [core.notFound('x'), 404, 'not_found'],
      [core.methodNotAllowed('x'), 405, 'method_not_allowed'],
      [core.conflict('busy', 'x'), 409, 'conflict'],
      [core.quotaExceeded('x', []), 409, 'quota_exceeded'],
      [core.bodyTooLarge('x'), 413, 'body_too_large'],
      [core.unsupportedMediaType('x'), 415, 'unsupported_media_type'],
      [core.rateLimited('x'), 429, 'rate_limited'],
      [core.internalError('x'), 500, 'internal_error'],
      [core.upstreamFailed('x'), 502, 'upstream_error'],
      [core.upstreamUnavailable('x'), 503, 'upstream_unavailable'],
      [core.storeUnavailable('x'), 503, 'store_unavailable'],
      [core.upstreamTimeout('x'), 504, 'upstream_timeout'],
    ];
    for (const [error, status, code] of kinds) {
      assert.deepEqual([error.status, error.code], [status, code]);
    }
  });

  it('keeps its cause for the log and its details for the response', () => {
    const cause = new Error('socket hang up');
    const upstream = { service: 'compute', status: 500, request_id: 'req-1' };
    const error = core.upstreamFailed('The compute service failed.', {
      cause,
      upstream,
      errors: [{ field: 'body.name', message: 'is required' }],
      jobId: 'job-1',
      retryAfterSeconds: 7,
    });
    assert.equal(error.message, 'The compute service failed.');
    assert.equal(error.cause, cause);
    assert.deepEqual(error.upstream, upstream);
    assert.deepEqual(error.errors, [{ field: 'body.name', message: 'is required' }]);
    assert.equal(error.jobId, 'job-1');
    assert.equal(error.retryAfterSeconds, 7);
  });

  it('names the first of the exceeded quotas in its parameters', () => {
    const cores = { quota: 'cores', requested: 4, in_use: 18, limit: 20 };
    const error = core.quotaExceeded('The quota of the project', [
      cores,
      { quota: 'ram', requested: 8192, in_use: 0, limit: 4096 },
    ]);

    assert.deepEqual(error.params, cores);
    assert.equal(
      error.message,
      'The quota of the project is exceeded (cores: 4 requested, 18 of 20 in use; ram: 8192 requested, 0 of 4096 in use).',
    );
  });

  it('has no cause by default', () => {
    assert.equal('cause' in core.notFound('x'), false);
  });
});

describe('toGatewayError', () => {
  it('returns a gateway error unchanged, subclasses too', () => {
    class Special extends GatewayError {}
    const error = new Special(409, 'special', 'So it is.');
    assert.equal(toGatewayError(error), error);
  });

  it('hides the details of any other thrown value', () => {
    for (const thrown of [new TypeError('token gAAAA was bad'), 'text', undefined, null, { status: 404 }]) {
      const error = toGatewayError(thrown);
      assert.deepEqual(
        [error.status, error.code, error.message],
        [500, 'internal_error', 'An internal error occurred.'],
      );
    }
    const thrown = new TypeError('x');
    assert.equal(toGatewayError(thrown).cause, thrown);
  });
});
