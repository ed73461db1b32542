import assert from 'node:assert/strict';
import { agentsToRemove, type LiteClusterAgent, nextAgentNumbers } from '@gateway/lite';

function agents(...numbers: number[]): LiteClusterAgent[] {
  return numbers.map((number) => ({ number, vmId: `vm-${number}`, volumeId: `volume-${number}` }));
}

const named = { id: 'c1', name: 'Shop' };
const none = new Set<string>();

describe('the numbers of agents', () => {
  it('are the lowest that are free', () => {
    assert.deepEqual(nextAgentNumbers({ ...named, agents: agents(), heldNumbers: [] }, 3, none), [1, 2, 3]);
    assert.deepEqual(nextAgentNumbers({ ...named, agents: agents(1, 3), heldNumbers: [] }, 2, none), [2, 4]);
  });

  it('leave out those whose node objects may exist', () => {
    assert.deepEqual(nextAgentNumbers({ ...named, agents: agents(1), heldNumbers: [2, 4] }, 2, none), [3, 5]);
  });

  it('leave out those of machines that the record does not know', () => {
    const machines = new Set(['shop-server', 'shop-agent-1', 'shop-agent-2']);

    assert.deepEqual(nextAgentNumbers({ ...named, agents: agents(1), heldNumbers: [] }, 2, machines), [3, 4]);
  });

  it('are removed from the highest on', () => {
    const numbers = (count: number) =>
      agentsToRemove({ agents: agents(1, 2, 5) }, count).map(({ number }) => number);

    assert.deepEqual([numbers(0), numbers(1), numbers(3), numbers(7)], [[5, 2, 1], [5, 2], [], []]);
  });
});
