import { type JsonObject, stringAt } from '../common/json.ts';
import { conflict } from '../common/service-error.ts';
import { accepted, type Reply } from '../http/operation.ts';
import { denied } from '../http/policy.ts';
import type { ComputeCall } from './cloud.ts';
import { updateServer } from './power.ts';
import type { Server } from './state.ts';

/** The lock of an administrator stays when a member locks the server, too. */
export function lockServer({ caller, cloud }: ComputeCall, server: Server, input: JsonObject): Reply {
  if (server.lock?.byAdmin !== true || caller.isAdmin) {
    const reason = stringAt(input, 'locked_reason') ?? null;
    updateServer(cloud, server, { lock: { reason, byAdmin: caller.isAdmin } });
  }
  return accepted();
}

export function unlockServer({ caller, cloud }: ComputeCall, server: Server): Reply {
  if (server.lock?.byAdmin === true && !caller.isAdmin)
    throw denied('os_compute_api:os-lock-server:unlock:unlock_override');
  updateServer(cloud, server, { lock: null });
  return accepted();
}

/** Only administrators may act on a locked server, or delete it. */
export function requireUnlocked({ caller }: ComputeCall, server: Server): void {
  if (server.lock === null || caller.isAdmin) return;
  throw conflict(`Instance ${server.id} is locked`);
}
