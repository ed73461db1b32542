import { type CloudConfig, cloudConfig } from './cloud-config.ts';
import type { GuestFile } from './guest-file.ts';
import { multiPart, type Part } from './multi-part.ts';

/**
 * The parts of first-boot data. The two of cloud-config have no key in common, since of two that do cloud-init
 * takes the later one alone. The script is the last and only one, so its exit status becomes cloud-init's.
 */
export function firstBootParts(machine: CloudConfig, files: GuestFile[]): string {
  const parts: Part[] = [config('machine.yaml', machine)];
  if (files.length > 0) {
    parts.push(config('files.yaml', { write_files: files }), {
      type: 'text/x-shellscript',
      fileName: 'gateway-first-boot',
      text: '#!/bin/sh\nexec /usr/local/sbin/gateway-first-boot\n',
    });
  }
  return multiPart(parts);
}

function config(fileName: string, content: CloudConfig): Part {
  return { type: 'text/cloud-config', fileName, text: cloudConfig(content) };
}
