import { pipeline } from 'node:stream/promises';
import { Argument, type Command, InvalidArgumentError } from 'commander';
import type { Context } from '../context.ts';
import { usageError } from '../errors/cli-error.ts';
import { readData } from '../operations/input.ts';
import { print } from '../output/print.ts';
import { printableJson, printableText } from '../output/printable.ts';
import { withGateway } from '../session/open-session.ts';
import { type CommandOptions, dataOption, withUrl } from './options.ts';

interface ApiOptions extends CommandOptions {
  data?: string;
  query?: string[];
  header?: string[];
  include?: boolean;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** `api`, which reaches every endpoint. */
export function addApiCommand(program: Command, context: Context): void {
  const collect = (text: string, previous: string[] = []) => [...previous, text];
  withUrl(program.command('api'))
    .description('send any request, and print the body of the response')
    .addArgument(new Argument('<method>', METHODS.join(', ')).argParser(methodOf))
    .argument('<path>', 'such as /api/instances')
    .addOption(dataOption('-d, --data <json>'))
    .option('--query <name=value>', 'a parameter of the query; may be repeated', collect)
    .option('-H, --header <name: value>', 'a header; may be repeated', collect)
    .option('-i, --include', 'print the status and the headers as well')
    .action((method: string, path: string, options: ApiOptions) => send(context, method, path, options));
}

function methodOf(text: string): string {
  const method = text.toUpperCase();
  if (!METHODS.includes(method)) throw new InvalidArgumentError('It is no method of HTTP.');
  return method;
}

async function send(context: Context, method: string, path: string, options: ApiOptions): Promise<void> {
  if (!path.startsWith('/')) throw usageError(`The path "${path}" does not begin with "/".`);
  const { stdout, signal } = context;
  const query = new URLSearchParams((options.query ?? []).map((text) => split(text, '=')));
  const separator = path.includes('?') ? '&' : '?';
  const target = query.size === 0 ? literal(path) : `${literal(path)}${separator}${query}`;
  const headers = Object.fromEntries((options.header ?? []).map((text) => split(text, ':')));
  const body = options.data === undefined ? undefined : await readData(context, options.data);
  await withGateway(context, options, async (gateway) => {
    const response = await gateway.send(`${method} ${target}`, {
      headers,
      signal,
      ...(body !== undefined && { body }),
    });
    if (options.include) {
      print(context, [
        `${response.status}`,
        ...Array.from(response.headers, ([name, value]) => `${name}: ${value}`),
        '',
      ]);
    }
    if (response.body === null) return;
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    if (isJson && stdout.isTTY) return print(context, [printableJson(await response.json(), 2)]);
    // As it arrives: a stream of events may never end.
    const parts = stdout.isTTY ? printableParts(response.body) : response.body;
    await pipeline(parts, stdout, { end: false });
    if (isJson) print(context, ['']);
  });
}

/** Encodes what an address would lose or replace, and so reach another resource; braces are no parameters. */
function literal(path: string): string {
  return path.replace(/[\s\p{Cc}#\\{]/gu, encodeURIComponent);
}

async function* printableParts(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const part of body) yield printableText(decoder.decode(part, { stream: true }));
}

function split(text: string, separator: string): [name: string, value: string] {
  const at = text.indexOf(separator);
  if (at <= 0) throw usageError(`"${text}" lacks "${separator}".`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
