import type { Operation } from '../catalog/operation.ts';
import type { Context } from '../context.ts';
import { resolvePath } from '../operations/resolve.ts';
import { withGateway } from '../session/open-session.ts';
import { confirm } from '../session/prompt.ts';
import { runDelete } from './delete.ts';
import { runList } from './list.ts';
import type { CommandOptions } from './options.ts';
import { runShow } from './show.ts';
import { runStart } from './start.ts';
import { runWrite } from './write.ts';

/** Actions that delete something, or overwrite what it has. */
const DESTRUCTIVE = ['force-delete', 'rebuild', 'remove', 'restore'];

/** Whether a person is asked before. */
export function asksFirst({ verb, action = '' }: Operation): boolean {
  return verb === 'delete' || DESTRUCTIVE.includes(action);
}

/** Runs the command of an endpoint. @param given the positional arguments */
export async function runOperation(
  context: Context,
  operation: Operation,
  given: readonly string[],
  options: CommandOptions,
): Promise<void> {
  await withGateway(context, options, async (gateway) => {
    if (operation.verb === 'delete') return runDelete({ context, gateway, operation, options, given });
    const path = await resolvePath(context, gateway, operation, given);
    const call = { context, gateway, operation, options, path };
    // A restore makes a new volume unless one is named.
    const isHarmless = operation.action === 'restore' && options.volume === undefined;
    if (asksFirst(operation) && !isHarmless && !options.yes) {
      const { action = '', noun } = operation;
      await confirm(
        context,
        `${action.charAt(0).toUpperCase()}${action.slice(1)} ${noun} ${given.join(' ')}`,
      );
    }
    if (operation.verb === 'list') return runList(call);
    if (operation.verb === 'show') return runShow(call);
    return operation.streams ? runStart(call) : runWrite(call);
  });
}
