/** Which gateway a process belongs to: labels of its metrics, and fields of its log lines and traces. */
export interface Origin {
  /** Name of the gateway. */
  gateway: string;
  /** Region of the cloud. */
  region: string;
}
