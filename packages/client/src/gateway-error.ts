import type { Error as ErrorBody } from './generated/types.gen.ts';
import { retryAfterSecondsOf } from './retry-after.ts';

const REDIRECTED = {
  code: 'redirected',
  detail:
    'The address of the gateway redirects to another one, which was not contacted. Please correct the address.',
};

const PAGE = {
  detail: 'A page for browsers has answered, and not the gateway. Please correct the address of the gateway.',
};

/** An error response of the gateway. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  /** The HTTP status; 0 for a redirect in a browser, which does not expose the status. */
  readonly status: number;
  /**
   * The stable name of the kind of error. `redirected` for a redirect, which is never followed;
   * `unexpected_response` for another response that is not from the gateway, for example of a proxy.
   */
  readonly code: string;
  /**
   * Identifies the request in the logs of the gateway and of the cloud; null if the response
   * is not from the gateway.
   */
  readonly requestId: string | null;
  /** Why a `conflict` refuses; null for other codes. The page on errors of the gateway has the list. */
  readonly reason: ErrorBody['reason'] | null;
  /** The values of the message, such as those of an exceeded quota, for texts of your own. */
  readonly params: NonNullable<ErrorBody['params']>;
  /** The invalid fields of the request. */
  readonly errors: { field: string; message: string }[];
  /** The job that continues after the request has timed out. */
  readonly jobId: string | null;
  /** Continues a log-in that needs a passcode as well (`totp_required`). A secret; see `logIn`. */
  readonly receipt: string | null;
  /** The cloud service that rejected the call or failed. */
  readonly upstream: NonNullable<ErrorBody['upstream']> | null;
  /** The minimum time before the next request, from `Retry-After`; null if it says nothing. */
  readonly retryAfterSeconds: number | null;

  constructor(response: Response, body: Partial<ErrorBody>) {
    super(body.detail ?? `The response has the status ${response.status}.`);
    this.status = response.status;
    this.code = body.code ?? 'unexpected_response';
    this.requestId = body.request_id ?? response.headers.get('x-request-id');
    this.reason = body.reason ?? null;
    this.params = body.params ?? {};
    this.errors = body.errors ?? [];
    this.jobId = body.job_id ?? null;
    this.receipt = body.receipt ?? null;
    this.upstream = body.upstream ?? null;
    this.retryAfterSeconds = retryAfterSecondsOf(response.headers);
  }

  static async of(response: Response): Promise<GatewayError> {
    if (isRedirect(response)) return new GatewayError(response, REDIRECTED);
    const body: unknown = await response.json().catch(() => null);
    if (response.ok) return new GatewayError(response, PAGE);
    return new GatewayError(response, typeof body === 'object' && body !== null ? body : {});
  }
}

/** Whether the server of a dashboard, or a proxy, has answered in place of the gateway. */
export function isPage({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/html') ?? false;
}

/** Browsers hide the status of a redirect that they do not follow. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(status);
}
