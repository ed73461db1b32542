import type { SessionConfig } from './config.ts';

/** Sentences about lengths of a session that do not go together, given or by default. */
export function checkSession({ lengthSeconds, warningSeconds, absoluteSeconds }: SessionConfig): string[] {
  const sentences: string[] = [];
  if (warningSeconds >= lengthSeconds) {
    sentences.push(
      `"session.warning_seconds" (${warningSeconds}) must be less than "session.length_seconds" (${lengthSeconds})`,
    );
  }
  if (absoluteSeconds < lengthSeconds) {
    sentences.push(
      `"session.absolute_seconds" (${absoluteSeconds}) must not be less than "session.length_seconds" (${lengthSeconds})`,
    );
  }
  return sentences;
}
