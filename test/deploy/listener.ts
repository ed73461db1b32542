import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Certificates, makeCertificates } from '../support/doubles/certificates.ts';
import { readText } from './deploy-files.ts';
import {
  editKustomization,
  type KubernetesObject,
  type Kustomization,
  overlayObjects,
} from './kubernetes-objects.ts';

type Certificate = Certificates['server'];

/** Adds to an overlay what docs/operations.md says for listeners with TLS. */
export function addListener(overlay: string, { certFile, keyFile }: Certificate): void {
  const [, text] =
    /^### TLS of the listeners$[\s\S]*?^```yaml\n([\s\S]*?)^```$/m.exec(readText('docs/operations.md')) ?? [];
  const added = parse(text ?? assert.fail('The documentation has no patch.')) as Kustomization;
  copyFileSync(certFile, join(overlay, 'tls.crt'));
  copyFileSync(keyFile, join(overlay, 'tls.key'));
  editKustomization(overlay, (kustomization) => {
    for (const key of ['secretGenerator', 'patches'] as const)
      Object.assign(kustomization, { [key]: [...(kustomization[key] ?? []), ...(added[key] ?? [])] });
  });
}

/** The objects of the smallest overlay whose processes listen with TLS. */
export async function overlayWithListener(kubectl: string): Promise<KubernetesObject[]> {
  const certificates = await makeCertificates(['127.0.0.1']);
  try {
    return overlayObjects(kubectl, 'small', (_, overlay) => addListener(overlay, certificates.server));
  } finally {
    certificates.remove();
  }
}
