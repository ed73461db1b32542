import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { generateClientTypes } from './client/types.ts';
import { projectRoot } from './server-process.ts';

/** Checks the types of the repository, with those of packages/client generated from the endpoints. */
await generateClientTypes();
const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', projectRoot], { stdio: 'inherit' });
process.exitCode = status ?? 1;
