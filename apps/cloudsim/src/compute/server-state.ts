import { conflict } from '../common/service-error.ts';
import type { Server } from './state.ts';

/**
 * Rejects an action that the server's state does not allow, and any action while a task is running that is
 * not one of `allowedTasks`.
 */
export function requireServerState(
  server: Server,
  verb: string,
  allowed: readonly string[],
  allowedTasks: readonly string[] = [],
): void {
  const stateConflict = (attribute: string, value: string | null) =>
    conflict(`Cannot '${verb}' instance ${server.id} while it is in ${attribute} ${value}`);
  if (!allowed.includes(server.vmState)) throw stateConflict('vm_state', server.vmState);
  const { taskState } = server;
  if (taskState !== null && !allowedTasks.includes(taskState)) throw stateConflict('task_state', taskState);
}
