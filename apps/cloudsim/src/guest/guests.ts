import type { Cloud } from '../cloud.ts';
import type { Server } from '../compute/state.ts';
import { type Machine, machineOf } from './machine.ts';
import { Vm } from './vm.ts';

/** What goes on inside the servers. */
export class Guests {
  /** By server id; null for one whose data has nothing done. */
  readonly #machines = new Map<string, Machine | null>();
  readonly #callAnywhere: boolean;

  /** `callAnywhere`: whether they may call other machines than the one that this runs on. */
  constructor(callAnywhere: boolean) {
    this.#callAnywhere = callAnywhere;
  }

  boot(cloud: Cloud, server: Server): void {
    const machine = this.#machineOf(server);
    if (machine === null) return;
    machine.vm?.halt();
    const vm = new Vm(cloud, server, machine, this.#callAnywhere);
    machine.vm = vm;
    this.#play(vm, cloud.settings.guest.bootMs).catch(console.error);
  }

  halt(server: Server): void {
    const machine = this.#machines.get(server.id);
    machine?.vm?.halt();
    if (machine) machine.vm = null;
  }

  remove(server: Server): void {
    this.halt(server);
    this.#machines.delete(server.id);
  }

  /** The lines that first boot has left on the console. */
  console(server: Server): readonly string[] {
    const machine = this.#machines.get(server.id);
    if (!machine) return [];
    if (machine.vm?.hasBooted) machine.role.look?.(machine.vm);
    return machine.console;
  }

  clear(): void {
    for (const machine of this.#machines.values()) machine?.vm?.halt();
    this.#machines.clear();
  }

  async #play(vm: Vm, bootMs: number): Promise<void> {
    await vm.wait(bootMs);
    vm.hasBooted = true;
    await vm.machine.role.play(vm);
  }

  #machineOf(server: Server): Machine | null {
    const known = this.#machines.get(server.id);
    if (known !== undefined) return known;
    const machine = machineOf(server);
    this.#machines.set(server.id, machine);
    return machine;
  }
}
