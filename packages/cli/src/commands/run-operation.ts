import type { Operation } from '../catalog/operation.ts';
import type { Context } from '../context.ts';
import { resolvePath } from '../operations/resolve.ts';
import { withGateway } from '../session/open-session.ts';
import { runDelete } from './delete.ts';
import { runList } from './list.ts';
import type { CommandOptions } from './options.ts';
import { runShow } from './show.ts';
import { runStart } from './start.ts';
import { runWrite } from './write.ts';

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
    if (operation.verb === 'list') return runList(call);
    if (operation.verb === 'show') return runShow(call);
    return operation.streams ? runStart(call) : runWrite(call);
  });
}
