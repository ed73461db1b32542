import { type GatewayError, invalidInput } from '@gateway/core';
import { parse, stringify } from 'yaml';
import type { ClusterCredentials } from './kubernetes/index.ts';
import { certificatesToPem, privateKeyToPem, readCertificates, readPrivateKey } from './pem.ts';

/** The parts of a control node's configuration file that the gateway uses. */
export interface Kubeconfig {
  /** `https://192.0.2.10:6443`. Do not connect to the server of a report: a tenant chooses it. */
  server: string;
  credentials: ClusterCredentials;
}

type Fields = Readonly<Record<string, unknown>>;

/** A file with EC keys has 3 kB, a file with large RSA keys 10 kB. */
const MAX_BYTES = 32 * 2 ** 10;
/** A file of k3s has 250 characters outside its base64. The parsing time grows with them. */
const MAX_PUNCTUATION = 2_000;
const PUNCTUATION = /[^A-Za-z0-9+/=]/g;
const TOKEN = /^[!-~]{1,4096}$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Reads a reported file as hostile input. Uses only the server, its authorities, and a client certificate
 * with its key or a token. Ignores all other content: programs, paths of files, proxies. Messages never quote
 * the file, which contains a key.
 *
 * @throws 400 with the problem
 */
export function parseKubeconfig(text: string): Kubeconfig {
  if (Buffer.byteLength(text) > MAX_BYTES) throw refused(`is larger than ${MAX_BYTES} bytes`);
  if ((text.match(PUNCTUATION)?.length ?? 0) > MAX_PUNCTUATION)
    throw refused('has more structure than a kubeconfig needs');
  const file = fieldsOf(parseYaml(text), 'is not a map');
  if (file.kind !== 'Config' || file.apiVersion !== 'v1') throw refused('is not a Config of version v1');
  const context = onlyEntry(file, 'contexts', 'context');
  const cluster = onlyEntry(file, 'clusters', 'cluster');
  const user = onlyEntry(file, 'users', 'user');
  if (file['current-context'] !== context.name)
    throw refused('has a current context that it does not define');
  if (context.fields.cluster !== cluster.name || context.fields.user !== user.name)
    throw refused('has a context that names another cluster or user');
  return { server: serverOf(cluster.fields), credentials: credentialsOf(cluster.fields, user.fields) };
}

/** When the first of the file's certificates expires, in milliseconds since the epoch. */
export function firstCertificateEnd({ credentials }: Kubeconfig): number {
  const chains = 'token' in credentials ? [credentials.ca] : [credentials.ca, credentials.clientCertificate];
  const certificates = chains.flatMap((pem) => readCertificates(pem) ?? []);
  return Math.min(...certificates.map(({ validTo }) => Date.parse(validTo)));
}

/** The administrators' file, in the layout of k3s. */
export function buildKubeconfig({ server, credentials }: Kubeconfig): string {
  const user =
    'token' in credentials
      ? { token: credentials.token }
      : {
          'client-certificate-data': base64(credentials.clientCertificate),
          'client-key-data': base64(credentials.clientKey),
        };
  return fileOf(server, credentials.ca, user);
}

/** The user of the identity service for whom a file without a secret is built. */
export interface IdentityUser {
  /** URL of the identity service for users, with its version. */
  identityUrl: string;
  userName: string;
  domainName: string;
  projectName: string;
}

const CLIENT = 'client-keystone-auth';

/**
 * The file for a user of the identity service. Contains no secret: the client gets tokens with a program
 * that asks for the password, or reads it from the variables `OS_*`.
 */
export function buildIdentityKubeconfig(
  { server, credentials }: Kubeconfig,
  { identityUrl, userName, domainName, projectName }: IdentityUser,
): string {
  const exec = {
    // The only version that the program supports.
    apiVersion: 'client.authentication.k8s.io/v1beta1',
    command: CLIENT,
    args: [
      `--keystone-url=${identityUrl}`,
      `--domain-name=${domainName}`,
      `--user-name=${userName}`,
      `--project-name=${projectName}`,
    ],
    installHint: `${CLIENT} is one of the programs of https://github.com/kubernetes/cloud-provider-openstack.`,
    interactiveMode: 'IfAvailable',
  };
  return fileOf(server, credentials.ca, { exec });
}

function fileOf(server: string, ca: string, user: object): string {
  const file = {
    apiVersion: 'v1',
    clusters: [{ cluster: { 'certificate-authority-data': base64(ca), server }, name: 'default' }],
    contexts: [{ context: { cluster: 'default', user: 'default' }, name: 'default' }],
    'current-context': 'default',
    kind: 'Config',
    users: [{ name: 'default', user }],
  };
  return stringify(file, { lineWidth: 0 });
}

/**
 * Parses all scalars as strings and rejects aliases. The last of repeated keys counts: detecting them takes
 * time quadratic in their number.
 */
function parseYaml(text: string): unknown {
  try {
    return parse(text, {
      schema: 'failsafe',
      maxAliasCount: 0,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
    });
  } catch {
    throw refused('is not valid YAML without aliases');
  }
}

function onlyEntry(file: Fields, list: string, key: string): { name: string; fields: Fields } {
  const entries = file[list];
  if (!Array.isArray(entries) || entries.length !== 1)
    throw refused(`must have exactly one entry in ${list}`);
  const entry = fieldsOf(entries[0], `has an entry in ${list} that is not a map`);
  if (typeof entry.name !== 'string') throw refused(`has an entry without a name in ${list}`);
  return { name: entry.name, fields: fieldsOf(entry[key], `has an entry without a ${key} in ${list}`) };
}

function serverOf(cluster: Fields): string {
  const url = typeof cluster.server === 'string' ? URL.parse(cluster.server) : null;
  if (url?.protocol !== 'https:' || url.href !== `https://${url.host}/`)
    throw refused('has a server that is not an https URL of a host and a port');
  return `https://${url.host}`;
}

function credentialsOf(cluster: Fields, user: Fields): ClusterCredentials {
  const authorities = readCertificates(decoded(cluster, 'certificate-authority-data'));
  if (authorities === null) throw refused('has certificate-authority-data that are not certificates in PEM');
  const ca = certificatesToPem(authorities);
  if (user['client-certificate-data'] === undefined && user['client-key-data'] === undefined) {
    const { token } = user;
    if (token === undefined) throw refused('has neither a client certificate nor a token');
    if (typeof token !== 'string' || !TOKEN.test(token)) throw refused('has a token of another form');
    return { ca, token };
  }
  const certificates = readCertificates(decoded(user, 'client-certificate-data'));
  if (certificates === null) throw refused('has client-certificate-data that are not certificates in PEM');
  const key = readPrivateKey(decoded(user, 'client-key-data'));
  if (key === null) throw refused('has client-key-data that are not a usable private key in PEM');
  if (!certificates[0]?.checkPrivateKey(key))
    throw refused('has a client key that does not belong to its certificate');
  return { ca, clientCertificate: certificatesToPem(certificates), clientKey: privateKeyToPem(key) };
}

function decoded(fields: Fields, key: string): string {
  const value = fields[key];
  if (value === undefined) throw refused(`has no ${key}`);
  if (typeof value !== 'string' || !BASE64.test(value)) throw refused(`has ${key} that are not base64`);
  return Buffer.from(value, 'base64').toString('latin1');
}

function fieldsOf(value: unknown, problem: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refused(problem);
  return value as Fields;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function refused(problem: string): GatewayError {
  return invalidInput(`The kubeconfig ${problem}.`);
}
