import { parser } from '@prometheus-io/lezer-promql';

interface Matcher {
  label: string;
  /** `=`, `!=`, `=~` or `!~`. */
  operator: string;
  value: string;
}

/** Expressions that have labels in brackets. */
const GROUPING = ['AggregateExpr', 'MatchingModifierClause'];

/** What a query reads. */
export interface Query {
  /** The time series that it selects. */
  selectors: { metric: string; matchers: Matcher[] }[];
  /** The labels that each aggregation (`by`) and each match of two sides (`on`) keeps. */
  groupings: string[][];
}

/** @throws for a query that is not valid, or that has `without` or `ignoring`, which name no kept labels */
export function readQuery(text: string): Query {
  const query: Query = { selectors: [], groupings: [] };
  /** The groupings of the expressions around the current place, innermost last. */
  const open: string[][] = [];
  let inGrouping = false;
  parser.parse(text).iterate({
    enter({ type, name, from, to }) {
      const content = text.slice(from, to);
      if (type.isError) throw new Error(`Not a query: ${text}`);
      const selector = query.selectors.at(-1);
      const matcher = selector?.matchers.at(-1);
      if (['Without', 'Ignoring'].includes(name)) throw new Error(`Not supported here, ${name}: ${text}`);
      if (GROUPING.includes(name)) query.groupings.push(open[open.push([]) - 1] as string[]);
      else if (name === 'GroupingLabels') inGrouping = true;
      else if (name === 'VectorSelector') query.selectors.push({ metric: '', matchers: [] });
      else if (name === 'Identifier' && selector) selector.metric = content;
      else if (name === 'LabelName' && inGrouping) open.at(-1)?.push(content);
      else if (name === 'LabelName') selector?.matchers.push({ label: content, operator: '', value: '' });
      else if (name === 'MatchOp' && matcher) matcher.operator = content;
      else if (name === 'StringLiteral' && matcher && inMatcher(matcher))
        matcher.value = content.slice(1, -1);
    },
    leave({ name }) {
      if (GROUPING.includes(name)) open.pop();
      if (name === 'GroupingLabels') inGrouping = false;
    },
  });
  return query;
}

/** The string belongs to the matcher whose operator came before it. */
function inMatcher({ operator, value }: Matcher): boolean {
  return operator !== '' && value === '';
}
