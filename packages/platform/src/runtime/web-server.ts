import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { Metrics } from '../telemetry/events.ts';

interface CertificateFiles {
  /** The certificate of the server with its chain, in PEM; null for a server without TLS. */
  certFile: string | null;
  /** The private key of `certFile`. */
  keyFile: string | null;
}

interface WebServerOptions extends ServerOptions {
  tls: CertificateFiles;
  /** Reports renewals of the certificate. */
  logger: {
    info(message: string): void;
    warn(message: string, meta?: Record<string, unknown>): void;
  };
  metrics: Pick<Metrics, 'listenerCertificateUsed'>;
  /** How often the server reads its files for a renewed certificate. */
  checkIntervalMs?: number;
}

/**
 * Secrets of an orchestrator are replaced through symbolic links, of which file watchers lose track. So the
 * files are read.
 */
const CHECK_INTERVAL_MS = 10_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;

/**
 * A server for HTTP, or for HTTPS if there is a certificate. New connections get a renewed certificate once
 * its files have changed; open connections continue.
 * @throws if a file cannot be read
 */
export function createWebServer(options: WebServerOptions, listener: RequestListener): Server {
  const {
    tls: { certFile, keyFile },
    logger,
    metrics,
    checkIntervalMs = CHECK_INTERVAL_MS,
    ...serverOptions
  } = options;
  if (certFile === null || keyFile === null) return createHttpServer(serverOptions, listener);
  const read = () => ({ cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') });
  const first = read();
  const tlsOptions = { ...serverOptions, ...first, handshakeTimeout: HANDSHAKE_TIMEOUT_MS };
  const server = createHttpsServer(tlsOptions, listener);
  const use = ({ cert }: KeyPair) => metrics.listenerCertificateUsed(new X509Certificate(cert).validToDate);
  use(first);
  const renew = renewal(server, read, first, { use, logger });
  const timer = setInterval(renew, checkIntervalMs).unref();
  server.once('close', () => clearInterval(timer));
  return server;
}

interface KeyPair {
  cert: string;
  key: string;
}

/** The files are not replaced at the same moment, so a failure may be over at the next attempt. */
function renewal(
  server: HttpsServer,
  read: () => KeyPair,
  first: KeyPair,
  { use, logger }: { use(pair: KeyPair): void; logger: WebServerOptions['logger'] },
): () => void {
  let current = first;
  let hasFailed = false;
  return () => {
    try {
      const found = read();
      if (found.cert === current.cert && found.key === current.key) return;
      server.setSecureContext(found);
      current = found;
      use(found);
      hasFailed = false;
      logger.info('The certificate of the listener was renewed');
    } catch (error) {
      if (!hasFailed) logger.warn('The renewed certificate of the listener cannot be used', { error });
      hasFailed = true;
    }
  };
}
