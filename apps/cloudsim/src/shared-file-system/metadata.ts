import type { JsonObject } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';

const MAX_KEY_LENGTH = 255;
const MAX_VALUE_LENGTH = 1023;

/**
 * The metadata of a share or an access rule. Keys and values must not be empty.
 * @throws 400 for what the real service refuses.
 */
export function validMetadata(input: JsonObject): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (const [key, value] of Object.entries(input)) {
    if (key === '') throw badRequest('Metadata property key is blank.');
    if (characters(key) > MAX_KEY_LENGTH)
      throw badRequest(`Metadata property key is greater than ${MAX_KEY_LENGTH} characters.`);
    if (!value) throw badRequest('Metadata property value is blank.');
    if (typeof value !== 'string') throw badRequest('Malformed request body');
    if (characters(value) > MAX_VALUE_LENGTH)
      throw badRequest(`Metadata property value is greater than ${MAX_VALUE_LENGTH} characters.`);
    metadata[key] = value;
  }
  return metadata;
}

/** The service counts code points, which can be fewer than the length of a string. */
function characters(text: string): number {
  return [...text].length;
}
