import { stringify } from 'yaml';

/**
 * A value as YAML. Texts that readers of YAML 1.1, such as that of Python, take for something else are
 * quoted: a time, `no`, or a MAC address, which is a number to them.
 *
 * The library is CommonJS, which in the bundle has no named exports for `import()`: modules that are loaded
 * on demand import this one.
 */
export function formatYaml(value: unknown): string {
  return stringify(value, { compat: 'yaml-1.1' }).trimEnd();
}
