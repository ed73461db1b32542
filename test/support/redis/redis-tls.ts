import type { Certificates } from '../doubles/certificates.ts';

/** Settings of a server or Sentinel that also listens with TLS, where it asks clients for a certificate. */
export function tlsSettings(
  { caFile, server, client }: Certificates,
  port: number,
): Record<string, string | number> {
  return {
    'tls-port': port,
    'tls-ca-cert-file': caFile,
    'tls-cert-file': server.certFile,
    'tls-key-file': server.keyFile,
    'tls-client-cert-file': client.certFile,
    'tls-client-key-file': client.keyFile,
    'tls-auth-clients': 'yes',
    'tls-replication': 'yes',
  };
}
