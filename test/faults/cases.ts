import type { Fault } from './fault.ts';
import { faults } from './faults.ts';
import { type Kind, type Place, placesOf } from './kind.ts';
import { kinds } from './kinds/index.ts';

export interface Case {
  kind: Kind;
  place: Place;
  fault: Fault;
}

/** What to look at only, each a part of a name. */
export interface Selection {
  kind?: string;
  step?: string;
  fault?: string;
}

/** Every kind of long work, each of its steps, each fault. */
export function allCases({ kind = '', step = '', fault = '' }: Selection = {}): Case[] {
  return kinds
    .filter(({ name }) => name.includes(kind))
    .flatMap((chosen) =>
      placesOf(chosen)
        .filter(({ name }) => name.includes(step))
        .flatMap((place) =>
          faults
            .filter(({ name }) => name.includes(fault))
            .map((struck) => ({ kind: chosen, place, fault: struck })),
        ),
    );
}
