import { fieldValues } from '../operations/input.ts';
import { resolvePath } from '../operations/resolve.ts';
import { note } from '../output/print.ts';
import { confirm } from '../session/prompt.ts';
import { type Call, endpointOf } from './call.ts';

/** Deletes one resource after the other, up to the first that is refused. On a terminal, asks before. */
export async function runDelete({
  given,
  ...call
}: Omit<Call, 'path'> & { given: readonly string[] }): Promise<void> {
  const { context, gateway, operation, options } = call;
  const parents = given.slice(0, Math.max(0, operation.parameters.length - 1));
  const targets = given.length === 0 ? [''] : given.slice(parents.length);
  const query = await fieldValues(context, gateway, operation.query, options);
  const found: { target: string; path: Record<string, string> }[] = [];
  for (const target of targets) {
    found.push({ target, path: await resolvePath(context, gateway, operation, [...parents, target]) });
  }
  if (!options.yes) await confirm(context, `Delete ${operation.noun} ${targets.join(', ')}`.trimEnd());
  for (const { target, path } of found) {
    const response = await gateway.send(endpointOf(operation), { path, query });
    await response.body?.cancel();
    note(context, `Deleted: ${operation.noun} ${target}`.trimEnd());
  }
}
