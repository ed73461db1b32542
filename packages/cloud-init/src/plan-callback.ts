import type { GuestFile } from './guest-file.ts';
import { planDir, secretFile } from './plan-file.ts';

/** The target of a machine's reports to the gateway. */
export interface CallbackTarget {
  /** HTTP or HTTPS URL. */
  url: string;
  /** One-time secret. */
  token: string;
  /** PEM of the certificate authority of the URL; null if images trust it already. */
  caCertificate: string | null;
}

/**
 * @throws when the URL is neither HTTP nor HTTPS; the message does not contain the URL
 */
export function callbackUrl({ url }: Pick<CallbackTarget, 'url'>): string {
  return httpUrl(url, 'The report URL of a machine');
}

/**
 * @throws when the URL is neither HTTP nor HTTPS; the message does not contain the URL
 */
export function httpUrl(url: string, what: string): string {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new Error(`${what} must use http or https.`);
  return url;
}

/** The token, which only root can read, and the certificate of the authority. */
export function callbackFiles({ token, caCertificate }: Omit<CallbackTarget, 'url'>): GuestFile[] {
  const tokenFile = secretFile('report-token', token);
  if (caCertificate === null) return [tokenFile];
  return [tokenFile, { path: `${planDir}/report-ca.pem`, permissions: '0644', content: caCertificate }];
}

/** @throws when the time limit is not a positive integer */
export function timeLimit(seconds: number): string {
  if (!Number.isSafeInteger(seconds) || seconds < 1) {
    throw new Error('The time limit of a machine must be a positive integer.');
  }
  return String(seconds);
}
