import type { Part } from './multi-part.ts';

/**
 * The user's keys and list items are added to those of the gateway. A key that both have keeps the value of
 * the gateway, such as the host name.
 */
const ADD = 'list(append)+dict(no_replace,recurse_list)+str()';

/** The first-boot data of a user as a part beside those of the gateway. */
export function userPart(text: string): Part {
  return { type: 'text/plain', fileName: 'user-data', text, isEncoded: true, mergeType: ADD };
}
