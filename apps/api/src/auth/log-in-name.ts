import { fingerprint } from '@gateway/core';

export const DEFAULT_DOMAIN = 'Default';

/**
 * The key under which failed log-ins of a user are counted. All spellings that an identity service may accept
 * for the same user give the same key: databases ignore case, accents and trailing blanks, and directories
 * ignore other blanks too. Different users may share a key, but then they only share a counter. See decision
 * 34.
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
