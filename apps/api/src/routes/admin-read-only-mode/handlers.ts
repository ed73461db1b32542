import { invalidInput, toTimestamp } from '@gateway/core';
import type { RequestContext } from '../../pipeline/request-context.ts';
import type { ReadOnlyState } from '../../read-only-mode.ts';
import type { ShownReadOnlyMode } from './shapes.ts';

export interface ReadOnlyModeBody {
  reason?: string | null;
  until?: string | null;
}

export async function getReadOnlyMode({ app }: RequestContext): Promise<ShownReadOnlyMode> {
  return present(await app.readOnlyMode.read());
}

export async function beginReadOnlyMode({
  app,
  body: { reason = null, until = null },
  caller,
}: RequestContext<unknown, unknown, ReadOnlyModeBody>): Promise<ShownReadOnlyMode> {
  const endsAt = until === null ? null : Date.parse(until);
  if (endsAt !== null && endsAt <= app.clock.now()) {
    throw invalidInput('The end is in the past.', {
      errors: [{ field: 'body.until', message: 'must be in the future' }],
    });
  }
  const { userId, userName } = caller.identity;
  const begun = { reason: reason || null, until: endsAt, userId, userName };
  return present(await app.readOnlyMode.begin(begun));
}

export async function endReadOnlyMode({ app }: RequestContext): Promise<void> {
  await app.readOnlyMode.end();
}

function present(state: ReadOnlyState | null): ShownReadOnlyMode {
  return {
    is_read_only: state !== null,
    reason: state?.reason ?? null,
    since: toTimestamp(state?.since ?? null),
    until: toTimestamp(state?.until ?? null),
    user_id: state?.userId ?? null,
    user_name: state?.userName ?? null,
  };
}
