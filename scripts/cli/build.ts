import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../packages/cli/scripts/bundle.ts';
import { generateClientTypes } from '../client/types.ts';
import { projectRoot } from '../server-process.ts';
import { generateCatalog } from './catalog.ts';

/** Builds what `npm pack -w @gateway/cli` packs. */
await generateClientTypes();
await generateCatalog();
copyFileSync(join(projectRoot, 'LICENSE'), join(projectRoot, 'packages/cli/LICENSE'));
await bundle();
