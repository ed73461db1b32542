import { readFileSync } from 'node:fs';

/** Files in PEM with which a client connects to servers over TLS. */
export interface TlsFiles {
  /** Certificate authorities of the servers; null for those of the system. */
  caFile: string | null;
  /** The client's own certificate with its chain; null if the servers ask for none. */
  certFile: string | null;
  /** The private key of `certFile`. */
  keyFile: string | null;
}

/** The texts of the files, with the names that Node.js uses. */
export interface TlsTexts {
  ca?: string;
  cert?: string;
  key?: string;
}

/** @throws if a file cannot be read */
export function readTlsFiles({ caFile, certFile, keyFile }: TlsFiles): TlsTexts {
  return {
    ...(caFile !== null && { ca: readFileSync(caFile, 'utf8') }),
    ...(certFile !== null && { cert: readFileSync(certFile, 'utf8') }),
    ...(keyFile !== null && { key: readFileSync(keyFile, 'utf8') }),
  };
}
