import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CertifiedKey,
  createAuthority,
  issueForClient,
  issueForServer,
} from '../../../apps/cloudsim/src/guest/kubernetes/authority.ts';

interface KeyPairFiles {
  certFile: string;
  keyFile: string;
}

/** Certificates of one authority in files, for a server and its clients. */
export interface Certificates {
  caFile: string;
  server: KeyPairFiles;
  client: KeyPairFiles;
  /** Replaces the files of the server by another certificate of the same authority. */
  renewServer(): Promise<void>;
  remove(): void;
}

/** `hosts` are the names and addresses in the server's certificate. */
export async function makeCertificates(hosts: readonly string[]): Promise<Certificates> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-certificates-'));
  const authority = await createAuthority('test-authority');
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.certificate);

  function write(name: string, { certificate, key }: CertifiedKey): KeyPairFiles {
    const files = { certFile: join(folder, `${name}.pem`), keyFile: join(folder, `${name}.key`) };
    writeFileSync(files.certFile, certificate);
    writeFileSync(files.keyFile, key);
    return files;
  }
  const issueServer = async () => write('server', await issueForServer(authority, { name: 'server' }, hosts));

  return {
    caFile,
    server: await issueServer(),
    client: write('client', await issueForClient(authority, { name: 'client' })),
    async renewServer() {
      await issueServer();
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** A new certificate for a host with its key, as PKCS #12 without a password. */
export async function makePkcs12(host: string): Promise<Buffer> {
  const { remove, server } = await makeCertificates([host]);
  try {
    const input = ['-inkey', server.keyFile, '-in', server.certFile];
    return execFileSync('openssl', ['pkcs12', '-export', ...input, '-passout', 'pass:']);
  } finally {
    remove();
  }
}
