import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { type Expression, type Literal, type Node, type Program, parse } from 'acorn';
import { simple } from 'acorn-walk';
import { root } from './workspaces.ts';

/** A regular expression in the source code. `source` is null when its text is not known before run time. */
interface FoundExpression {
  /** File and line, relative to the project root. */
  place: string;
  source: string | null;
  flags: string;
}

/** All regular expressions of the files that match the patterns: literals, and those built with `RegExp`. */
export function regularExpressionsIn(...patterns: string[]): FoundExpression[] {
  return globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] })
    .toSorted()
    .flatMap((file) => expressionsOfSource(readFileSync(join(root, file), 'utf8'), file));
}

export function expressionsOfSource(typescript: string, file: string): FoundExpression[] {
  // Types become spaces, so that positions in the text stay the same.
  const program = parse(stripTypeScriptTypes(typescript), {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
  });
  const constants = constantsOf(program);
  const found: FoundExpression[] = [];
  const add = (node: Node, source: string | null, flags: string) =>
    found.push({ place: `${file}:${node.loc?.start.line}`, source, flags });
  const addBuilt = (node: { callee: Expression | Node; arguments: Node[] } & Node) => {
    const { callee } = node as { callee: Node & { name?: string } };
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return;
    const [source, flags] = node.arguments;
    add(node, textOf(source, constants), flags === undefined ? '' : (textOf(flags, constants) ?? ''));
  };
  simple(program, {
    Literal(node: Literal) {
      if (node.regex) add(node, node.regex.pattern, node.regex.flags);
    },
    NewExpression: addBuilt,
    CallExpression: addBuilt,
  });
  return found;
}

type Constants = ReadonlyMap<string, Node>;

/** The initializers of the constants of the module. */
function constantsOf(program: Program): Constants {
  const constants = new Map<string, Node>();
  for (const statement of program.body) {
    if (statement.type !== 'VariableDeclaration' || statement.kind !== 'const') continue;
    for (const { id, init } of statement.declarations) {
      if (id.type === 'Identifier' && init) constants.set(id.name, init);
    }
  }
  return constants;
}

/** The text of an expression of literals and module constants; null for other expressions. */
function textOf(given: Node | undefined, constants: Constants): string | null {
  const node = given as Expression | undefined;
  switch (node?.type) {
    case 'Literal':
      if (node.regex) return node.regex.pattern;
      return typeof node.value === 'string' ? node.value : null;
    case 'Identifier':
      return textOf(constants.get(node.name), constants);
    case 'MemberExpression': {
      const isSource = node.property.type === 'Identifier' && node.property.name === 'source';
      return isSource ? textOf(node.object, constants) : null;
    }
    case 'BinaryExpression':
      return node.operator === '+' ? joined([node.left, node.right], constants) : null;
    case 'TemplateLiteral': {
      const texts = node.quasis.map(({ value }) => value.cooked ?? '');
      const values = node.expressions.map((expression) => textOf(expression, constants));
      if (values.includes(null)) return null;
      return texts.map((text, index) => text + (values[index] ?? '')).join('');
    }
    default:
      return null;
  }
}

function joined(parts: Node[], constants: Constants): string | null {
  const texts = parts.map((part) => textOf(part, constants));
  return texts.includes(null) ? null : texts.join('');
}
