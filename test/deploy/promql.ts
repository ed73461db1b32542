import { parser } from '@prometheus-io/lezer-promql';

/** What a query reads. */
export interface Query {
  /** The time series that it selects, with the labels that it compares. */
  selectors: { metric: string; labels: string[] }[];
  /** The labels by which it groups. */
  grouping: string[];
}

/** @throws for a query that is not valid */
export function readQuery(text: string): Query {
  const query: Query = { selectors: [], grouping: [] };
  let inGrouping = false;
  parser.parse(text).iterate({
    enter(node) {
      const content = text.slice(node.from, node.to);
      if (node.type.isError) throw new Error(`Not a query: ${text}`);
      if (node.name === 'GroupingLabels') inGrouping = true;
      if (node.name === 'VectorSelector') query.selectors.push({ metric: '', labels: [] });
      const selector = query.selectors.at(-1);
      if (node.name === 'Identifier' && selector !== undefined) selector.metric = content;
      if (node.name !== 'LabelName') return;
      if (inGrouping) query.grouping.push(content);
      else selector?.labels.push(content);
    },
    leave(node) {
      if (node.name === 'GroupingLabels') inGrouping = false;
    },
  });
  return query;
}
