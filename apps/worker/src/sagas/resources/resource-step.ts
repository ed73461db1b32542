import type { JobMark, RemovalRights } from '@gateway/inventory';
import type { BoundClient } from '@gateway/openstack';
import type { Config } from '@gateway/platform';

/**
 * The owner of the resources that the steps of a saga create: their rights, and the mark by which the
 * resources are found.
 */
export interface ResourceOwner {
  /** For creating and reading resources. */
  client(): Promise<BoundClient>;
  /** For finding and removing resources. */
  removal(): Promise<RemovalRights>;
  mark(): Promise<JobMark>;
}

/** The part of a saga's context that steps which create a resource need. */
export interface ResourceContext {
  readonly jobId: string;
  readonly config: Pick<Config, 'jobs' | 'timeLimits'>;
  readonly resourceOwner: ResourceOwner;
}

/** The keys of a saga's state that hold values of this type. */
export type StateKeyOf<State, Value> = {
  [Key in keyof State]-?: State[Key] extends Value ? Key : never;
}[keyof State] &
  string;

/** A step's result that is one value under one key of the state. */
export function resultUnder<State extends object, Value>(key: StateKeyOf<State, Value>, value: Value) {
  return { [key]: value } as Partial<State>;
}

/** The value of such a result. */
export function valueUnder<State extends object, Value>(
  result: Partial<State>,
  key: StateKeyOf<State, Value>,
): Value {
  return result[key] as Value;
}
