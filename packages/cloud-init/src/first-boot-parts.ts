import { type CloudConfig, cloudConfig } from './cloud-config.ts';
import { type FirstBootSettings, settingsConfig, settingsFiles } from './first-boot-settings.ts';
import type { GuestFile } from './guest-file.ts';
import { multiPart, type Part } from './multi-part.ts';
import { userPart } from './user-part.ts';

/**
 * The parts of first-boot data. The two cloud-config parts have no common key, because cloud-init would use
 * only the later one. The user's part comes last: its script runs after the gateway's, which has mounted
 * `/workspace` by then, and its cloud-config adds to that of the gateway.
 *
 * @param directHosts hosts that the machine reaches without the proxy of the settings
 * @param userData the user's own first-boot data; null for none
 */
export function firstBootParts(
  machine: CloudConfig,
  files: GuestFile[],
  settings: FirstBootSettings,
  directHosts: string[] = [],
  userData: string | null = null,
): string {
  const parts: Part[] = [config('machine.yaml', { ...machine, ...settingsConfig(settings) })];
  if (files.length > 0) {
    const written = [...files, ...settingsFiles(settings, directHosts)];
    parts.push(config('files.yaml', { write_files: written }), {
      type: 'text/x-shellscript',
      fileName: 'gateway-first-boot',
      text: '#!/bin/sh\nexec /usr/local/sbin/gateway-first-boot\n',
    });
  }
  if (userData !== null) parts.push(userPart(userData));
  return multiPart(parts);
}

function config(fileName: string, content: CloudConfig): Part {
  return { type: 'text/cloud-config', fileName, text: cloudConfig(content) };
}
