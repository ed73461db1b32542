import { eachItem, type GatewayClient, type Page } from '@gateway/client';
import { listAt } from '../catalog/catalog.ts';
import type { Operation, Parameter } from '../catalog/operation.ts';
import type { Context } from '../context.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Row } from '../output/cell.ts';

/** A UUID, with or without hyphens, or the hash that some user ids are. */
const ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}|[0-9a-f]{64})$/i;
/** The beginning of an id, at least its first part: what tables show of ids on a narrow terminal. */
const SHORT_ID = /^[0-9a-f-]{8,36}$/i;
const NAMES = ['name', 'floating_ip_address', 'username'];
const PAGE_SIZE = 100;

/** The parameters of a path from what the user has typed: ids, or names of rows in the lists. */
export async function resolvePath(
  context: Context,
  gateway: GatewayClient,
  { parameters }: Pick<Operation, 'parameters'>,
  given: readonly string[],
): Promise<Record<string, string>> {
  const path: Record<string, string> = {};
  for (const [index, parameter] of parameters.entries()) {
    path[parameter.name] = await resolveId(context, gateway, parameter, given[index] ?? '', path);
  }
  return path;
}

/**
 * The id of what the user names, or of whose id they give the beginning. An id needs no request.
 * @param path the parameters of the list, if it has some
 * @throws CliError for an empty text, and if there is no such row, or several
 */
export async function resolveId(
  context: Context,
  gateway: GatewayClient,
  { list }: Pick<Parameter, 'list'>,
  given: string,
  path: Record<string, string> = {},
): Promise<string> {
  // A script whose variable is empty does not mean the row that has no name.
  if (given.trim() === '') throw usageError('A name or an id is empty.');
  const operation = list === undefined ? undefined : listAt(context.catalog, list);
  if (operation === undefined && /^\.{1,2}$/.test(given)) throw usageError(`"${given}" is no id.`);
  if (operation === undefined || ID.test(given)) return given;
  const rows = await allRows(gateway, operation, path);
  const [exact] = rows.filter(({ id }) => id === given);
  if (exact !== undefined) return given;
  const named = rowsNamed(rows, given);
  const [row, ...others] = named;
  if (row === undefined) {
    throw new CliError(`The list of ${operation.noun} has no "${given}".`, EXIT.notFound);
  }
  if (others.length > 0) {
    const ids = named.map(({ id }) => id).join(', ');
    throw usageError(`There are several ${operation.noun} "${given}", so use an id: ${ids}.`);
  }
  return String(row.id ?? row.name);
}

/** What people call a row. */
export function nameOf(row: Row): string | undefined {
  return NAMES.map((field) => row[field]).find((name) => typeof name === 'string');
}

/** By their name, or else by the beginning of their id. */
function rowsNamed(rows: readonly Row[], given: string): Row[] {
  const named = rows.filter((row) => NAMES.some((field) => row[field] === given));
  const beginning = given.replace('…', '');
  if (named.length > 0 || !SHORT_ID.test(beginning)) return named;
  return rows.filter(({ id }) => String(id).toLowerCase().startsWith(beginning.toLowerCase()));
}

/** The rows of all pages. */
export async function allRows(
  gateway: GatewayClient,
  { path: template, isPage }: Operation,
  path: Record<string, string>,
): Promise<Row[]> {
  const read = async (query?: Record<string, unknown>): Promise<unknown> =>
    (await gateway.send(`GET ${template}`, { path, query })).json();
  if (!isPage) return (await read()) as Row[];
  const rows: Row[] = [];
  const pages = eachItem((marker) => read({ limit: PAGE_SIZE, marker }) as Promise<Page<Row>>);
  for await (const row of pages) rows.push(row);
  return rows;
}
