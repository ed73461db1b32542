/** Minimum number of events in the feed. The logs of jobs and projects contain all events. */
export const FEED_LENGTH = 10_000;
