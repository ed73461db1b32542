import { stringify } from 'yaml';

/**
 * A value as YAML. The library is CommonJS, which in the bundle has no named exports for `import()`: modules
 * that are loaded on demand import this one.
 */
export function formatYaml(value: unknown): string {
  return stringify(value).trimEnd();
}
