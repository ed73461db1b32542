import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AcceptedEncoding, encodings } from '@gateway/cache';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** The part of `Negotiator` that its types lack. */
interface PreferringNegotiator {
  encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
}

const PLAIN: AcceptedEncoding = { encoding: null, allowsPlain: true };

/** Clients send few different headers, which need not be parsed each time. */
const MAX_HEADERS = 100;

/** Reads `Accept-Encoding`. Among encodings that a client likes equally, the gateway chooses. */
export class AcceptedEncodings {
  readonly #byHeader = new LRUCache<string, AcceptedEncoding>({ max: MAX_HEADERS, memoMethod: negotiate });

  of({ headers }: IncomingMessage): AcceptedEncoding {
    const header = headers['accept-encoding'];
    if (header === undefined) return PLAIN;
    return this.#byHeader.memo(String(header));
  }
}

/** A client that accepts nothing that the gateway can send gets a plain body. */
function negotiate(header: string): AcceptedEncoding {
  const negotiator: PreferringNegotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const acceptable = negotiator.encodings([...encodings, 'identity'], { preferred: encodings });
  return {
    encoding: encodings.find((encoding) => encoding === acceptable[0]) ?? null,
    allowsPlain: acceptable.includes('identity'),
  };
}

/**
 * The header `Vary` of a response that can be compressed, as name and value. CORS may have set the header
 * before.
 */
export function varyByEncoding(response: ServerResponse): string[] {
  const vary = response.getHeader('Vary');
  return ['Vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`];
}
