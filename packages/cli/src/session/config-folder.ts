import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../context.ts';

/** The folder of this program in the configuration folder of the user. */
export function configFolder(env: Environment, platform: string = process.platform): string {
  const home = env.HOME || homedir();
  const base =
    platform === 'win32'
      ? env.APPDATA || join(homedir(), 'AppData', 'Roaming')
      : env.XDG_CONFIG_HOME || join(home, '.config');
  return join(base, 'gateway');
}
