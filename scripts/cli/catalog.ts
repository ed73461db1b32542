import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ERROR_CODES } from '../../apps/api/src/http/schemas/error-codes.ts';
import { createDocument } from '../../apps/api/src/openapi/document.ts';
import { endpoints } from '../../apps/api/src/routes/index.ts';
import { version } from '../../apps/api/src/version.ts';
import { deriveOperations } from '../../packages/cli/scripts/derive-operations.ts';
import type { OpenApiDocument } from '../../packages/cli/scripts/document.ts';
import type { Catalog } from '../../packages/cli/src/catalog/catalog.ts';
import { projectRoot } from '../server-process.ts';

const target = join(projectRoot, 'packages/cli/src/generated/catalog.ts');

/** What the command line knows about the endpoints of this working tree. */
export async function currentCatalog(): Promise<Catalog> {
  const document = (await createDocument(endpoints, version)) as unknown as OpenApiDocument;
  const statuses = Object.entries(ERROR_CODES).map(([code, [status]]) => [code, status]);
  return { version, operations: deriveOperations(document), errorStatuses: Object.fromEntries(statuses) };
}

/** Writes the module with the catalog, unless it is up to date. It is not in the repository. */
export async function generateCatalog(): Promise<void> {
  const text = `import type { Catalog } from '../catalog/catalog.ts';

export const catalog: Catalog = ${JSON.stringify(await currentCatalog(), null, 1)};
`;
  if (existsSync(target) && readFileSync(target, 'utf8') === text) return;
  mkdirSync(dirname(target), { recursive: true });
  // Another command may read or write it at the same time.
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, target);
}
