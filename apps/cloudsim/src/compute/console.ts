import { randomUUID } from 'node:crypto';
import { objectAt, stringAt } from '../common/json.ts';
import { badRequest, conflict } from '../common/service-error.ts';
import { ok, type Reply } from '../http/operation.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { findServer } from './servers.ts';
import type { Server } from './state.ts';

/**
 * A generated boot log of about forty lines, followed by the guest's lines. `length` limits the
 * output to the last lines.
 */
export function consoleOutput(cloud: ComputeCloud, server: Server, length: number | undefined): string {
  const lines = [
    '[    0.000000] Linux version 5.15.0 (simulated)',
    '[    0.000000] Command line: root=/dev/vda1 console=ttyS0',
    `[    1.204211] cloud-init: instance-id ${server.id}`,
    `[    1.520000] cloud-init: hostname ${server.name}`,
    ...Array.from(
      { length: 39 },
      (_unused, unit) => `[    2.0${String(unit + 1).padStart(2, '0')}000] systemd: started unit ${unit + 1}`,
    ),
    ...cloud.guests.console(server),
    '',
    `${server.name} login: `,
  ];
  return (length === undefined || length < 0 ? lines : lines.slice(lines.length - length)).join('\n');
}

const CONSOLE_TYPES: Record<string, string> = { novnc: 'vnc', serial: 'serial' };

export function createConsole(call: ComputeCall): Reply {
  const server = findServer(call);
  const input = objectAt(call.body, 'remote_console');
  const protocol = stringAt(input, 'protocol');
  const type = stringAt(input, 'type') ?? '';
  if (CONSOLE_TYPES[type] !== protocol) throw badRequest(`Invalid console type ${type}`);
  if (server.host === null || server.vmState === 'building')
    throw conflict(`Instance ${server.id} is not ready`);
  const url = `http://127.0.0.1:6080/vnc_lite.html?path=%3Ftoken%3D${randomUUID()}`;
  return ok({ remote_console: { protocol, type, url } });
}
