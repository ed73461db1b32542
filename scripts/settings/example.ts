import { SECRET_VARIABLES, SECRETS, SETTINGS, type SettingEntry } from '@gateway/platform';
import { stringify } from 'yaml';

const LINE_WIDTH = 110;

const HEAD = `\
# Configuration of the gateway: the settings that most operators set, with their defaults. Copy this file,
# keep the keys that you change, and set GATEWAY_CONFIG to the path of the copy, or of a folder with several
# such files. docs/settings.md has all settings. Lines that begin with "#:" are examples.
# \`npm run settings\` writes this file.
#
# An environment variable in brackets overrides its key. Secrets come from the environment:
`;

/** The settings of operators, as a file in YAML with comments. */
export function exampleFile(): string {
  const secrets = Object.entries(SECRETS).map(([name, meaning]) => comment(`${name}: ${meaning}`, '  '));
  const files = comment(
    `Each of ${SECRET_VARIABLES.join(', ')} can be in a file: the variable with _FILE at the end of its name names the file.`,
    '',
  );
  const sections = SETTINGS.filter(hasOperators).map((section) => linesOf(section, ''));
  // The formatter leaves no empty line after a comment at the end of a section.
  const spaced = sections.map((text, at) => (endsWithExample(sections[at - 1]) ? text : `\n${text}`));
  return [HEAD, ...secrets, files, ...spaced].join('');
}

function endsWithExample(section = ''): boolean {
  return section.trimEnd().split('\n').at(-1)?.trimStart().startsWith('#:') === true;
}

function hasOperators({ entries, isForOperators }: SettingEntry): boolean {
  return isForOperators || entries.some(hasOperators);
}

function linesOf(entry: SettingEntry, indent: string): string {
  const { defaultValue, description, entries, example, isForOperators, isRequired, variable } = entry;
  const key = `${indent}${entry.path.at(-1)}:`;
  const note = variable === null ? description : `${description} (${variable})`;
  const title = comment(note, '', indent);
  if (!isForOperators) {
    const below = entries.filter(hasOperators).map((item) => linesOf(item, `${indent}  `));
    return `${title}${key}\n${below.join('')}`;
  }
  if (isRequired) return `${title}${key} ${inline(example)}\n`;
  const lines = `${title}${key} ${inline(defaultValue)}\n`;
  return example === undefined ? lines : lines + exampleLines(example, indent);
}

function inline(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
}

/** Takes the place of the empty value above, once \`#:\` is removed. */
function exampleLines(example: unknown, indent: string): string {
  const lines = stringify(example, { lineWidth: 0 }).trim().split('\n');
  return lines.map((line) => `${indent}#:  ${line}\n`).join('');
}

/** Comment lines, broken between words. */
function comment(text: string, start: string, indent = ''): string {
  const first = `${indent}# ${start}`;
  const lines = [first];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    const isEmpty = line.trimEnd().endsWith('#');
    if (!isEmpty && line.length + word.length >= LINE_WIDTH) lines.push(`${first}${word}`);
    else lines[lines.length - 1] = isEmpty ? line + word : `${line} ${word}`;
  }
  return `${lines.join('\n')}\n`;
}
