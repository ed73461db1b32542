import { createDocument } from '../../apps/api/src/openapi/document.ts';
import { endpoints } from '../../apps/api/src/routes/index.ts';
import { version } from '../../apps/api/src/version.ts';

/**
 * Generates the types of packages/client from the endpoints of this working tree, unless they are up to date.
 */
export async function generateClientTypes(): Promise<void> {
  const { generateTypes } = await import('../../packages/client/scripts/generate-types.ts');
  await generateTypes(await createDocument(endpoints, version));
}
