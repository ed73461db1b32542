import { stringify } from 'yaml';

/**
 * Objects as YAML. All strings are in quotes, so that YAML 1.1, which Kubernetes reads, takes none of
 * them for another type.
 */
export function manifestText(objects: readonly object[]): string {
  return objects
    .map((object) =>
      stringify(object, {
        aliasDuplicateObjects: false,
        lineWidth: 0,
        defaultStringType: 'QUOTE_DOUBLE',
        defaultKeyType: 'PLAIN',
        doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
      }),
    )
    .join('---\n');
}
