/** A domain by its id or by its name. */
export type DomainReference = { id: string } | { name: string };

/** The identity service creates ids of 32 hexadecimal digits, but for the first domain. */
const DOMAIN_ID = /^(?:[0-9a-f]{32}|default)$/;

/** The domain that a text with the form of an id or else a name refers to. */
export function domainReference(text: string): DomainReference {
  return DOMAIN_ID.test(text) ? { id: text } : { name: text };
}
