import * as http from 'node:http';
import type { Environment } from './context.ts';
import { usageError } from './errors/cli-error.ts';
import { PROXY_VARIABLES } from './errors/proxy-note.ts';

/** Only newer versions of Node.js have it. */
const { setGlobalProxyFromEnv: setProxies } = http as {
  setGlobalProxyFromEnv?: (env: Environment) => () => void;
};

/**
 * Sends requests through the proxies that the environment names, past the hosts of `NO_PROXY`. Returns a
 * function that undoes it. @throws CliError if the address of a proxy is invalid
 */
export function useProxies(env: Environment): () => void {
  if (setProxies === undefined) return () => {};
  const named = PROXY_VARIABLES.flatMap((name) => (env[name] ? [[name, addressOf(name, env[name])]] : []));
  return setProxies({ ...env, ...Object.fromEntries(named) });
}

/** Without a scheme it is http, as for other programs. The error does not show it: some have a password. */
function addressOf(name: string, text: string): string {
  const address = text.includes('://') ? text : `http://${text}`;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  throw usageError(`${name} is no address of an HTTP proxy, such as http://proxy.example.org:3128.`);
}
