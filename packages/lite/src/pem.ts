import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';
const MAX_CERTIFICATES = 8;
const CURVES = ['prime256v1', 'secp384r1', 'secp521r1'];
/** Larger keys take seconds of processor time for one handshake. */
const MAX_RSA_BITS = 4096;

/** The certificates of a PEM text without other content; null for any other text. */
export function readCertificates(pem: string): X509Certificate[] | null {
  const certificates: X509Certificate[] = [];
  let rest = pem.trim();
  while (rest !== '') {
    const end = rest.indexOf(END);
    if (!rest.startsWith(BEGIN) || end < 0 || certificates.length === MAX_CERTIFICATES) return null;
    try {
      certificates.push(new X509Certificate(rest.slice(0, end + END.length)));
    } catch {
      return null;
    }
    rest = rest.slice(end + END.length).trimStart();
  }
  return certificates.length > 0 ? certificates : null;
}

/** An unencrypted private key of a common kind and size; null for any other text. */
export function readPrivateKey(pem: string): KeyObject | null {
  try {
    // The passphrase prevents a prompt.
    const key = createPrivateKey({ key: pem, format: 'pem', passphrase: '' });
    return isAccepted(key) ? key : null;
  } catch {
    return null;
  }
}

function isAccepted({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'ec') return CURVES.includes(asymmetricKeyDetails?.namedCurve ?? '');
  if (asymmetricKeyType === 'rsa') return (asymmetricKeyDetails?.modulusLength ?? Infinity) <= MAX_RSA_BITS;
  return asymmetricKeyType === 'ed25519';
}

/** The certificates as PEM, without text between them. */
export function certificatesToPem(certificates: readonly X509Certificate[]): string {
  return certificates.map(String).join('');
}

export function privateKeyToPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
