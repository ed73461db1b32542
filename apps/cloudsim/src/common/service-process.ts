/** A process of a service that runs, as administrators see it in the lists of most services. */
export function runningProcess(binary: string, host: string, updatedAt: string) {
  return { binary, host, zone: 'nova', status: 'enabled', state: 'up', updated_at: updatedAt };
}
