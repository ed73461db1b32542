import { cutText, GatewayError, printable } from '@gateway/core';

/**
 * - `unreachable`: no response in time, no connection, or a certificate that is not trusted.
 * - `refused`: 401 or 403, so the server is reachable.
 * - `status`: another status than 2xx, as in `upstreamStatus`.
 * - `invalid`: an unusable response: unexpected content, too large, or incomplete.
 */
type KubernetesErrorKind = 'unreachable' | 'refused' | 'status' | 'invalid';

interface KubernetesErrorDetails {
  kind: KubernetesErrorKind;
  /** Whether the TLS handshake was completed, with a trusted certificate. */
  isConnected: boolean;
  upstreamStatus?: number | null;
  /** A network error code, or the server's message; for the log. */
  reason: string;
  cause?: unknown;
}

const RETRY_AFTER_SECONDS = 5;
const MAX_REASON = 200;

/**
 * A failed request to the API server of a cluster. The message has no details, and `reason` is a short
 * printable line, because a tenant may control the server and its responses.
 */
export class KubernetesError extends GatewayError {
  readonly kind: KubernetesErrorKind;
  readonly isConnected: boolean;
  readonly upstreamStatus: number | null;
  readonly reason: string;

  constructor({ kind, isConnected, upstreamStatus = null, reason, cause }: KubernetesErrorDetails) {
    const isUnavailable = kind === 'unreachable';
    super(
      isUnavailable ? 503 : 502,
      isUnavailable ? 'upstream_unavailable' : 'upstream_error',
      messages[kind],
      isUnavailable ? { cause, retryAfterSeconds: RETRY_AFTER_SECONDS } : { cause },
    );
    this.name = 'KubernetesError';
    this.kind = kind;
    this.isConnected = isConnected;
    this.upstreamStatus = upstreamStatus;
    this.reason = printable(cutText(reason, MAX_REASON));
  }
}

const messages: Record<KubernetesErrorKind, string> = {
  unreachable: 'The API server of the cluster cannot be reached.',
  refused: 'The API server of the cluster refused the request.',
  status: 'The API server of the cluster failed to handle the request.',
  invalid: 'The API server of the cluster sent an unusable response.',
};

/** Whether the requested object does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof KubernetesError && error.upstreamStatus === 404;
}
