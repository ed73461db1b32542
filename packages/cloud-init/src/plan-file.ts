import type { GuestFile } from './guest-file.ts';

/** Where the values of a plan are in the guest. */
export const planDir = '/etc/gateway/first-boot';

export type PlanLine = [name: string, value: string];

/** A name and a value per line, read to the end of the line: there is nothing to quote, and no secret in it. */
export function planFile(lines: PlanLine[]): GuestFile {
  return {
    path: `${planDir}/plan`,
    permissions: '0644',
    content: lines.map(([name, value]) => `${name} ${singleLine(value)}\n`).join(''),
  };
}

/** For root alone. */
export function secretFile(name: string, secret: string): GuestFile {
  return { path: `${planDir}/${name}`, permissions: '0600', content: `${singleLine(secret)}\n` };
}

function singleLine(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  if (value.trim() === '' || /[\u0000-\u001f\u007f]/.test(value)) {
    throw new Error('A value of the first-boot data is empty or holds control characters.');
  }
  return value;
}
