import * as http from 'node:http';
import type { Environment } from './context.ts';
import { usageError } from './errors/cli-error.ts';
import { isProxyException } from './proxy-exceptions.ts';

/** Only newer versions of Node.js have it. */
const { setGlobalProxyFromEnv: setProxies } = http as {
  setGlobalProxyFromEnv?: (env: Environment) => () => void;
};

const OF_HTTP = ['http_proxy', 'HTTP_PROXY'];

/** Node.js keeps the proxies of all requests of the process. */
let undo = (): void => {};

/**
 * Sends requests to this address through the proxy that the environment names for it, until `stopProxies()`.
 *
 * @throws CliError if the address of the proxy is invalid
 */
export function useProxies(env: Environment, url: string): void {
  stopProxies();
  const { hostname, protocol } = new URL(url);
  const names = protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY', ...OF_HTTP] : OF_HTTP;
  const name = names.find((one) => env[one]);
  const exceptions = env.no_proxy || env.NO_PROXY || '';
  if (setProxies === undefined || name === undefined || isProxyException(hostname, exceptions)) return;
  const address = addressOf(name, env[name] ?? '');
  undo = setProxies({ http_proxy: address, https_proxy: address, no_proxy: exceptions });
}

export function stopProxies(): void {
  undo();
  undo = () => {};
}

/** Without a scheme it is http, as for other programs. The error does not show it: some have a password. */
function addressOf(name: string, text: string): string {
  const address = text.includes('://') ? text : `http://${text}`;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  throw usageError(`${name} is no address of an HTTP proxy, such as http://proxy.example.org:3128.`);
}
