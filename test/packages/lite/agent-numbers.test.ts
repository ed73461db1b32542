import assert from 'node:assert/strict';
import { agentsToRemove, type LiteClusterAgent, nextAgentNumbers } from '@gateway/lite';

function agents(...numbers: number[]): LiteClusterAgent[] {
  return numbers.map((number) => ({ number, vmId: `vm-${number}`, volumeId: `volume-${number}` }));
}

describe('the numbers of agents', () => {
  it('are the lowest that are free', () => {
    assert.deepEqual(nextAgentNumbers({ agents: agents(), heldNumbers: [] }, 3), [1, 2, 3]);
    assert.deepEqual(nextAgentNumbers({ agents: agents(1, 3), heldNumbers: [] }, 2), [2, 4]);
  });

  it('leave out those whose node objects may exist', () => {
    assert.deepEqual(nextAgentNumbers({ agents: agents(1), heldNumbers: [2, 4] }, 2), [3, 5]);
  });

  it('are removed from the highest on', () => {
    const numbers = (count: number) =>
      agentsToRemove({ agents: agents(1, 2, 5) }, count).map(({ number }) => number);

    assert.deepEqual([numbers(0), numbers(1), numbers(3), numbers(7)], [[5, 2, 1], [5, 2], [], []]);
  });
});
