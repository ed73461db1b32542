import type { GuestFile } from '@gateway/cloud-init';
import type { NodeFile } from './plan.ts';

/**
 * @throws when path or mode are invalid; the message contains neither
 */
export function nodeFile({ path, content, mode }: NodeFile): GuestFile {
  if (!/^(\/[\w.-]+)+$/.test(path) || path.split('/').includes('..')) {
    throw new Error('The path of a file of a node is invalid.');
  }
  if (!/^0[0-7]{3}$/.test(mode)) throw new Error('The mode of a file of a node is invalid.');
  return { path, permissions: mode, content };
}
