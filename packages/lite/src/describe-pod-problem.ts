import { cutText, singleLine, trimEndChars } from '@gateway/core';
import { maskSecrets } from '@gateway/platform';
import type { PodProblem } from './kubernetes/index.ts';

const MAX_LENGTH = 300;

/** A refusal of the cloud, as the client library of the plugins' programs words it. */
const REFUSAL = /when accessing \[([A-Z]{1,10}) ([^\]\s]{1,500})\], but got (401|403) instead/;
/** A log line of the plugins' programs: level, time, thread and place before the message. */
const LOG_LINE = /^([IWEF])\d{4} [\d:.]+ +\d+ [^\]\s]+\] /;
const ERROR = /error|fatal|panic|fail|cannot|unable|refused/i;

/** What is wrong with a pod, as part of a sentence. Contains neither secrets nor the hosts of services. */
export function describePodProblem({ kind, subject, message, exitCode }: PodProblem): string {
  switch (kind) {
    case 'image':
      return `the image ${subject} cannot be pulled${because(message)}`;
    case 'crash':
    case 'restart':
      return describeCrash(kind, subject, message, exitCode);
    case 'creation':
      return `the container ${subject} cannot be started${because(message)}`;
    case 'unscheduled':
      return `no node takes a pod${because(message)}`;
    case 'starting':
      return `a pod has not started yet${because(message)}`;
  }
}

/** Why the controller of a workload creates no pods. */
export function describeController(message: string): string {
  return `its pods cannot be created${because(message)}`;
}

function describeCrash(
  kind: 'crash' | 'restart',
  subject: string,
  message: string,
  exitCode: number | null,
): string {
  const [, method, url, status] = REFUSAL.exec(message) ?? [];
  if (url !== undefined) {
    return `the cloud refuses the program ${subject}: ${method} ${clean(url)} is answered ${status}`;
  }
  const verb = kind === 'crash' ? 'crashes' : 'has crashed, and runs again';
  return `the program ${subject} ${verb} (exit code ${exitCode})${because(lastError(message))}`;
}

/** The line of a program's last messages that says why it ended. A stack trace may follow it. */
function lastError(message: string): string {
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  const line =
    lines.findLast((one) => LOG_LINE.exec(one)?.[1] === 'F' || one.startsWith('panic: ')) ??
    lines.findLast((one) => LOG_LINE.exec(one)?.[1] === 'E') ??
    lines.findLast((one) => ERROR.test(one)) ??
    lines.at(-1) ??
    '';
  return line.replace(LOG_LINE, '');
}

function because(reason: string): string {
  const cleaned = clean(reason);
  return cleaned === '' ? '' : `: ${cleaned}`;
}

function clean(text: string): string {
  const masked = maskSecrets(text.replace(/https?:\/\/[^\s/"'\]]*/g, ''));
  return trimEndChars(cutText(singleLine(masked), MAX_LENGTH), '. ');
}
