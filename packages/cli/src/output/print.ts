import { styleText } from 'node:util';
import type { Context } from '../context.ts';
import { usageError } from '../errors/cli-error.ts';
import { cell, type Row } from './cell.ts';
import { printable, printableJson, printableLine, printableText } from './printable.ts';

export const FORMATS = ['table', 'json', 'yaml', 'value'] as const;

export interface OutputOptions {
  output?: (typeof FORMATS)[number];
  columns?: string[];
  quiet?: boolean;
}

/**
 * Prints the rows of a list.
 * @param response what JSON and YAML show: the body as it was received
 * @param columns those of the table, unless the user chooses others
 */
export async function printRows(
  context: Context,
  options: OutputOptions,
  { rows, response, columns }: { rows: Row[]; response: unknown; columns: string[] },
): Promise<void> {
  if (options.quiet) return print(context, rows.map(idOf));
  if (options.output === 'json' || options.output === 'yaml') return printBody(context, options, response);
  const shown = options.columns ?? columns;
  requireKnown(shown, rows);
  const cells = rows.map((row) => shown.map((column) => printableLine(cell(row, column))));
  if (options.output === 'value')
    return print(
      context,
      cells.map((row) => row.join('\t')),
    );
  const { formatTable, hasColor, terminalWidth } = await import('./table.ts');
  const { fitColumns } = await import('./fit-columns.ts');
  const table = [shown.map((column) => column.toUpperCase()), ...cells];
  const widths = fitColumns(table, terminalWidth(context), { keepsAll: options.columns !== undefined });
  print(context, formatTable(table, widths), hasColor(context));
  const hidden = shown.slice(widths.length);
  if (hidden.length > 0) note(context, `No room for: ${hidden.join(', ')}. --columns selects.`);
}

/** Prints a record, one field a line. A text is printed as it is, but on a terminal. */
export async function printRecord(context: Context, options: OutputOptions, body: unknown): Promise<void> {
  if (body === undefined || body === null) return;
  if (typeof body === 'string') return print(context, [body.replace(/\n$/, '')]);
  if (Array.isArray(body) && isRows(body)) {
    const columns = [...new Set(body.flatMap(Object.keys))];
    return printRows(context, options, { rows: body, response: body, columns });
  }
  const record = body as Row;
  if (options.quiet) return print(context, [idOf(record)]);
  if (options.output === 'json' || options.output === 'yaml') return printBody(context, options, body);
  const columns = options.columns ?? Object.keys(record);
  requireKnown(columns, [record]);
  const cells = columns.map((column) => [column, cell(record, column)] as const);
  if (options.output === 'value')
    return print(
      context,
      cells.map(([, value]) => value),
    );
  const { formatRecord, terminalWidth } = await import('./table.ts');
  print(context, formatRecord(cells, terminalWidth(context)));
}

async function printBody(context: Context, { output }: OutputOptions, body: unknown): Promise<void> {
  if (output === 'json') return print(context, [printableJson(body, 2)]);
  const { formatYaml } = await import('./yaml.ts');
  print(context, [formatYaml(body)]);
}

/** The name of what has no id, such as a key pair. */
function idOf(row: Row): string {
  const value = row.id ?? row.job_id ?? row.name ?? Object.values(row)[0];
  return printable(String(value ?? ''));
}

function isRows(body: unknown[]): body is Row[] {
  return body.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row));
}

function requireKnown(columns: readonly string[], rows: readonly Row[]): void {
  const [row] = rows;
  const unknown = row && columns.find((column) => !rows.some((other) => column in other));
  if (unknown === undefined) return;
  throw usageError(`There is no column "${unknown}". The columns are: ${Object.keys(row ?? {}).join(', ')}.`);
}

/**
 * Writes results. A terminal gets nothing that could change what it shows: names and logs come from others. A
 * file or a pipe gets the text as it is.
 */
export function print(
  { stdout }: Pick<Context, 'stdout'>,
  lines: readonly string[],
  isFirstBold = false,
): void {
  for (const [index, line] of lines.entries()) {
    const text = stdout.isTTY ? printableText(line) : line;
    stdout.write(`${isFirstBold && index === 0 ? styleText('bold', text) : text}\n`);
  }
}

/** For a person who waits: not part of the result. */
export function note(context: Pick<Context, 'stderr'>, text: string): void {
  if (context.stderr.isTTY) warn(context, text);
}

/** What a program should see, too. */
export function warn({ stderr }: Pick<Context, 'stderr'>, text: string): void {
  stderr.write(`${printableLine(text)}\n`);
}
