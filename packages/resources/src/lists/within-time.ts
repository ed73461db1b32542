/**
 * The result of a read, or that of `late` if it takes longer. The read continues after that, and may fill a
 * cache for the next reader.
 */
export async function withinTime<T, Late>(
  read: Promise<T>,
  timeoutMs: number,
  late: () => Late,
): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve(late()), timeoutMs);
  });
  try {
    return await Promise.race([read, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
