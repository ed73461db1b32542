import type { SessionConfig } from './config.ts';

/** Problems of combined session lengths, including defaults. */
export function checkSession({ lengthSeconds, warningSeconds, absoluteSeconds }: SessionConfig): string[] {
  const problems: string[] = [];
  if (warningSeconds >= lengthSeconds) {
    problems.push(
      `"session.warning_seconds" (${warningSeconds}) must be less than "session.length_seconds" (${lengthSeconds})`,
    );
  }
  if (absoluteSeconds < lengthSeconds) {
    problems.push(
      `"session.absolute_seconds" (${absoluteSeconds}) must not be less than "session.length_seconds" (${lengthSeconds})`,
    );
  }
  return problems;
}
