import { readFileSync } from 'node:fs';

/** Resident memory of a process, in KiB. */
export function residentKib(pid: number): number {
  return statusKib(pid, 'VmRSS');
}

/** The highest resident memory of a process since it started, in KiB. */
export function highestResidentKib(pid: number): number {
  return statusKib(pid, 'VmHWM');
}

function statusKib(pid: number, field: string): number {
  const [, kib = '0'] =
    new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib);
}
