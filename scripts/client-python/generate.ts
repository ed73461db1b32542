import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDocument } from '../../apps/api/src/openapi/document.ts';
import { endpoints } from '../../apps/api/src/routes/index.ts';
import { version } from '../../apps/api/src/version.ts';
import { projectRoot } from '../server-process.ts';
import type { OpenApiDocument } from './document.ts';
import { type GeneratedModules, pythonModules } from './modules.ts';

export const PACKAGE = join(projectRoot, 'packages/client-python');

/** What the Python package knows about the endpoints of this working tree. */
export async function currentModules(): Promise<GeneratedModules> {
  const document = (await createDocument(endpoints, version)) as unknown as OpenApiDocument;
  return pythonModules(document);
}

/** Writes the modules of the document, unless they are up to date. They are not in the repository. */
export async function generateModules(): Promise<void> {
  for (const [name, text] of Object.entries(await currentModules())) {
    const target = join(PACKAGE, `src/gateway_client/${name}.py`);
    if (existsSync(target) && readFileSync(target, 'utf8') === text) continue;
    // Another command may read or write it at the same time.
    const draft = `${target}.${process.pid}`;
    writeFileSync(draft, text);
    renameSync(draft, target);
  }
}
