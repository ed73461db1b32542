import type { TimeSource } from '../common/clock.ts';
import type { Call } from '../http/operation.ts';
import type { KeyManagerState } from './state.ts';

/** The part of the cloud that the key manager uses. */
export interface KeyManagerCloud {
  readonly clock: TimeSource;
  readonly keyManager: KeyManagerState;
}

export type KeyManagerCall = Call<KeyManagerCloud>;
