import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 100;

/**
 * Locks a data folder for this process and returns the function that releases it. Takes over the
 * lock of a dead process.
 * @throws when another process still holds the lock after `waitMs`
 */
export async function lockFolder(dir: string, waitMs: number): Promise<() => void> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, 'cloudsim.pid');
  const deadline = Date.now() + waitMs;
  for (;;) {
    if (create(file)) return () => rmSync(file, { force: true });
    const holder = holderOf(file);
    if (holder === null) rmSync(file, { force: true });
    else if (Date.now() < deadline) await sleep(RETRY_MS);
    else {
      throw new Error(
        `the data of the simulated cloud in ${dir} are in use by process ${holder}: is the gateway running already?`,
      );
    }
  }
}

function create(file: string): boolean {
  try {
    writeFileSync(file, `${process.pid} ${startTimeOf(process.pid)}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The process that holds the lock; null when it is dead. */
function holderOf(file: string): number | null {
  try {
    const [pid, startTime] = readFileSync(file, 'utf8').split(' ');
    process.kill(Number(pid), 0);
    // Another process may have the process id by now.
    return startTimeOf(Number(pid)) === startTime ? Number(pid) : null;
  } catch {
    return null;
  }
}

/** Distinguishes processes with the same id; '' where the system does not provide it. */
function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name, which may contain spaces. The start time is the 22nd field.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
