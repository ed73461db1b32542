import assert from 'node:assert/strict';
import { firstBootFailureIn } from '../../../apps/worker/src/sagas/lite-clusters/first-boot-failure.ts';

const failed = (reason: string) =>
  `gateway first boot: FAILED at stage gpu: ${reason}, see /var/log/gateway-first-boot.log`;
const ready = 'gateway first boot: ready, the agent has joined the cluster';

describe('the failure of a first boot in a console log', () => {
  for (const [what, log, expected] of [
    ['is its stage and reason', `[    9.1] kernel\n${failed('no card.')}\r\nlogin: `, 'stage gpu: no card'],
    ['is that of the latest boot', `${failed('old')}\n${failed('new')}\n`, 'stage gpu: new'],
    ['has no control characters', failed('a\u0007b\u001b[1mc'), 'stage gpu: ab[1mc'],
    ['is cut where it is too long', failed('x'.repeat(9_999)), `stage gpu: ${'x'.repeat(479)}`],
    ['is none after a boot without one', `${failed('old')}\n${ready}\n`, null],
    ['is none while nothing has ended', 'booting\n', null],
  ] as const) {
    it(what, () => assert.equal(firstBootFailureIn(log), expected));
  }
});
