import { readFileSync } from 'node:fs';
import type { K3sSource } from './config.ts';
import { type Environment, variable } from './env.ts';
import type { RegistryCredential } from './secrets.ts';

type RegistryLogin = K3sSource['registryCredentials'][number];

/**
 * Reads the passwords of the mirrors, and adds problems to `problems`. A problem contains no part of a
 * password.
 */
export function readRegistryCredentials(
  { registries, registryCredentials }: Pick<K3sSource, 'registries' | 'registryCredentials'>,
  environment: Environment,
  problems: string[],
): RegistryCredential[] {
  return registryCredentials.map((login, at) => {
    const key = `lite.k3s.registry_credentials[${at}]`;
    const { password, problem } = readPassword(login, environment);
    if (problem !== undefined) problems.push(`"${key}${problem}`);
    const hostProblem = problemOfHost(login, registries);
    if (hostProblem !== null) problems.push(`"${key}.host" (${login.host}) ${hostProblem}`);
    return { host: login.host, username: login.username, password };
  });
}

interface FoundPassword {
  /** Empty with a problem. */
  password: string;
  /** The rest of a sentence that begins with a quote and the login's key. */
  problem?: string;
}

function readPassword(
  { passwordFile, passwordVariable }: RegistryLogin,
  environment: Environment,
): FoundPassword {
  if (passwordFile !== null && passwordVariable === null) {
    const where = `.password_file" names a file`;
    const text = readText(passwordFile);
    if (text === null) return { password: '', problem: `${where} that cannot be read (${passwordFile})` };
    if (isLine(text.trim())) return { password: text.trim() };
    return { password: '', problem: `${where} that does not have one line of text (${passwordFile})` };
  }
  if (passwordFile === null && passwordVariable !== null) {
    const where = `.password_variable" names a variable`;
    const text = variable(environment, passwordVariable);
    if (text === undefined)
      return { password: '', problem: `${where} that is not set (${passwordVariable})` };
    if (isLine(text)) return { password: text };
    return { password: '', problem: `${where} that does not have one line of text (${passwordVariable})` };
  }
  return { password: '', problem: '" must have either "password_file" or "password_variable"' };
}

/** A credential for another host would have no effect, and without TLS anybody on the way could read it. */
function problemOfHost({ host }: RegistryLogin, registries: K3sSource['registries']): string | null {
  const endpoints = registries
    .map(({ endpoint }) => endpoint)
    .filter((endpoint) => hostOf(endpoint) === host);
  if (endpoints.length === 0) return 'must be the host of an endpoint in "lite.k3s.registries"';
  if (endpoints.every((endpoint) => /^https:/i.test(endpoint))) return null;
  return 'must have endpoints with https only, because the nodes send a password there';
}

/** As it is written, because k3s compares the texts. */
function hostOf(endpoint: string): string | undefined {
  return /^https?:\/\/([^/]+)/i.exec(endpoint)?.[1];
}

function isLine(text: string): boolean {
  return /^\P{Cc}+$/u.test(text);
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
