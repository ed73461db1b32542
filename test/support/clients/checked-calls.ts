import assert from 'node:assert/strict';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import type { ErrorBody } from '../api/client.ts';
import { checkResponse } from '../api/response-check.ts';
import { eventually } from '../eventually.ts';
import type { ApiResponse, GatewayClient } from './gateway-client.ts';

/** Backups on a real cloud take minutes. */
const GONE_MS = 300_000;

/**
 * Requests to the gateway, by default of one caller. Each response is checked against the declared endpoint.
 */
export class CheckedCalls {
  readonly #caller: GatewayClient;

  constructor(caller: GatewayClient) {
    this.#caller = caller;
  }

  async ask<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    who: GatewayClient = this.#caller,
  ): Promise<ApiResponse<T>> {
    const answer = await who.request<T>(method, path, body);
    const { status, headers, text } = answer;
    checkResponse(method, path, { status, headers: Object.fromEntries(headers), text }, endpoints);
    return answer;
  }

  /** A request that succeeds with this status. */
  async change<T = unknown>(
    status: number,
    method: string,
    path: string,
    body?: object,
    who?: GatewayClient,
  ): Promise<T> {
    const answer = await this.ask<T>(method, path, body, who);
    assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
    return answer.body;
  }

  read<T>(path: string, who?: GatewayClient): Promise<T> {
    return this.change<T>(200, 'GET', path, undefined, who);
  }

  /** Creates a resource below `path`. */
  make<T extends { id: string }>(path: string, body: object, who?: GatewayClient): Promise<T> {
    return this.change<T>(201, 'POST', path, body, who);
  }

  /** Deletes, detaches or removes. */
  async drop(path: string, who?: GatewayClient): Promise<void> {
    await this.change(204, 'DELETE', path, undefined, who);
  }

  /** A request that fails. Checks its error. */
  async refused(
    status: number,
    detail: RegExp,
    [method, path, body]: [method: string, path: string, body?: unknown],
    who?: GatewayClient,
  ): Promise<ErrorBody> {
    const answer = await this.ask<ErrorBody>(method, path, body, who);
    assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
    assert.match(answer.body.detail, detail);
    return answer.body;
  }

  async isGone(path: string, who?: GatewayClient): Promise<void> {
    await eventually(async () => {
      const { status } = await this.ask('GET', path, undefined, who);
      return status === 404;
    }, GONE_MS);
  }
}
