import { fingerprint } from '@gateway/core';

export const DEFAULT_DOMAIN = 'Default';

/**
 * What failed log-ins of a user are counted under: alike for all spellings that an identity service can take as the same
 * name. Databases compare names without case and accents and without blanks at the end; directories ignore further
 * blanks. Spellings that only some of them take as the same are alike here too, as that only makes them share a count.
 */
export function logInName(username: string, domainName: string = DEFAULT_DOMAIN): string {
  return fingerprint(`${fold(domainName)}\n${fold(username)}`);
}

function fold(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cc}\p{Cf}]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
    .toLowerCase()
    .replace(/ß/gu, 's');
}
