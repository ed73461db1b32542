import { evacuationProgress } from '@gateway/jobs';
import { isTransient, pollInterval } from '@gateway/openstack';
import { ParkedError, type PublishProgress, requireState } from '../../saga/index.ts';
import { parkedIntervals } from '../resources/wait-options.ts';
import { confirm, followMove } from './follow-move.ts';
import { findLateMoves, mayMoveLate } from './late-moves.ts';
import { beginMove, requestMove } from './request-move.ts';
import {
  defineEvacuationStep,
  type EvacuateHostState,
  type EvacuateHostStepContext,
  type InstanceMove,
  type PlannedInstance,
} from './saga.ts';

/** How many instances are on their way at a time. The compute service itself queues some of them. */
const AT_A_TIME = 5;

type Moves = EvacuateHostState['moves'];

/**
 * Moves the planned instances, some at a time. Each request is in the journal before it is sent, so that a
 * run after a crash finds the migration instead of asking twice. Between two rounds the job is parked. What
 * cannot be moved stays, and does not end the step.
 */
export const moveInstances = defineEvacuationStep<Pick<EvacuateHostState, 'moves'>>({
  name: 'move-instances',
  onRepeat: 'idempotent',
  run: async () => ({ moves: {} }),
  async settle(context, result, publish) {
    const round = new Round(context, { ...result.moves }, publish);
    try {
      await round.run();
    } catch (error) {
      if (!isTransient(error) || round.isOverdue) throw error;
      round.park();
    }
    if (!round.isOver) round.park();
    return { moves: round.moves };
  },
  isUncertain: ({ moves }) => Object.values(moves).some(mayMoveLate),
  find: findLateMoves,
  isOwn: () => false,
  sweepsAsOwner: true,
  /** What has moved stays. A late move ends with its confirmation. */
  async undo(context, { moves }) {
    for (const [id, { isLate }] of Object.entries(moves)) if (isLate) await confirm(context, { id });
  },
});

/** Follows the moves that have begun, and begins others. */
class Round {
  readonly moves: Moves;
  readonly #context: EvacuateHostStepContext;
  readonly #publish: PublishProgress<EvacuateHostState>;
  readonly #planned: readonly PlannedInstance[];

  constructor(context: EvacuateHostStepContext, moves: Moves, publish: PublishProgress<EvacuateHostState>) {
    this.#context = context;
    this.moves = moves;
    this.#publish = publish;
    this.#planned = requireState(context, 'planned');
  }

  get isOver(): boolean {
    return this.#planned.every(({ id }) => isEnded(this.moves[id]));
  }

  /** No move can be expected to end any more, and the service does not respond. */
  get isOverdue(): boolean {
    return Date.now() > this.#lastAt + this.#context.config.timeLimits.moveSeconds * 1000;
  }

  /** Followed first, so that what has ended makes room. */
  async run(): Promise<void> {
    const wereMoving = this.#moving > 0;
    for (const instance of this.#planned) {
      const move = this.moves[instance.id];
      if (move === undefined || isEnded(move)) continue;
      await this.#advance(instance, move, await followMove(this.#context, instance, move));
    }
    for (const instance of this.#planned) {
      if (this.#moving >= AT_A_TIME) return;
      if (this.moves[instance.id] !== undefined) continue;
      const isPatient = wereMoving || this.#isPatient;
      const begun = await beginMove(this.#context, instance, isPatient);
      if (begun !== null) await this.#advance(instance, undefined, begun);
    }
  }

  /** Sends a request once it is in the journal. */
  async #advance(
    instance: PlannedInstance,
    previous: InstanceMove | undefined,
    move: InstanceMove,
  ): Promise<void> {
    if (move === previous) return;
    await this.#record(instance, move);
    if (isEnded(move)) return;
    const sent = await requestMove(this.#context, instance, move);
    if (isEnded(sent)) await this.#record(instance, sent);
    // The next entry contains it. Until then a run after a crash takes the response for missing.
    else this.moves[instance.id] = sent;
    await this.#context.showChange(instance);
  }

  park(): never {
    throw new ParkedError(pollInterval(parkedIntervals(this.#context.config), Date.now() - this.#lastAt));
  }

  get #moving(): number {
    return Object.values(this.moves).filter((move) => !isEnded(move)).length;
  }

  /** Whether the job waits for a busy instance, which may be so only since others were on their way. */
  get #isPatient(): boolean {
    if (this.#moving > 0) return true;
    const requests = Object.values(this.moves).filter(({ move }) => move !== undefined);
    const lastAt = Math.max(this.#context.since, ...requests.map(({ at }) => at));
    return Date.now() < lastAt + this.#context.config.timeLimits.serverSeconds * 1000;
  }

  get #lastAt(): number {
    return Math.max(this.#context.since, ...Object.values(this.moves).map(({ at }) => at));
  }

  /** Keeps and publishes what is new. */
  async #record(instance: PlannedInstance, move: InstanceMove): Promise<void> {
    this.#context.signal.throwIfAborted();
    this.moves[instance.id] = move;
    if (isEnded(move)) await this.#context.showChange(instance);
    await this.#publish(this.#update(instance, move), { moves: this.moves });
  }

  #update({ name }: PlannedInstance, { isRepeated, phase, reason }: InstanceMove) {
    const ended = this.#planned.filter(({ id }) => isEnded(this.moves[id])).length;
    const { EMPTINESS_CHECKING: end, INSTANCES_MOVING: start } = evacuationProgress;
    const progress = start + Math.floor(((end - start) * ended) / this.#planned.length);
    const messages = {
      requested: `The instance ${name} is being moved${isRepeated ? ', after a request without a response' : ''}.`,
      moved: `The instance ${name} has left the host.`,
      stayed: `The instance ${name} could not be moved. ${reason}`,
    };
    return { step: 'INSTANCES_MOVING', progress, message: messages[phase] };
  }
}

function isEnded(move: InstanceMove | undefined): boolean {
  return move !== undefined && move.phase !== 'requested';
}
