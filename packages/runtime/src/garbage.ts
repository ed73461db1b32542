import { Session } from 'node:inspector';

/**
 * Collects all garbage and gives the memory back to the system. V8 enlarges its young generation while the modules load,
 * and shrinks it at the next collection without much work: in a process that waits for its first requests that may be
 * hours later. Blocks the process for about a tenth of a second.
 */
export async function collectGarbage(): Promise<void> {
  if (!process.features.inspector) return;
  // The documented way that needs no flag of the command line.
  const session = new Session();
  session.connect();
  try {
    await new Promise<void>((resolve, reject) => {
      session.post('HeapProfiler.collectGarbage', (error) => (error === null ? resolve() : reject(error)));
    });
  } finally {
    session.disconnect();
  }
}
