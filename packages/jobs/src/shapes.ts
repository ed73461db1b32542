/** The shapes of events of jobs. Only who describes responses loads them. */

export * from './catalog/cluster-message-shape.ts';
export * from './catalog/instance-message-shape.ts';
export { estimateFields } from './catalog/message-fields.ts';
export * from './catalog/resource-message-shape.ts';
