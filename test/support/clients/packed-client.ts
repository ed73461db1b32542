import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../source/workspaces.ts';
import { installPacked, type PackedProject } from './packed-project.ts';

/** An empty project with the packed client of a release, by default this one. */
export function installPackedClient(source = root): Promise<PackedProject> {
  const dependencies = [realpathSync(join(source, 'node_modules/eventsource-parser'))];
  return installPacked('@gateway/client', { source, dependencies });
}
