import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../server-process.ts';
import { generateClientTypes } from './types.ts';

/** Builds what `npm pack -w @gateway/client` packs: JavaScript modules with their types. */
const folder = join(projectRoot, 'packages/client');

await generateClientTypes();
rmSync(join(folder, 'dist'), { recursive: true, force: true });
copyFileSync(join(projectRoot, 'LICENSE'), join(folder, 'LICENSE'));
const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', folder], { stdio: ['ignore', 2, 2] });
process.exitCode = status ?? 1;
