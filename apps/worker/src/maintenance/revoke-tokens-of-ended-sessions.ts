import { newRequestId } from '@gateway/core';
import type { WorkerContext } from '../context.ts';
import { revokeKeptTokens } from '../jobs/revoke-kept-tokens.ts';

/** Revokes the tokens of ended sessions whose jobs have ended, where a process died before it could. */
export async function revokeTokensOfEndedSessions(worker: WorkerContext): Promise<void> {
  await worker.keptTokens.dropExpired();
  await revokeKeptTokens(worker, { requestId: newRequestId() });
}
