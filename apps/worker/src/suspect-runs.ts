/** The run of a job that is suspected of ending its workers: a process has one at a time. */
export class SuspectRuns {
  #isRunning = false;

  /** Returns a function that ends the run; null while another one is in progress. */
  begin(): (() => void) | null {
    if (this.#isRunning) return null;
    this.#isRunning = true;
    return () => {
      this.#isRunning = false;
    };
  }
}
