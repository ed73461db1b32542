import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { Sealer } from '@gateway/core';
import { parseSealingKeys } from '@gateway/platform';
import { fail, withStore } from '../commands/with-store.ts';
import { parseExport } from './export-file.ts';
import { exportStore } from './export-store.ts';
import { importStore } from './import-store.ts';

/**
 * Moves auto backups, lite clusters and quotas on GPUs between stores. It uses the configuration of api and
 * worker. `npm run export` and `npm run import` start it; in a container, which can write no file, it is
 * `node apps/worker/src/transfer/main.ts export -`.
 */
const USAGE =
  'usage: npm run export -- <file> [--receiver-keys <file with the GATEWAY_SEALING_KEYS of the receiver>], or npm run import -- <file> [--overwrite]. A file - is the standard output or input.';
/** In place of a file. */
const STANDARD = '-';

process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'receiver-keys': { type: 'string' }, overwrite: { type: 'boolean', default: false } },
  });
  const [command, name] = positionals;
  if (name === undefined || positionals.length > 2) return fail(USAGE);
  if (command === 'import') return importFrom(name, { overwrite: values.overwrite });
  return command === 'export' ? exportTo(name, values['receiver-keys']) : fail(USAGE);
}

function exportTo(name: string, keysFile: string | undefined): Promise<number> {
  return withStore('export', async (dependencies) => {
    const receiver = keysFile === undefined ? dependencies.sealer : await sealerOf(keysFile);
    const { text, lines, isIncomplete } = await exportStore(dependencies, receiver);
    await write(name, text);
    const print = name === STANDARD ? console.error : console.log;
    for (const line of lines) print(line);
    return isIncomplete ? 1 : 0;
  });
}

function importFrom(name: string, options: { overwrite: boolean }): Promise<number> {
  return withStore('import', async (dependencies) => {
    const file = parseExport(await read(name));
    const { lines, isIncomplete } = await importStore(dependencies, file, options);
    for (const line of lines) console.log(line);
    return isIncomplete ? 1 : 0;
  });
}

/** Seals with the first of the keys in the file. */
async function sealerOf(name: string): Promise<Sealer> {
  const problems: string[] = [];
  const keys = parseSealingKeys((await read(name)).trim(), name, problems);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return new Sealer(keys);
}

async function read(name: string): Promise<string> {
  return name === STANDARD ? readAll(process.stdin) : readFile(pathOf(name), 'utf8');
}

/** Never replaces a file, which may be the only export of another time. */
async function write(name: string, text: string): Promise<void> {
  if (name !== STANDARD) return writeFile(pathOf(name), text, { flag: 'wx', mode: 0o600 });
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** npm runs commands in the folder of the project, not in that of its caller. */
function pathOf(name: string): string {
  return resolve(process.env.INIT_CWD ?? '.', name);
}
