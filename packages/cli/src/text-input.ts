import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { Context } from './context.ts';
import { usageError } from './errors/cli-error.ts';

/** The text that the user has typed, that of a file (`@path`), or that of the standard input (`-`). */
export async function givenText(context: Pick<Context, 'stdin'>, given: string): Promise<string> {
  if (given === '-') return standardInput(context);
  return given.startsWith('@') ? readTextFile(given.slice(1)) : given;
}

export async function standardInput({ stdin }: Pick<Context, 'stdin'>): Promise<string> {
  return decode(await buffer(stdin), 'The standard input');
}

function readTextFile(path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw usageError(`The file ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
  return decode(bytes, `The file ${path}`);
}

/** Without a byte order mark. */
function decode(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    throw usageError(`${source} is not text in UTF-8 or UTF-16.`);
  }
}

/** UTF-16 is what PowerShell writes. Without a mark, its first letter shows it: a text has no zero bytes. */
function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || first === 0) return 'utf-16be';
  return 'utf-8';
}
