import { record } from './recorder.ts';

/** An id that nothing has. */
export const nowhere = '00000000-0000-4000-8000-000000000000';

/** Removals, the last made first. */
const undo: { what: string; run: () => Promise<unknown> }[] = [];

/** Removes what was made; says what could not be. */
export async function removeAll(): Promise<void> {
  for (const { what, run } of undo.reverse()) {
    await run().catch((thrown: unknown) => {
      console.error(`The ${what} could not be removed:`, thrown instanceof Error ? thrown.message : thrown);
    });
  }
}

/** Two pages, as `<name>-first` and `<name>-next`. */
export async function recordPages<T extends { id: string }>(
  name: string,
  read: (query: { limit: number; marker?: string }) => Promise<{ items: T[] }>,
  limit: number,
): Promise<void> {
  const first = await record(`${name}-first`, () => read({ limit }));
  await record(`${name}-next`, () => read({ limit, marker: first?.items.at(-1)?.id }));
}

export function later(what: string, run: () => Promise<unknown>): void {
  undo.push({ what, run });
}

export async function must<T>(name: string, run: () => Promise<T>): Promise<T> {
  const result = await record(name, run);
  if (result === undefined) throw new Error(`${name} failed.`);
  return result;
}

export function statusOf({ status }: { status: string }): string {
  return status;
}

export function patience(describe: string) {
  return { describe, timeoutMs: 120_000, intervalMs: 1000 };
}
