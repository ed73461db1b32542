import { listAt } from '../catalog/catalog.ts';
import type { Parameter } from '../catalog/operation.ts';
import type { Context } from '../context.ts';
import { allRows, nameOf, resolvePath } from '../operations/resolve.ts';
import type { Row } from '../output/cell.ts';
import { printableLine } from '../output/printable.ts';
import { gatewayIdentity, isComplete } from '../session/identity.ts';
import { withGateway } from '../session/open-session.ts';
import type { Proposal } from './proposal.ts';

/** Longer than lists usually take, and about as long as a person waits for a key. */
const PATIENCE_MS = 3000;
/** What describes rows without a name. */
const DESCRIPTIONS = ['status', 'resource_name', 'type', 'description'];

/**
 * The names of the rows of a list; the id of a row without a name of its own. Nothing when the gateway cannot
 * be asked at once: the user waits at their prompt, so nobody logs in for it, and no failure is shown.
 * @param parents the arguments before it, which are parameters of the path of the list
 */
export async function namesIn(
  context: Context,
  list: string | undefined,
  parents: readonly (Parameter & { given: string })[],
): Promise<Proposal[]> {
  const operation = list === undefined ? undefined : listAt(context.catalog, list);
  if (operation === undefined) return [];
  const { env } = context;
  if (!env.GATEWAY_TOKEN && isComplete(gatewayIdentity(env))) return [];
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    return await withGateway({ ...context, signal }, {}, async (gateway) => {
      const given = parents.map((parent) => parent.given);
      const path = await resolvePath(context, gateway, { parameters: [...parents] }, given);
      return proposalsOf(await allRows(gateway, operation, path));
    });
  } catch {
    return [];
  }
}

function proposalsOf(rows: readonly Row[]): Proposal[] {
  const names = rows.map(nameOf);
  return rows.flatMap((row, index) => {
    const name = names[index];
    const isClear = name !== undefined && isTypable(name) && names.indexOf(name) === names.lastIndexOf(name);
    const value = isClear ? name : row.id;
    const description = [isClear ? undefined : name, ...DESCRIPTIONS.map((field) => row[field])].find(
      (text) => typeof text === 'string' && text !== '',
    );
    if (typeof value !== 'string' || !isTypable(value)) return [];
    return [{ value, description: description as string | undefined }];
  });
}

/** What the script for PowerShell does not escape: its quotation marks end a text there, too. */
const UNESCAPED = /[`\u2018-\u201f]/;

/** Not an option, and without what a terminal or a shell would take for something else than letters. */
function isTypable(name: string): boolean {
  if (name === '' || name.startsWith('-') || UNESCAPED.test(name)) return false;
  return printableLine(name) === name && !/[\t\n]/.test(name);
}
