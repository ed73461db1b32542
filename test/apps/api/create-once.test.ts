import assert from 'node:assert/strict';
import { notFound, toTimestamp } from '@gateway/core';
import { UpstreamError } from '@gateway/openstack';
import { createLogger } from '@gateway/platform';
import {
  markOf,
  newRequestMark,
  type RequestMark,
} from '../../../apps/api/src/http/idempotency/request-mark.ts';
import { createOnce } from '../../../apps/api/src/resources/create-once.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';

const WINDOW_MS = 3_600_000;
const SECOND_MS = 1_000;

interface Row {
  id: string;
  status: string;
  created_at: string;
  metadata: Record<string, string> | null;
}

function failed(status: number, networkErrorCode: string | null = null): UpstreamError {
  const details = { service: 'blockStorage', operation: 'volumes.create', upstreamMessage: null } as const;
  return new UpstreamError(status, 'upstream_error', 'It failed.', {
    ...details,
    upstreamStatus: networkErrorCode === null ? status : null,
    upstreamRequestId: null,
    networkErrorCode,
  });
}

describe('a creation with the mark of its request', () => {
  let rows: Row[];
  let calls: string[];

  beforeEach(() => {
    rows = [];
    calls = [];
  });

  /** Creates a row, then fails with the error, if any. */
  function create(mark: RequestMark, { error, listError }: { error?: Error; listError?: Error } = {}) {
    const logger = createLogger({ level: 'debug', format: 'json', service: 'api' }, captureLogLines().stream);
    return createOnce<Row, Row>(
      { logger, mark },
      {
        service: 'blockStorage',
        create: async (metadata) => {
          calls.push('create');
          const row = rowOf(metadata);
          rows.unshift(row);
          if (error !== undefined) throw error;
          return row;
        },
        list: async () => {
          calls.push('list');
          if (listError !== undefined) throw listError;
          return rows;
        },
      },
    );
  }

  function rowOf(metadata: Record<string, string>, differences: Partial<Row> = {}): Row {
    const created_at = (toTimestamp(Date.now()) ?? '').replace('Z', '.000000');
    return { id: `row-${rows.length}`, status: 'creating', created_at, metadata, ...differences };
  }

  const keyed = (digest = 'digest') => markOf({ caller: 'c', digest, fingerprints: ['f1', 'f2'] }, WINDOW_MS);

  it('needs one call without a key', async () => {
    await create(newRequestMark());

    assert.deepEqual(calls, ['create']);
  });

  for (const [what, error] of [
    ['an error of the service', failed(502)],
    ['a broken connection', failed(503, 'ECONNRESET')],
    ['a timeout', failed(504, 'ETIMEDOUT')],
  ] as const) {
    it(`is found after ${what}`, async () => {
      assert.equal((await create(newRequestMark(), { error })).id, 'row-0');
      assert.deepEqual(calls, ['create', 'list']);
    });
  }

  for (const [what, error] of [
    ['a refusal', failed(409)],
    ['a connection that was never made', failed(503, 'ECONNREFUSED')],
    ['another error', notFound('It is gone.')],
  ] as const) {
    it(`is not searched for after ${what}`, async () => {
      await assert.rejects(create(newRequestMark(), { error }), error);
      assert.deepEqual(calls, ['create']);
    });
  }

  it('throws the error of the creation if the search fails, too', async () => {
    const error = failed(504, 'ETIMEDOUT');

    await assert.rejects(create(newRequestMark(), { error, listError: failed(503) }), error);
  });

  it('does not take what another request has created', async () => {
    rows = [rowOf({}), rowOf({ gateway_request: newRequestMark().value })];

    assert.equal((await create(keyed())).id, 'row-2');
  });

  it('creates nothing beside a row that may have its mark', async () => {
    rows = [rowOf({}, { metadata: null })];

    await assert.rejects(create(keyed()), { status: 502 });
    assert.deepEqual(calls, ['list']);

    const created_at = new Date(Date.now() - WINDOW_MS - SECOND_MS).toISOString();
    rows = [rowOf({}, { metadata: null, created_at })];
    assert.equal((await create(keyed())).id, 'row-1');
  });

  it('adopts resources of an earlier request with its key, despite key rotation', async () => {
    const [current, former] = keyed().ofRepeats;
    assert.notEqual(current, former);
    for (const value of [current, former]) {
      rows = [rowOf({ gateway_request: value ?? '' }, { id: 'earlier' })];
      assert.equal((await create(keyed())).id, 'earlier');
      assert.notEqual((await create(keyed('other'))).id, 'earlier');
    }
  });

  it('adopts a marked resource whose age the service does not say', async () => {
    const [value = ''] = keyed().ofRepeats;
    rows = [rowOf({ gateway_request: value }, { id: 'earlier', created_at: '' })];

    assert.equal((await create(keyed())).id, 'earlier');
  });

  for (const [what, differences] of [
    ['is being deleted', { status: 'deleting' }],
    ['could not be deleted', { status: 'error_deleting' }],
    [
      'comes from an earlier window of its key',
      { created_at: new Date(Date.now() - WINDOW_MS - SECOND_MS).toISOString() },
    ],
  ] as const) {
    it(`does not take what ${what}`, async () => {
      rows = [rowOf({ gateway_request: keyed().value }, { ...differences, id: 'earlier' })];

      assert.notEqual((await create(keyed())).id, 'earlier');
    });
  }
});
