import { newRequestId } from '@gateway/core';
import type { Case } from './cases.ts';
import type { Fault } from './fault.ts';
import { workerKilled } from './faults.ts';
import { type Act, isCreating, type Kind, type Place, placesOf } from './kind.ts';
import { Rig } from './rig.ts';
import { runCases } from './run-cases.ts';
import type { Verdict } from './verdict.ts';

/**
 * Kills the worker at every call of a job, reads and writes, before and after the call is performed; then the
 * same during a rollback.
 */
export async function everyCall(
  kind: Kind,
  stacks: number,
  onVerdict: (done: Case, verdict: Verdict) => void,
): Promise<void> {
  const faults = [
    workerKilled('worker killed before the call', 'before'),
    workerKilled('worker killed after the call', 'after'),
  ];
  const last = lastCall(kind);
  const rollbackFaults = last === undefined ? [] : faults.map((fault) => duringRollback(fault, last));
  const calls = await countCalls(kind);
  const cases = [...faults, ...rollbackFaults].flatMap((fault) =>
    Array.from({ length: calls }, (_, index) => ({ kind, place: callPlace(index + 1), fault })),
  );
  await runCases(cases, { stacks }, (done, verdict) => {
    // The number of polls varies between runs: the last calls may not be made.
    if (verdict.end !== 'not reached') onVerdict(done, verdict);
  });
}

/** The last call of a creation that creates something. Its failure rolls the creation back. */
function lastCall(kind: Kind): Act | undefined {
  const creates = placesOf(kind).filter((place) => isCreating(place) && !place.isCommitted);
  const { service, operation, nth } = creates.at(-1) ?? {};
  return kind.name.startsWith('create') ? { service, operation, nth } : undefined;
}

function callPlace(nth: number): Place {
  const step = `call ${nth}`;
  return { step, name: step, nth, isLast: false, isCommitted: false, hasRollback: false };
}

function duringRollback(fault: Fault, last: Act): Fault {
  return {
    name: `${fault.name}, during rollback`,
    async arm(site) {
      const { requestId } = site.match;
      await site.rig.control.addFault({ requestId, ...last, status: 400, times: 0 });
      return fault.arm(site);
    },
    allows: () => ['failed'],
  };
}

/** The calls of a job without faults; doubled for its rollback. */
async function countCalls(kind: Kind): Promise<number> {
  const rig = await Rig.start();
  try {
    const subject = await kind.prepare(rig);
    const requestId = (await kind.requestIdOf?.(rig, subject)) ?? newRequestId();
    const { jobId, stream } = await kind.start(rig, subject, requestId);
    await (stream ?? (await rig.gateway().followJob(jobId))).rest();
    const { length } = await rig.control.calls(requestId);
    return lastCall(kind) !== undefined ? 2 * length : length;
  } finally {
    await rig.stop();
  }
}
