import assert from 'node:assert/strict';
import type { Suite } from 'mocha';
import type { Machine } from './machine.ts';

/** Several sequential boots, emulated on a busy machine. */
const SUITE_MS = 40 * 60_000;

/** A suite that boots machines. */
export function describeOnMachine(title: string, define: (suite: Suite) => void): void {
  describe(title, function () {
    this.timeout(SUITE_MS);
    define(this);
  });
}

/** Asserts that these checks succeeded in each of the boots. */
export function assertChecks(machine: Machine, keys: string[], boots: number | number[] = 1): void {
  for (const boot of [boots].flat()) {
    for (const key of keys) {
      const { ok, detail } = machine.result(key, boot);
      assert.ok(ok, `boot ${boot}, ${key}: ${detail}`);
    }
  }
}
