/** The shapes of what is shown of libraries. Only who describes responses loads them. */

export * from './validation-shape.ts';
