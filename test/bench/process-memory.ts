import { readFileSync } from 'node:fs';

/** What a process holds in memory, in KiB. */
export function residentKib(pid: number): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib);
}
