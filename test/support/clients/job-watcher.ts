import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { JobEvents } from '../../../packages/client/src/index.ts';
import { type InstanceMessage, RECONNECT_DELAY_MS } from './gateway-client.ts';
import type { EventStream } from './sse-client.ts';

/** The events of a job that a client has received, over any number of connections. */
export class JobWatcher {
  readonly seqs: number[] = [];
  readonly messages: InstanceMessage[] = [];
  /** The error with which the published client ended. */
  failure: unknown;

  /** Reads with the published client. Resolves with false if the client ends before the job has ended. */
  async follow(events: JobEvents<InstanceMessage>): Promise<boolean> {
    try {
      for await (const { id, ...message } of events) {
        this.seqs.push(id);
        this.messages.push(message);
      }
    } catch (error) {
      this.failure = error;
    }
    return this.hasEnded;
  }

  /** Reads to the end of the stream, or `count` events. */
  async readEvents(stream: EventStream, count = Number.POSITIVE_INFINITY): Promise<void> {
    for (let taken = 0; taken < count; taken += 1) {
      const event = await stream.next().catch(() => null);
      if (event === null) return;
      this.seqs.push(Number(event.id));
      this.messages.push(JSON.parse(event.data) as InstanceMessage);
    }
  }

  /**
   * Reads until the job has ended, and reconnects when a stream breaks. `open` gets the id of the last
   * received event. Resolves with false when the job has not ended in time.
   */
  async followToEnd(
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
        await this.readEvents(current);
        deadline.removeEventListener('abort', close);
      }
      if (this.hasEnded) return true;
      if (current !== null) await pause(RECONNECT_DELAY_MS);
      const seen = this.seqs.at(-1);
      current = await open(seen === undefined ? undefined : String(seen)).catch(() => null);
      if (current === null) await pause(RECONNECT_DELAY_MS);
    }
    return false;
  }

  get last(): InstanceMessage | undefined {
    return this.messages.at(-1);
  }

  get hasEnded(): boolean {
    return this.last !== undefined && isFinal(this.last);
  }

  /**
   * Problems of the received events; empty when each event came once, in order, with the final event last.
   */
  get problems(): string[] {
    const problems: string[] = [];
    if (!this.seqs.every((seq, index) => seq === index + 1)) problems.push(`events ${this.seqs.join(' ')}`);
    const lasts = this.messages.filter(isFinal).length;
    if (lasts > 1) problems.push(`${lasts} last events`);
    if (lasts > 0 && !this.hasEnded) problems.push('events after the last one');
    return problems;
  }

  /** Progress messages that were sent more than once. */
  repeatedSteps(): string[] {
    const lines = this.messages.map(({ step, message }) => `${step} (${message})`);
    return lines.filter((line, index) => lines.indexOf(line) !== index);
  }

  assertGapless(): void {
    assert.deepEqual(
      this.seqs,
      this.seqs.map((_, index) => index + 1),
      'every event once, in order',
    );
  }
}

function isFinal({ step }: InstanceMessage): boolean {
  return ['COMPLETED', 'FAILED'].includes(step.toUpperCase());
}
