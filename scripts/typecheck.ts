import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { generateCatalog } from './cli/catalog.ts';
import { generateClientTypes } from './client/types.ts';
import { projectRoot } from './server-process.ts';

/** Checks the types. Those of packages/client and packages/cli follow from the endpoints. */
await generateClientTypes();
await generateCatalog();
const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', projectRoot], { stdio: 'inherit' });
process.exitCode = status ?? 1;
