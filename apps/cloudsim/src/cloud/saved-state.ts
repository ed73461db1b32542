import type { PendingTask } from '../common/schedule.ts';
import type { SavedMachine } from '../guest/guests.ts';
import { type Cloud, emptyState, type ServiceStates } from './cloud.ts';

/** What a cloud keeps when its process ends. Settings, faults, holds and recorded calls are not kept. */
export interface SavedState {
  services: ServiceStates;
  tasks: PendingTask[];
  machines: SavedMachine[];
}

export function saveState(cloud: Cloud): SavedState {
  const services = Object.keys(emptyState()).map((name) => [name, cloud[name as keyof ServiceStates]]);
  return {
    services: Object.fromEntries(services) as ServiceStates,
    tasks: cloud.schedule.pending(),
    machines: cloud.guests.saved(),
  };
}

/** Continues a saved state: pending transitions resume, and running servers boot their guests again. */
export function resumeState(cloud: Cloud, { services, tasks, machines }: SavedState): void {
  cloud.schedule.clear();
  Object.assign(cloud, services);
  cloud.schedule.resume(tasks);
  cloud.guests.resume(machines);
}

/** The collections of all services. They identify files that another release wrote. */
export function shapeOfState(): string {
  return JSON.stringify(
    Object.entries(emptyState()).map(([service, state]) => [service, Object.keys(state).sort()]),
  );
}
