import { manifestText } from '../manifest-text.ts';
import type { NodeFile } from '../plugin.ts';

/** The configuration that the API server reads. */
export const encryptionPath = '/etc/kubernetes/encryption.yaml';

/**
 * The API server starts without encryption the first time, because the plugin's program comes in a container
 * image. `encrypt-secrets` then replaces the first file with the second.
 */
export const encryptionFiles: readonly NodeFile[] = [
  file(encryptionPath, [{ identity: {} }]),
  file('/etc/kubernetes/encryption-kms.yaml', [
    {
      kms: {
        apiVersion: 'v2',
        name: 'barbican',
        endpoint: 'unix:///run/barbican-kms/kms.sock',
        timeout: '10s',
      },
    },
    // Reads secrets that were written before.
    { identity: {} },
  ]),
];

function file(path: string, providers: object[]): NodeFile {
  const configuration = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [{ resources: ['secrets'], providers }],
  };
  return { path, mode: '0600', content: manifestText([configuration]) };
}
