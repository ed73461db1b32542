/** The shapes of what is shown of clusters. Only who describes responses loads them. */

export * from './health-shape.ts';
