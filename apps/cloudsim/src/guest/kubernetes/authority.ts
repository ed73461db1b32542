// The certificate library requires this import before its own.
import 'reflect-metadata';
import { createPrivateKey, KeyObject, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

/** A certificate and its key, in PEM. */
export interface CertifiedKey {
  certificate: string;
  key: string;
}

interface Subject {
  /** Common name. */
  name: string;
  organization?: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const YEAR_MS = 365 * 24 * 3_600_000;
const { keyCertSign, digitalSignature, keyEncipherment } = x509.KeyUsageFlags;

/** A certificate authority as k3s creates it: with an EC key, valid for ten years. */
export async function createAuthority(name: string): Promise<CertifiedKey> {
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: nameOf({ name }),
    keys,
    signingAlgorithm: ALGORITHM,
    ...validFor(10),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(keyCertSign | digitalSignature | keyEncipherment, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: pemOf(certificate), key: keyPemOf(keys.privateKey) };
}

/** A server's certificate for names and addresses, valid for a year by default. */
export function issueForServer(
  authority: CertifiedKey,
  subject: Subject,
  hosts: readonly string[],
  validity = validFor(1),
): Promise<CertifiedKey> {
  const names = hosts.map((value) => ({ type: isAddress(value) ? 'ip' : 'dns', value }) as const);
  const extension = new x509.SubjectAlternativeNameExtension(names);
  return issue(authority, subject, x509.ExtendedKeyUsage.serverAuth, [extension], validity);
}

/** A client's certificate, valid for a year by default. */
export function issueForClient(
  authority: CertifiedKey,
  subject: Subject,
  validity = validFor(1),
): Promise<CertifiedKey> {
  return issue(authority, subject, x509.ExtendedKeyUsage.clientAuth, [], validity);
}

async function issue(
  authority: CertifiedKey,
  subject: Subject,
  usage: x509.ExtendedKeyUsageType,
  extensions: x509.Extension[],
  validity = validFor(1),
): Promise<CertifiedKey> {
  const issuer = new x509.X509Certificate(authority.certificate);
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    subject: nameOf(subject),
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.key),
    signingAlgorithm: ALGORITHM,
    ...validity,
    extensions: [
      new x509.KeyUsagesExtension(digitalSignature | keyEncipherment, true),
      new x509.ExtendedKeyUsageExtension([usage]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
      ...extensions,
    ],
  });
  return { certificate: pemOf(certificate), key: keyPemOf(keys.privateKey) };
}

async function generateKeys() {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function importKey(pem: string) {
  return createPrivateKey(pem).toCryptoKey(ALGORITHM, false, ['sign']);
}

function validFor(years: number): { notBefore: Date; notAfter: Date } {
  // A minute earlier, because clocks may differ.
  const notBefore = new Date(Date.now() - 60_000);
  return { notBefore, notAfter: new Date(notBefore.getTime() + years * YEAR_MS) };
}

function nameOf({ name, organization }: Subject): x509.JsonName {
  return [...(organization === undefined ? [] : [{ O: [organization] }]), { CN: [name] }];
}

function isAddress(host: string): boolean {
  return isIP(host) !== 0;
}

function pemOf(certificate: x509.X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}

/** In the format of k3s: `EC PRIVATE KEY`. */
function keyPemOf(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ type: 'sec1', format: 'pem' }).toString();
}
