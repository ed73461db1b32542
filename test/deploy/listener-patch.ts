import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { readText } from './deploy-files.ts';
import type { Kustomization } from './kubernetes-objects.ts';

/** Adds to an overlay what docs/operations.md says for listeners with TLS. */
export function listenerPatch(kustomization: Kustomization): void {
  const [, text] =
    /^### TLS of the listeners$[\s\S]*?^```yaml\n([\s\S]*?)^```$/m.exec(readText('docs/operations.md')) ?? [];
  const added = parse(text ?? assert.fail('The documentation has no patch.')) as Kustomization;
  for (const key of ['secretGenerator', 'patches'] as const)
    Object.assign(kustomization, { [key]: [...(kustomization[key] ?? []), ...(added[key] ?? [])] });
}
