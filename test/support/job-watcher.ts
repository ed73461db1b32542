import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { InstanceMessage } from './gateway-client.ts';
import type { EventStream } from './sse-client.ts';

/** As a browser's EventSource would come back. */
const COME_BACK_MS = 100;

/** What a client has seen of a job, over as many connections as it took. */
export class JobWatcher {
  readonly seqs: number[] = [];
  readonly messages: InstanceMessage[] = [];

  /** Reads to the end of the stream, or so many events. */
  async take(stream: EventStream, count = Number.POSITIVE_INFINITY): Promise<void> {
    for (let taken = 0; taken < count; taken += 1) {
      const event = await stream.next().catch(() => null);
      if (event === null) return;
      this.seqs.push(Number(event.id));
      this.messages.push(JSON.parse(event.data) as InstanceMessage);
    }
  }

  /**
   * Reads until the job has ended, coming back whenever a stream breaks off; `open` is given the id of the last
   * event that was seen. False when the job has not ended in time.
   */
  async takeAll(
    stream: EventStream | null,
    open: (lastEventId?: string) => Promise<EventStream>,
    timeoutMs: number,
  ): Promise<boolean> {
    const deadline = AbortSignal.timeout(timeoutMs);
    let current = stream;
    while (!deadline.aborted) {
      if (current !== null) {
        const { close } = current;
        deadline.addEventListener('abort', close);
        await this.take(current);
        deadline.removeEventListener('abort', close);
      }
      if (this.hasEnded) return true;
      if (current !== null) await pause(COME_BACK_MS);
      const seen = this.seqs.at(-1);
      current = await open(seen === undefined ? undefined : String(seen)).catch(() => null);
      if (current === null) await pause(COME_BACK_MS);
    }
    return false;
  }

  get last(): InstanceMessage | undefined {
    return this.messages.at(-1);
  }

  get hasEnded(): boolean {
    return this.last !== undefined && isLast(this.last);
  }

  /** What is wrong with what was seen; empty when every event came once, in order, the last one last. */
  get faults(): string[] {
    const faults: string[] = [];
    if (!this.seqs.every((seq, index) => seq === index + 1)) faults.push(`events ${this.seqs.join(' ')}`);
    const lasts = this.messages.filter(isLast).length;
    if (lasts > 1) faults.push(`${lasts} last events`);
    if (lasts > 0 && !this.hasEnded) faults.push('events after the last one');
    return faults;
  }

  /** Steps that were announced more than once, beyond those that are meant to be. */
  repeatedSteps(): string[] {
    const told = this.messages.map(({ step, message }) => `${step} (${message})`);
    return told.filter((line, index) => told.indexOf(line) !== index);
  }

  assertGapless(): void {
    assert.deepEqual(
      this.seqs,
      this.seqs.map((_, index) => index + 1),
      'every event once, in order',
    );
  }
}

function isLast({ step }: InstanceMessage): boolean {
  return step === 'COMPLETED' || step === 'FAILED';
}
