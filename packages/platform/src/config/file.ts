import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import { ConfigError } from './config-error.ts';

/** Reads a YAML file; an empty file is an empty object. Throws `ConfigError`. */
export function readConfigFile(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new ConfigError([`the file named by GATEWAY_CONFIG, ${path}, cannot be read (${code})`]);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [syntaxError] = document.errors;
  if (syntaxError !== undefined) {
    const { line, col } = lines.linePos(syntaxError.pos[0]);
    // Only the first line: the parser's message quotes source lines, which may contain secrets.
    const reason = syntaxError.message.split('\n')[0]?.replace(/\.$/, '');
    throw new ConfigError([
      `the file named by GATEWAY_CONFIG, ${path}, is not valid YAML: ${reason} (line ${line}, column ${col})`,
    ]);
  }
  const tree: unknown = document.toJS();
  if (tree === null || tree === undefined) return {};
  if (typeof tree !== 'object' || Array.isArray(tree)) {
    throw new ConfigError([`the file named by GATEWAY_CONFIG, ${path}, must contain keys and values`]);
  }
  return tree as Record<string, unknown>;
}
