import assert from 'node:assert/strict';
import type { ApiResponse, ErrorBody } from './client.ts';
import { newCaller, type TestCaller } from './factories.ts';
import type { ApiOptions, ApiSuite, TestApi } from './suite.ts';

/** An api and a caller whose token is valid. */
export async function startWithCaller(
  suite: ApiSuite,
  differences: Partial<TestCaller> = {},
  options: ApiOptions = {},
): Promise<{ api: TestApi; caller: TestCaller }> {
  const api = await suite.start(options);
  return { api, caller: suite.cloud.validCaller(newCaller(differences)) };
}

export function assertConflict({ status, body, text }: ApiResponse<ErrorBody>, detail: RegExp): void {
  assert.deepEqual([status, body.code], [409, 'conflict'], text);
  assert.match(body.detail, detail);
}
