import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { actionsOf, operationsOf } from './operations.ts';

const folder = dirname(import.meta.dirname);
const target = join(folder, 'src/generated');
const generator = createRequire(import.meta.url).resolve('@hey-api/openapi-ts/package.json');

/**
 * Generates the types of the client from an OpenAPI document, unless they are up to date. They are not in the
 * repository. Only the requests of actions are needed at run time, once `act` is called.
 */
export async function generateTypes(document: Record<string, unknown>): Promise<void> {
  const stamp = stampOf(document);
  const operations = join(target, 'operations.ts');
  if (existsSync(operations) && readFileSync(operations, 'utf8').startsWith(stamp)) return;

  // Writes to a temporary folder first, because another command may use or generate the
  // types at the same time.
  const draft = mkdtempSync(join(folder, '.generated-'));
  try {
    await createClient({
      input: document,
      output: { path: draft, entryFile: false },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent', file: false },
    });
    writeFileSync(join(draft, 'actions.ts'), actionsOf(document));
    writeFileSync(join(draft, 'operations.ts'), stamp + operationsOf(document));
    rmSync(target, { recursive: true, force: true });
    renameSync(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Changes with the document and with the files that generate the types. */
function stampOf(document: Record<string, unknown>): string {
  const hash = createHash('sha256').update(JSON.stringify(document));
  for (const file of [import.meta.filename, join(import.meta.dirname, 'operations.ts'), generator]) {
    hash.update(readFileSync(file));
  }
  return `// ${hash.digest('hex')}\n`;
}
