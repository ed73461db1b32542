/** How long the gateway waits for requests, resources and jobs. */
export interface TimeLimits {
  /** One request to a cloud service. */
  upstreamRequestSeconds: number;
  /** How long a request to a cloud service waits while too many others are in flight. */
  upstreamQueueSeconds: number;
  /** How long a synchronous create request waits for its job. */
  syncCreateSeconds: number;
  /** Wait until a volume is `available`. */
  volumeSeconds: number;
  /** The same for a copy, and for the upload of an image. */
  volumeCopySeconds: number;
  /** Wait until a managed cluster is complete, or gone. */
  managedClusterSeconds: number;
  /** Wait until a backup is `available`. */
  backupSeconds: number;
  /** Wait until a share is `available`, and until an access rule is `active`. */
  shareSeconds: number;
  /** Wait until a server is `ACTIVE`. */
  serverSeconds: number;
  /** Wait until an instance has moved to another host. */
  moveSeconds: number;
  /** Wait until an attached volume is `in-use`. */
  attachSeconds: number;
  /** How long a step is retried while its service is unavailable or rate limits the gateway. */
  stepRetrySeconds: number;
  /** Undo of one step. */
  undoSeconds: number;
  /**
   * How long a delete request waits until its job has sent the deletion, and an update of quotas
   * until its job has ended.
   */
  jobAcceptSeconds: number;
  /** How long a dashboard waits for each service. Lists wait half as long for the names beside ids. */
  dashboardPartSeconds: number;
  /** How long a change waits for a load balancer that is busy with another change. */
  loadBalancerSeconds: number;
  volumeReadySeconds: number;
  /** Wait until the builder of a library has reported and powered off. */
  buildSeconds: number;
  /** How long a build request waits until its job has created the share. */
  buildAcceptSeconds: number;
  /** Wait until the control node of a lite cluster has reported its installation. */
  liteCallbackSeconds: number;
  /** Wait until all nodes of a lite cluster are ready, once its agents are running. */
  liteReadySeconds: number;
  /** How long `/workspace` of an instance counts as pending while the instance does not report its result. */
  firstBootSeconds: number;
  /** How long a request that changes a cluster waits for its job. */
  liteScaleSeconds: number;
  /** Drain of an agent before its removal. */
  liteDrainSeconds: number;
  /** Drain of an agent before its upgrade. */
  liteUpgradeDrainSeconds: number;
  /** Upgrade of one node of a lite cluster. */
  liteUpgradeNodeSeconds: number;
  /** How long a stopping process waits for its requests or jobs in progress. */
  shutdownSeconds: number;
}
