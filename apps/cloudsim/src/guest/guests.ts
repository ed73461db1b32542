import type { ServerGuests } from '../compute/cloud.ts';
import type { Server } from '../compute/state.ts';
import type { GuestCloud } from './cloud.ts';
import { type Machine, machineOf } from './machine.ts';
import type { Role } from './role.ts';
import { roleFor } from './roles.ts';
import { Vm } from './vm.ts';

interface Guest {
  readonly machine: Machine;
  readonly role: Role;
  /** Null while the server is switched off. */
  vm: Vm | null;
}

/** The part of a machine that outlasts the process. The server's user data determines the rest. */
export interface SavedMachine extends Pick<Machine, 'isDone' | 'isPoweringOff' | 'reportToken' | 'console'> {
  serverId: string;
}

/** The guest systems that run inside the servers. */
export class Guests implements ServerGuests {
  /** By server id; null for a server whose first-boot data has no role. */
  readonly #guests = new Map<string, Guest | null>();
  readonly #cloud: () => GuestCloud;
  readonly #callAnywhere: boolean;

  /**
   * Reads `cloud` at each boot, because the cloud is created together with its guests. `callAnywhere` lets
   * guests call other machines than this one.
   */
  constructor(cloud: () => GuestCloud, callAnywhere: boolean) {
    this.#cloud = cloud;
    this.#callAnywhere = callAnywhere;
  }

  boot(server: Server): void {
    const cloud = this.#cloud();
    const guest = this.#guestOf(server);
    if (guest === null) return;
    guest.machine.isPoweringOff = false;
    const vm = this.#powerOn(server, guest);
    this.#run(guest.role, vm, cloud.settings.guest.bootMs).catch(console.error);
  }

  halt(server: Server): void {
    const guest = this.#guests.get(server.id);
    if (!guest?.vm) return;
    guest.vm.halt();
    guest.role.onHalt?.(guest.vm);
    guest.vm = null;
  }

  remove(server: Server): void {
    this.halt(server);
    this.#guests.get(server.id)?.role.onRemove?.({ cloud: this.#cloud(), server });
    this.#guests.delete(server.id);
  }

  console(server: Server): readonly string[] {
    const guest = this.#guests.get(server.id);
    if (!guest) return [];
    if (guest.vm?.hasBooted) guest.role.onConsoleRead?.(guest.vm);
    return guest.machine.console;
  }

  saved(): SavedMachine[] {
    return [...this.#guests].flatMap(([serverId, guest]) => {
      if (guest === null) return [];
      const { isDone, isPoweringOff, reportToken, console } = guest.machine;
      return [{ serverId, isDone, isPoweringOff, reportToken, console: [...console] }];
    });
  }

  /** Restores saved machines, and boots the guests of all running servers. */
  resume(savedMachines: readonly SavedMachine[]): void {
    const { servers } = this.#cloud().compute;
    const machines = new Map(savedMachines.map((machine) => [machine.serverId, machine]));
    for (const server of servers.values()) {
      const guest = this.#guestOf(server);
      if (guest === null) continue;
      const saved = machines.get(server.id);
      const { isDone = false, isPoweringOff = false, reportToken = null, console = [] } = saved ?? {};
      Object.assign(guest.machine, { isDone, reportToken });
      guest.machine.console.push(...console);
      if (server.status !== 'ACTIVE' || server.taskState !== null) continue;
      if (isPoweringOff) this.#powerOn(server, guest).powerOff();
      else this.boot(server);
    }
  }

  clear(): void {
    for (const guest of this.#guests.values()) guest?.vm?.halt();
    this.#guests.clear();
  }

  #powerOn(server: Server, guest: Guest): Vm {
    guest.vm?.halt();
    guest.vm = new Vm(this.#cloud(), server, guest.machine, this.#callAnywhere);
    return guest.vm;
  }

  async #run(role: Role, vm: Vm, bootMs: number): Promise<void> {
    await vm.wait(bootMs);
    vm.hasBooted = true;
    await role.run(vm);
  }

  #guestOf(server: Server): Guest | null {
    const known = this.#guests.get(server.id);
    if (known !== undefined) return known;
    const machine = machineOf(server);
    const role = machine === null ? undefined : roleFor(machine.plan);
    const guest = machine === null || role === undefined ? null : { machine, role, vm: null };
    this.#guests.set(server.id, guest);
    return guest;
  }
}
