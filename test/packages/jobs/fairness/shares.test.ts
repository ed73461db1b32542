import assert from 'node:assert/strict';
import fc from 'fast-check';
import { queueSuite, type Run } from './queue-suite.ts';

/** A project gets at most this many turns more than another one that could use them, from any moment on. */
const MAX_LEAD = 2;

type Step =
  | { kind: 'arrive'; project: number; jobs: number }
  /** The `index`-th of the running jobs ends. */
  | { kind: 'end'; index: number }
  | { kind: 'slots'; count: number };

const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('arrive' as const),
      project: fc.nat(3),
      jobs: fc.integer({ min: 1, max: 6 }),
    }),
    fc.record({ kind: fc.constant('end' as const), index: fc.nat() }),
    fc.record({ kind: fc.constant('end' as const), index: fc.nat() }),
    fc.record({ kind: fc.constant('slots' as const), count: fc.integer({ min: 1, max: 6 }) }),
  ),
  { minLength: 10, maxLength: 40 },
);

describe('the shares of projects', () => {
  const suite = queueSuite();

  it('are equal, whatever arrives and ends, and however many workers there are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(0, 1, 2, 3), steps, async (limit, given) => {
        await suite.close();
        await suite.open();
        await suite.restart(limit);
        await new Simulation(limit).play(given);
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });

  class Simulation {
    readonly #limit: number;
    #slots = 2;
    readonly #running: Run[] = [];
    /** How many jobs of each project have not begun. */
    readonly #waiting = new Map<string, number>();
    /** How many turns more than the first project the second one had since the first could use each. */
    readonly #leads = new Map<string, Map<string, number>>();

    constructor(limit: number) {
      this.#limit = limit;
    }

    async play(given: readonly Step[]): Promise<void> {
      for (const step of given) {
        if (step.kind === 'slots') this.#slots = step.count;
        else if (step.kind === 'arrive') await this.#arrive(`p${step.project}`, step.jobs);
        else await this.#end(step.index);
        await this.#fillSlots();
      }
      // None starves: all begin once the others end.
      while (this.#running.length > 0) {
        await this.#end(0);
        await this.#fillSlots();
      }
      assert.deepEqual([...this.#waiting.values()].filter(Boolean), [], 'jobs that never begin');
    }

    async #arrive(project: string, jobs: number): Promise<void> {
      for (let job = 0; job < jobs; job += 1) await suite.enqueue(project);
      this.#waiting.set(project, (this.#waiting.get(project) ?? 0) + jobs);
    }

    async #end(index: number): Promise<void> {
      const [run] = this.#running.splice(index % Math.max(1, this.#running.length), 1);
      if (run !== undefined) await suite.end(run);
    }

    async #fillSlots(): Promise<void> {
      while (this.#running.length < this.#slots) {
        const run = await suite.begin();
        if (run === null) {
          assert.deepEqual(this.#projectsThatCouldRun(), [], 'a slot is idle');
          return;
        }
        this.#checkTurn(run.job.projectId);
        this.#running.push(run);
        const { projectId } = run.job;
        this.#waiting.set(projectId, (this.#waiting.get(projectId) ?? 0) - 1);
        const count = this.#countRunning(projectId);
        assert.ok(this.#limit === 0 || count <= this.#limit, `${count} jobs of ${projectId} run`);
      }
    }

    #checkTurn(served: string): void {
      const able = this.#projectsThatCouldRun();
      for (const project of this.#leads.keys()) if (!able.includes(project)) this.#leads.delete(project);
      for (const project of able) {
        const leads = this.#leads.get(project) ?? new Map<string, number>();
        this.#leads.set(project, leads);
        if (project === served) for (const [other, lead] of leads) leads.set(other, Math.max(0, lead - 1));
        else leads.set(served, (leads.get(served) ?? 0) + 1);
        for (const [other, lead] of leads)
          assert.ok(lead <= MAX_LEAD, `${other} had ${lead} turns more than ${project}, which waited`);
      }
    }

    #projectsThatCouldRun(): string[] {
      return [...this.#waiting]
        .filter(
          ([project, count]) => count > 0 && (this.#limit === 0 || this.#countRunning(project) < this.#limit),
        )
        .map(([project]) => project);
    }

    #countRunning(project: string): number {
      return this.#running.filter(({ job }) => job.projectId === project).length;
    }
  }
});
