import { readFileSync } from 'node:fs';

/** Resident memory of a process, in KiB. */
export function residentKib(pid: number): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib);
}
