import { newRequestId } from '@gateway/core';
import type { Case } from './cases.ts';
import type { Fault } from './fault.ts';
import { workerKilled } from './faults.ts';
import type { Kind, Place } from './kind.ts';
import { Rig } from './rig.ts';
import { runCases } from './run-cases.ts';
import type { Verdict } from './verdict.ts';

/** What the last step of every creation asks for; refused, it has everything taken back. */
const LAST_ACT = { service: 'network', operation: 'floating_ips.create' };

/**
 * A worker that is killed at each single call that a job makes, acts and looks alike, before and after it is
 * performed; then the same while all is taken back.
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
  const turningBack = kind.turnsBack ? faults.map(whileTakingBack) : [];
  const calls = await countCalls(kind);
  const cases = [...faults, ...turningBack].flatMap((fault) =>
    Array.from({ length: calls }, (_, index) => ({ kind, place: callPlace(index + 1), fault })),
  );
  await runCases(cases, stacks, (done, verdict) => {
    // How often a job looks differs from run to run: the last calls may not come.
    if (verdict.end !== 'not reached') onVerdict(done, verdict);
  });
}

function callPlace(nth: number): Place {
  const step = `call ${nth}`;
  return { step, name: step, nth, isLast: false, isCommitted: false, takesBack: false };
}

function whileTakingBack(fault: Fault): Fault {
  return {
    name: `${fault.name}, turning back`,
    async arm(site) {
      const { requestId } = site.match;
      await site.rig.control.addFault({ requestId, ...LAST_ACT, status: 400, times: 0 });
      return fault.arm(site);
    },
    allows: () => ['failed'],
  };
}

/** Of a job that nothing happens to; taking it all back asks for about as much again. */
async function countCalls(kind: Kind): Promise<number> {
  const rig = await Rig.start();
  try {
    const requestId = newRequestId();
    const { jobId, stream } = await kind.start(rig, await kind.prepare(rig), requestId);
    await (stream ?? (await rig.gateway().followJob(jobId))).rest();
    const { length } = await rig.control.calls(requestId);
    return kind.turnsBack ? 2 * length : length;
  } finally {
    await rig.stop();
  }
}
