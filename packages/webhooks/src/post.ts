import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';

export interface PostMessage {
  headers: Record<string, string>;
  body: string;
}

interface PostOptions {
  /** Ends the request, also while its response is read. */
  signal: AbortSignal;
  /** Resolves the name; the system does by default. */
  lookup?: LookupFunction;
  /** PEM of certificate authorities in place of those that Node.js trusts. */
  ca?: string | undefined;
}

/**
 * Sends one POST on a connection of its own: a receiver closes idle ones, which then fails the next message,
 * and one that another message has used was checked for that one. Redirects are not followed. The caller
 * reads the body of the response as far as it needs, and destroys it.
 */
export function post(
  url: URL,
  { body, headers }: PostMessage,
  options: PostOptions,
): Promise<IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' },
      ...options,
    });
    sent.on('error', reject);
    // Without this, Node.js drops the connection, and no event follows, not even at the end of the signal.
    sent.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('The receiver changes the protocol.'));
    });
    sent.on('response', (response) => {
      response.on('error', () => {});
      resolve(response);
    });
    sent.end(body);
  });
}
