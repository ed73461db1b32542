import { readFileSync } from 'node:fs';
import type { NodeFile } from '../first-boot/plan.ts';

/** A file of the control node with the content of a file of the plugin's folder `guest`. */
export function guestFile(plugin: string, name: string, path: string, mode: NodeFile['mode']): NodeFile {
  const content = readFileSync(new URL(`./${plugin}/guest/${name}`, import.meta.url), 'utf8');
  return { path, mode, content };
}
