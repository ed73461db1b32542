import type { X509Certificate } from 'node:crypto';
import type { Kubeconfig } from '../kubeconfig.ts';
import { readCertificates } from '../pem.ts';

/**
 * Why a reported configuration file must not replace the stored one, as the end of a sentence; null if it
 * may. A control node belongs to its tenant, who must not make the gateway trust another API server, lower
 * the rights of the gateway, or bring back an old file.
 */
export function renewalProblem(stored: Kubeconfig, reported: Kubeconfig): string | null {
  const [before, after] = [stored.credentials, reported.credentials];
  if (before.ca !== after.ca) return 'names another certificate authority';
  if ('token' in before || 'token' in after) return 'has no client certificate that can be compared';
  const [old, authority] = readCertificates(before.clientCertificate) ?? [];
  const [renewed] = readCertificates(after.clientCertificate) ?? [];
  if (old === undefined || renewed === undefined) return 'has no client certificate';
  if (old.subject !== renewed.subject) return 'is that of another user';
  if (!isOfSameIssuer(old, renewed, authority)) return 'has a client certificate of another authority';
  return endOf(renewed) < endOf(old) ? 'is older than the stored one' : null;
}

/** k3s adds the authority of clients to its file. Without it, the names of the issuers are compared. */
function isOfSameIssuer(
  old: X509Certificate,
  renewed: X509Certificate,
  authority?: X509Certificate,
): boolean {
  return old.issuer === renewed.issuer && (authority === undefined || renewed.verify(authority.publicKey));
}

function endOf({ validTo }: X509Certificate): number {
  return Date.parse(validTo);
}
