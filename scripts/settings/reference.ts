import {
  flatEntries,
  gone,
  SECRET_VARIABLES,
  SECRETS,
  SETTINGS,
  type SettingEntry,
  secretOrigins,
} from '@gateway/platform';
import { stringify } from 'yaml';

const HEAD = `# Settings

Every setting of the file, or of the files in the folder, that \`GATEWAY_CONFIG\` names. \`npm run settings\` writes this page from their declarations. Most operators
set some of those in bold, which [\`config.example.yaml\`](../config.example.yaml) has with examples. A variable beside a setting overrides it; a
list in a variable is separated by commas. \`[]\` stands for each item of a list.

A process reads its files at its start, and anew at a SIGHUP. A changed setting has its effect after a \`reload\` or a \`restart\`, as the column
"effect" says. Values of variables change with a restart only.
`;

export function settingsReference(): string {
  return `${[HEAD, secretsSection(), ...SETTINGS.map(sectionOf), goneSection()].join('\n')}`;
}

function secretsSection(): string {
  const origins = Object.values(secretOrigins).filter(({ reloadsWith }) => reloadsWith !== null);
  const reloaded: string[] = origins.map(({ name }) => name);
  const rows = Object.entries(SECRETS).map(([name, meaning]) =>
    row(`\`${name}\``, effectOf({ reloads: reloaded.includes(name) }), meaning),
  );
  const files = SECRET_VARIABLES.map((name) => `\`${name}\``).join(', ');
  return `## Secrets

They come from the environment. Each of ${files} can be in a file: the variable with \`_FILE\` at the end of its name,
such as \`GATEWAY_SEALING_KEYS_FILE\`, names the file. A \`reload\` needs the file.

${table(['variable', 'effect', 'meaning'], rows)}`;
}

function sectionOf(section: SettingEntry): string {
  const name = section.path.join('.');
  const rows = section.entries.flatMap((entry) => rowsOf(entry, itemName(name, section)));
  return `## ${name}

${escaped(section.description)}

${table(['setting', 'value', 'default', 'effect', 'meaning'], rows)}${examplesOf(section)}`;
}

/** Of what the example file lacks. */
function examplesOf(section: SettingEntry): string {
  const shown = flatEntries([section]).filter(
    (entry) => entry.example !== undefined && !entry.isForOperators,
  );
  return shown
    .map(({ path, example }) => `\n\`\`\`yaml\n${stringify(inTree(path, example))}\`\`\`\n`)
    .join('');
}

function inTree(path: string[], value: unknown): unknown {
  return path.reduceRight((below, key) => ({ [key]: below }), value);
}

function rowsOf(entry: SettingEntry, parent: string): string[] {
  const name = `${parent}.${entry.path.at(-1)}`;
  const code = entry.isForOperators ? `**\`${name}\`**` : `\`${name}\``;
  const title = entry.variable === null ? code : `${code} (\`${entry.variable}\`)`;
  const below = entry.entries.flatMap((item) => rowsOf(item, itemName(name, entry)));
  const value = entry.unit === null ? TYPES[entry.type] : `${TYPES[entry.type]} (${entry.unit})`;
  const effect = entry.entries.length > 0 && entry.type !== 'array' ? '' : effectOf(entry);
  return [row(title, value ?? entry.type, defaultOf(entry), effect, entry.description), ...below];
}

function effectOf({ reloads }: Pick<SettingEntry, 'reloads'>): string {
  return reloads ? 'reload' : 'restart';
}

/** The name of a section, or of each item of a list. */
function itemName(name: string, entry: SettingEntry): string {
  return entry.type === 'array' ? `${name}[]` : name;
}

const TYPES: Record<string, string> = {
  any: 'text',
  array: 'list',
  boolean: 'true or false',
  number: 'number',
  object: 'section',
  string: 'text',
};

function defaultOf({ defaultValue, isRequired }: SettingEntry): string {
  if (isRequired) return 'required';
  if (defaultValue === undefined) return '';
  return `\`${stringify(defaultValue, { collectionStyle: 'flow', lineWidth: 0 }).trim()}\``;
}

function goneSection(): string {
  const rows = Object.entries(gone).map(([name, reason]) => row(`\`${name}\``, reason));
  return `## Settings that are gone

A process whose file has one of them does not start, and says why.

${table(['setting', 'reason'], rows)}`;
}

function table(titles: string[], rows: string[]): string {
  return `${row(...titles)}\n${'|---'.repeat(titles.length)}|\n${rows.join('\n')}\n`;
}

function row(...cells: string[]): string {
  return `| ${cells.map(escaped).join(' | ')} |`;
}

/** Without the signs that begin a cell or a tag. */
function escaped(text: string): string {
  return text.replaceAll(/[|<]/g, '\\$&');
}
