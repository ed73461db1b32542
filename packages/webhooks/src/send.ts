import type { LookupAddress, LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { AllowedAddresses } from './allowed-addresses.ts';
import { type UrlRules, urlProblem } from './check-url.ts';
import { type PostMessage, post } from './post.ts';
import { resolveName } from './resolve-name.ts';

interface Message extends PostMessage {
  url: string;
}

export interface SendOptions extends UrlRules {
  timeoutMs: number;
  signal: AbortSignal;
  /** The addresses of a name; those in DNS by default. @throws if there are none */
  resolve?: (name: string) => Promise<LookupAddress[]>;
  /** PEM of certificate authorities in place of those that Node.js trusts. */
  ca?: string;
}

/** Why an attempt got no response. */
type AttemptError = 'forbidden_address' | 'name_not_found' | 'connection_failed' | 'tls_failed' | 'timeout';

/** A response, whatever its status, or why there is none. */
export type SendResult = { status: number; retryAfter: string | null } | { error: AttemptError };

/**
 * Sends one POST on a connection of its own. The name is resolved for the connection, which goes only to an
 * address that was checked: a name that has another address for the next question gains nothing. Redirects
 * are not followed, and the body of the response is not read.
 *
 * @throws the reason of `signal`, once it is aborted
 */
export async function sendMessage(message: Message, options: SendOptions): Promise<SendResult> {
  const { allowed, resolve = resolveName, signal, timeoutMs } = options;
  const url = new URL(message.url);
  // The settings may have changed since the webhook was stored. A connection to an address resolves nothing.
  if (urlProblem(message.url, options) !== null) return { error: 'forbidden_address' };
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await post(url, message, {
      lookup: checkedLookup(resolve, allowed),
      signal: AbortSignal.any([timeout, signal]),
      ca: options.ca,
    });
    const { 'retry-after': retryAfter = null } = response.headers;
    response.destroy();
    return { status: response.statusCode ?? 0, retryAfter };
  } catch (error) {
    signal.throwIfAborted();
    return { error: timeout.aborted ? 'timeout' : errorOf(error) };
  }
}

class ForbiddenAddressError extends Error {}
class UnknownNameError extends Error {}

/** Resolves a name to those of its addresses that are allowed. */
function checkedLookup(
  resolve: NonNullable<SendOptions['resolve']>,
  allowed: AllowedAddresses,
): LookupFunction {
  return (hostname, { all }: LookupOptions, done) => {
    resolve(hostname).then(
      (addresses) => {
        const [first, ...others] = addresses.filter(({ address }) => allowed.isAllowed(address));
        if (first === undefined) return done(new ForbiddenAddressError(), '', 0);
        if (all === true) return done(null, [first, ...others]);
        return done(null, first.address, first.family);
      },
      () => done(new UnknownNameError(), '', 0),
    );
  };
}

const TLS_ERROR = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/;

function errorOf(error: unknown): AttemptError {
  if (error instanceof ForbiddenAddressError) return 'forbidden_address';
  if (error instanceof UnknownNameError) return 'name_not_found';
  const { code = '' } = error as NodeJS.ErrnoException;
  return TLS_ERROR.test(code) ? 'tls_failed' : 'connection_failed';
}
