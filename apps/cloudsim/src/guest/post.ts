import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

interface PostOptions {
  timeoutMs: number;
  signal: AbortSignal;
  /** PEM of the only certificate authority to trust. */
  ca: string | undefined;
}

/** Posts JSON without following redirects; null when there is no response. */
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

/** Whether the URL names this machine without a DNS lookup. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
