import { createSecureContext } from 'node:tls';
import { checkCaFile, readText } from './check-ca-file.ts';
import { readTlsFiles, type TlsFiles } from './tls-files.ts';

/** Problems of the files of a section: `ca_file`, `cert_file` and `key_file`. */
export function checkTlsFiles(section: string, files: TlsFiles): string[] {
  return [...checkCaFile(`${section}.ca_file`, files.caFile), ...checkKeyPair(section, files)];
}

/** Problems of a certificate and its private key. */
export function checkKeyPair(
  section: string,
  { certFile, keyFile }: Pick<TlsFiles, 'certFile' | 'keyFile'>,
): string[] {
  const [certKey, keyKey] = [`"${section}.cert_file"`, `"${section}.key_file"`];
  if (certFile === null && keyFile === null) return [];
  if (certFile === null || keyFile === null) return [`${certKey} and ${keyKey} must be set together`];
  const problems = checkCaFile(`${section}.cert_file`, certFile);
  if (readText(keyFile) === null) problems.push(`${keyKey} names a file that cannot be read (${keyFile})`);
  if (problems.length > 0) return problems;
  try {
    createSecureContext(readTlsFiles({ caFile: null, certFile, keyFile }));
    return [];
  } catch {
    return [`${keyKey} names a file without the private key of ${certKey} (${keyFile})`];
  }
}
