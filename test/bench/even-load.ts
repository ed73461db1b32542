import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Target } from './load.ts';
import { cpuSeconds } from './process-time.ts';

const CONNECTIONS = 25;
const TICK_MS = 5;

/**
 * Sends each server the same number of requests per second, evenly, and returns the CPU time of all servers
 * per request, in microseconds. @throws when a response is not 200, or when the servers do not keep up
 */
export async function loadEvenly(targets: readonly Target[], rate: number, seconds: number): Promise<number> {
  const agents = targets.map(() => new Agent({ keepAlive: true, maxSockets: CONNECTIONS }));
  const cpu = () => targets.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  const cpuBefore = cpu();
  const answers: Promise<void>[] = [];
  const started = performance.now();
  const total = rate * seconds;
  for (let sent = 0; sent < total; await pause(TICK_MS)) {
    const due = Math.min(total, ((performance.now() - started) / 1000) * rate);
    for (; sent < due; sent += 1) {
      for (const [index, target] of targets.entries()) answers.push(ask(target, agents[index]));
    }
  }
  await Promise.all(answers);
  const took = (performance.now() - started) / 1000;
  const spent = cpu() - cpuBefore;
  for (const agent of agents) agent.destroy();
  if (took > seconds * 1.1) throw new Error(`${rate} requests a second are too many for this machine.`);
  return (spent * 1e6) / answers.length;
}

function ask({ url, headers = {} }: Target, agent: Agent | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}.`));
      response.resume().on('end', resolve);
    }).on('error', reject);
  });
}
