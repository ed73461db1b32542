import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

export interface PostOptions {
  timeoutMs: number;
  signal: AbortSignal;
  /** PEM of the authority to trust, in place of those known. */
  ca: string | undefined;
}

/** Posts JSON as a script of the guest would, following nothing; null when there was no answer. */
export function post(url: URL, body: object, { timeoutMs, signal, ca }: PostOptions): Promise<number | null> {
  const options = {
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': 'application/json' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  } as const;
  return new Promise((resolve) => {
    const request =
      url.protocol === 'https:' ? requestHttps(url, { ...options, ca }) : requestHttp(url, options);
    request.on('error', () => resolve(null));
    request.on('response', (response) => {
      response.on('error', () => undefined).resume();
      resolve(response.statusCode ?? null);
    });
    request.end(JSON.stringify(body));
  });
}

/** True for addresses of this machine, which no name service has to be asked for. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
