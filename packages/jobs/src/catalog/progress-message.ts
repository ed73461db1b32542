/** The progress message of any job, as stored in its log. */
export interface ProgressMessage {
  step: string;
  progress: number;
  message: string;
  error?: string | null;
}
