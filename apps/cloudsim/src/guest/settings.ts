const OUTCOMES = ['succeeds', 'fails', 'silent', 'powers-off'] as const;

const CLUSTER_OUTCOMES = ['succeeds', 'fails', 'silent'] as const;
const WORKSPACE_OUTCOMES = ['succeeds', 'fails', 'silent'] as const;

/** How guests behave once their servers are ACTIVE. */
export interface GuestSettings {
  /** Milliseconds from ACTIVE to the first script, before scaling. */
  bootMs: number;
  /** Duration of a builder's or a verifier's work in milliseconds. */
  workMs: number;
  /** Milliseconds before a failed report is sent again. */
  retryMs: number;
  /**
   * The outcome of a builder's or a verifier's work: it succeeds, fails with a reason, sends no report, or
   * powers off before the end.
   */
  outcome: (typeof OUTCOMES)[number];
  /** The outcome of a control node's work: it reports success, reports a failure, or sends no report. */
  clusterOutcome: (typeof CLUSTER_OUTCOMES)[number];
  /** The outcome of an instance with libraries: it mounts them, reports a failure, or hangs. */
  workspaceOutcome: (typeof WORKSPACE_OUTCOMES)[number];
  /** The packages that a verifier cannot import. */
  brokenPackages: string[];
  /** The plugins of clusters whose installation fails. */
  failedPlugins: string[];
  /** The names of the agents of clusters whose first boot fails. */
  failedAgents: string[];
  /** The names of the agents among them whose reports are lost. */
  silentAgents: string[];
  /** The names of the nodes of clusters whose upgrade fails. */
  failedUpgrades: string[];
  /** The latest versions of packages in the package index, by name. All other packages have version 1.0. */
  packageVersions: Record<string, string>;
}

export function defaultGuestSettings(): GuestSettings {
  return {
    bootMs: 1500,
    workMs: 1500,
    retryMs: 15_000,
    outcome: 'succeeds',
    clusterOutcome: 'succeeds',
    workspaceOutcome: 'succeeds',
    brokenPackages: [],
    failedPlugins: [],
    failedAgents: [],
    silentAgents: [],
    failedUpgrades: [],
    packageVersions: {},
  };
}

const LISTS = ['brokenPackages', 'failedPlugins', 'failedAgents', 'silentAgents', 'failedUpgrades'] as const;

/** @throws when a setting is unknown or invalid; the message names it. */
export function changeGuestSettings(settings: GuestSettings, change: Partial<GuestSettings>): void {
  const unknown = Object.keys(change).find((name) => !(name in settings));
  if (unknown !== undefined) throw new Error(`guests have no setting ${unknown}`);
  const changed = { ...settings, ...change };
  const { bootMs, workMs, retryMs, outcome, clusterOutcome, workspaceOutcome, packageVersions } = changed;
  for (const duration of [bootMs, workMs, retryMs])
    if (!(Number.isFinite(duration) && duration >= 0))
      throw new Error('durations of guests are milliseconds');
  if (!OUTCOMES.includes(outcome)) throw new Error(`outcome of guests is one of ${OUTCOMES.join(', ')}`);
  if (!CLUSTER_OUTCOMES.includes(clusterOutcome))
    throw new Error(`clusterOutcome of guests is one of ${CLUSTER_OUTCOMES.join(', ')}`);
  if (!WORKSPACE_OUTCOMES.includes(workspaceOutcome))
    throw new Error(`workspaceOutcome of guests is one of ${WORKSPACE_OUTCOMES.join(', ')}`);
  for (const list of LISTS) if (!Array.isArray(changed[list])) throw new Error(`${list} of guests are names`);
  if (!Object.values(packageVersions).every((version) => typeof version === 'string'))
    throw new Error('packageVersions of guests are strings');
  Object.assign(settings, change);
}
