/** The exit codes of the program. Scripts depend on them: see the README. */
export const EXIT = {
  ok: 0,
  /** A job or the gateway has failed, or the program itself. */
  failed: 1,
  /** The command or its input is wrong. */
  usage: 2,
  /** Not logged in, or not allowed. */
  refused: 3,
  notFound: 4,
  /** The state of a resource, or a quota. */
  conflict: 5,
  /** The gateway or the cloud is unreachable, too slow or busy: the same command may work later. */
  unavailable: 6,
  /** By Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** @param status of an error response */
export function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return EXIT.refused;
  if (status === 404) return EXIT.notFound;
  if (status === 409) return EXIT.conflict;
  if ([429, 502, 503, 504].includes(status)) return EXIT.unavailable;
  return status >= 400 && status < 500 ? EXIT.usage : EXIT.failed;
}
