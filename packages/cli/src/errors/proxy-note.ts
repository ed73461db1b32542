import * as http from 'node:http';
import type { Environment } from '../context.ts';

const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];
/** Only newer versions of Node.js can. */
const CAN_USE_PROXIES = 'setGlobalProxyFromEnv' in http;

/** Explains failed connections where the environment names a proxy that is not used; '' elsewhere. */
export function unusedProxyNote(env: Environment, isUsed = CAN_USE_PROXIES): string {
  const name = PROXY_VARIABLES.find((one) => env[one]);
  if (name === undefined) {
    const ofAll = ['ALL_PROXY', 'all_proxy'].find((one) => env[one]);
    return ofAll === undefined ? '' : ` ${ofAll} has no effect: set HTTPS_PROXY.`;
  }
  if (isUsed || env.NODE_USE_ENV_PROXY === '1') return '';
  return ` ${name} has no effect with Node.js ${process.version}; version 24.14 and newer ones use it.`;
}
