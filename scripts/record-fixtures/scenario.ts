import { record } from './recorder.ts';

/** An id that does not exist. */
export const unknownId = '00000000-0000-4000-8000-000000000000';

/** Cleanup functions, run in reverse order. */
const cleanups: { what: string; run: () => Promise<unknown> }[] = [];

/** Removes all created resources and prints failures. */
export async function cleanUp(): Promise<void> {
  for (const { what, run } of cleanups.reverse()) {
    await run().catch((thrown: unknown) => {
      console.error(`The ${what} could not be removed:`, thrown instanceof Error ? thrown.message : thrown);
    });
  }
}

/** Records two pages as `<name>-first` and `<name>-next`. */
export async function recordPages<T extends { id: string }>(
  name: string,
  read: (query: { limit: number; marker?: string }) => Promise<{ items: T[] }>,
  limit: number,
): Promise<void> {
  const first = await record(`${name}-first`, () => read({ limit }));
  await record(`${name}-next`, () => read({ limit, marker: first?.items.at(-1)?.id }));
}

export function addCleanup(what: string, run: () => Promise<unknown>): void {
  cleanups.push({ what, run });
}

export async function recordRequired<T>(name: string, run: () => Promise<T>): Promise<T> {
  const result = await record(name, run);
  if (result === undefined) throw new Error(`${name} failed.`);
  return result;
}

export function statusOf({ status }: { status: string }): string {
  return status;
}

export function waitOptions(describe: string) {
  return { describe, timeoutMs: 120_000, intervals: { firstMs: 1000, maxMs: 1000 } };
}
