import type { Vm } from './vm.ts';

/** The work that first-boot data defines for a machine. */
export interface Role {
  /** The `task` in the plan. */
  task: string;
  /** Runs from the first script of each boot. */
  run(vm: Vm): Promise<void>;
  /** Runs when a client reads the console of a booted machine. */
  onConsoleRead?(vm: Vm): void;
  /** Runs when a running machine is switched off. */
  onHalt?(vm: Vm): void;
  /** Runs when the server is deleted. */
  onRemove?(removed: Pick<Vm, 'cloud' | 'server'>): void;
}
