import { fingerprint } from '@gateway/core';

/**
 * The key under which failed log-ins of a user are counted. All spellings that an identity service may accept
 * for the same user give the same key: databases ignore case, accents and trailing blanks, and directories
 * ignore other blanks too. Different users may share a key, but then they only share a counter. See decision
 * 34.
 * @param userDomain the name, or the id of a domain that is not in `SeenDomains`
 */
export function logInName(username: string, userDomain: string): string {
  return fingerprint(`${fold(userDomain)}\n${fold(username)}`);
}

/** The same for an application credential. No name of a user has this key. */
export function credentialName(id: string): string {
  return fingerprint(`application credential\u0000${id}`);
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
