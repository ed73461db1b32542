import assert from 'node:assert/strict';
import type { Leftovers } from '@gateway/resources';
import type { ErrorBody } from '../api/client.ts';
import type { GatewayClient } from '../clients/gateway-client.ts';
import { messagesOf } from '../clients/gateway-client.ts';
import { eventually } from '../eventually.ts';

type Ask = <T>(
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: T; text: string }>;

interface RemovalJob {
  id: string;
  type: string;
  status: string;
  error: string | null;
}

/** The leftovers of a cloud as an administrator sees and removes them. */
export class LeftoverList {
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** The rows of these resources by id, read without a cache. */
  async rows(ids: readonly string[]): Promise<Record<string, Leftovers['items'][number]>> {
    const { status, body, text } = await this.#ask<Leftovers>('GET', '/api/admin/leftovers?refresh=true');
    assert.equal(status, 200, text);
    assert.deepEqual([body.total, body.unavailable], [body.items.length, []]);
    return Object.fromEntries(body.items.filter(({ id }) => ids.includes(id)).map((row) => [row.id, row]));
  }

  start(type: string, id: string, body?: object) {
    const path = `/api/admin/leftovers/${type}/${id}/remove`;
    return this.#ask<ErrorBody & { job_id: string }>('POST', path, body);
  }

  /** Starts the removal, and returns its job when it has ended. */
  async remove(type: string, id: string, body?: object): Promise<RemovalJob> {
    const answer = await this.start(type, id, body);
    assert.equal(answer.status, 202, answer.text);
    return this.ended(answer.body.job_id);
  }

  ended(jobId: string): Promise<RemovalJob> {
    return eventually(async () => {
      const { body } = await this.#ask<RemovalJob>('GET', `/api/jobs/${jobId}`);
      return ['completed', 'failed', 'cancelled'].includes(body.status) ? body : undefined;
    }, 120_000);
  }

  /** The code of a refusal. */
  async refusal(status: number, type: string, id: string, body?: object): Promise<ErrorBody> {
    const answer = await this.start(type, id, body);
    assert.equal(answer.status, status, answer.text);
    return answer.body;
  }
}

/** A job that has failed before it has created anything. */
export async function failedJob(gateway: GatewayClient): Promise<string> {
  const body = { name: 'e2e-failed', size_gb: 1, snapshot_id: crypto.randomUUID() };
  const stream = await gateway.startJob('/api/volumes/async', body);
  assert.equal((await messagesOf(stream)).at(-1)?.step, 'FAILED');
  return stream.headers.get('x-job-id') ?? '';
}
