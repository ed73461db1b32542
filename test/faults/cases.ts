import type { Fault } from './fault.ts';
import { faults } from './faults.ts';
import { type Kind, listPlacesOf, type Place, placesOf } from './kind.ts';
import { autoBackup } from './kinds/auto-backup.ts';
import { createDynamic } from './kinds/create-dynamic.ts';
import { createLiteCluster } from './kinds/create-lite-cluster.ts';
import { createPrebuiltNfs } from './kinds/create-prebuilt-nfs.ts';
import { deleteLayered } from './kinds/delete-layered.ts';
import { deleteLiteCluster } from './kinds/delete-lite-cluster.ts';
import { evacuateHost } from './kinds/evacuate-host.ts';
import { kinds } from './kinds/index.ts';
import { repairLiteCluster } from './kinds/repair-lite-cluster.ts';
import { replaceLiteCredential } from './kinds/replace-lite-credential.ts';
import { scaleDownLiteCluster } from './kinds/scale-down-lite-cluster.ts';
import { scaleUpLiteCluster } from './kinds/scale-up-lite-cluster.ts';
import { listFaults } from './list-faults.ts';
import { reportFaults } from './report-faults.ts';

export interface Case {
  kind: Kind;
  place: Place;
  fault: Fault;
}

/** Selects cases by parts of their names. */
export interface Selection {
  kind?: string;
  step?: string;
  fault?: string;
}

/** All combinations of kind, step and applicable fault. */
export function allCases(): Case[] {
  return kinds.flatMap((kind) =>
    [...placesOf(kind), ...listPlacesOf(kind)].flatMap((place) =>
      casesAt(kind, place, [...faults, ...reportFaults, ...listFaults]),
    ),
  );
}

/**
 * The cases for every change: a layered creation with the worker killed after each call, and each other fault
 * once; the other jobs with the worker killed once in each step; reports during the death of processes;
 * deletions with a list that fails for good; and calls that take effect after the end of the job and that
 * only its owner can undo. The whole table has all calls of all jobs.
 */
export function shortCases(): Case[] {
  const afterCall = faults.filter(({ name }) => name === 'worker killed after the call');
  // What waits longest is for the whole table.
  const others = faults.filter((fault) => !afterCall.includes(fault) && !/[26]0 s/.test(fault.name));
  const afterEnd = faults.filter(({ isAfterEnd }) => isAfterEnd);
  const killedReports = reportFaults.filter(({ name }) => /during|down|worker killed/.test(name));
  const acting = placesOf(createPrebuiltNfs).filter(({ isRead }) => isRead !== true);
  return [
    ...placesOf(createDynamic).flatMap((place) => casesAt(createDynamic, place, afterCall)),
    ...others.flatMap((fault, index) => {
      const place = acting[index % acting.length];
      return place === undefined ? [] : casesAt(createPrebuiltNfs, place, [fault]);
    }),
    ...placesOf(createLiteCluster).flatMap((place) => casesAt(createLiteCluster, place, killedReports)),
    ...[
      deleteLayered,
      autoBackup,
      createLiteCluster,
      scaleUpLiteCluster,
      scaleDownLiteCluster,
      repairLiteCluster,
      replaceLiteCredential,
      deleteLiteCluster,
    ].flatMap((kind) => firstWrites(kind).flatMap((place) => casesAt(kind, place, afterCall))),
    ...[deleteLayered, deleteLiteCluster].flatMap((kind) =>
      listPlacesOf(kind)
        .slice(0, 1)
        .flatMap((place) => casesAt(kind, place, listFaults)),
    ),
    // Only the owner sees what these make.
    ...placesOf(createLiteCluster)
      .filter(({ step }) => step === 'encryption-key')
      .flatMap((place) => casesAt(createLiteCluster, place, afterEnd)),
    // Moves an instance that the job has moved already.
    ...placesOf(evacuateHost)
      .filter(({ name }) => name === 'move-instances/migrate')
      .flatMap((place) => casesAt(evacuateHost, place, afterEnd)),
  ];
}

/** The first call of each step that changes something. Of steps that differ only in a number, the first. */
function firstWrites(kind: Kind): Place[] {
  const writes = placesOf(kind).filter(({ isRead }) => isRead !== true);
  return [...Map.groupBy(writes, ({ step }) => step.replace(/-\d+$/, '')).values()].flatMap(
    ([first]) => first ?? [],
  );
}

export function select(cases: readonly Case[], { kind = '', step = '', fault = '' }: Selection): Case[] {
  return cases.filter(
    (one) => one.kind.name.includes(kind) && one.place.name.includes(step) && one.fault.name.includes(fault),
  );
}

export function titleOf({ kind, place, fault }: Case): string {
  return `${kind.name}, ${place.name}: ${fault.name}`;
}

function casesAt(kind: Kind, place: Place, struck: readonly Fault[]): Case[] {
  return struck
    .filter(({ isOfReport = false }) => isOfReport === (place.isReport ?? false))
    .filter(({ isOfList = false }) => isOfList === (place.list !== undefined))
    .filter(({ appliesTo }) => appliesTo?.(kind, place) ?? true)
    .map((fault) => ({ kind, place, fault }));
}
