import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import { ConfigError } from './config-error.ts';

/** The tree in a YAML file; an empty file is an empty tree. Throws `ConfigError`. */
export function readConfigFile(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new ConfigError([`the file named by GATEWAY_CONFIG, ${path}, can not be read (${code})`]);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0]);
    // Without the source lines that the parser would quote.
    const why = fault.message.split('\n')[0]?.replace(/\.$/, '');
    throw new ConfigError([
      `the file named by GATEWAY_CONFIG, ${path}, is no YAML: ${why} (line ${line}, column ${col})`,
    ]);
  }
  const tree: unknown = document.toJS();
  if (tree === null || tree === undefined) return {};
  if (typeof tree !== 'object' || Array.isArray(tree)) {
    throw new ConfigError([`the file named by GATEWAY_CONFIG, ${path}, must hold keys and values`]);
  }
  return tree as Record<string, unknown>;
}
