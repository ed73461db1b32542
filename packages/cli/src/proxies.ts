import * as http from 'node:http';
import type { Environment } from './context.ts';

const NAMES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Only newer versions of Node.js have it. */
const { setGlobalProxyFromEnv: setProxies } = http as {
  setGlobalProxyFromEnv?: (env: Environment) => () => void;
};

/**
 * Sends requests through the proxies that the environment names, past the hosts of `NO_PROXY`. Returns a
 * function that undoes it. @throws if the URL of a proxy is invalid
 */
export function useProxies(env: Environment): () => void {
  return setProxies?.(env) ?? (() => {});
}

/** Explains failed connections where the environment names a proxy that is not used; '' elsewhere. */
export function unusedProxyNote(env: Environment, isUsed = setProxies !== undefined): string {
  const name = NAMES.find((one) => env[one]);
  if (name === undefined || isUsed || env.NODE_USE_ENV_PROXY === '1') return '';
  return ` ${name} has no effect with Node.js ${process.version}; version 24.14 and newer ones use it.`;
}
