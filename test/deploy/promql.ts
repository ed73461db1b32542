import { parser } from '@prometheus-io/lezer-promql';

interface Matcher {
  label: string;
  /** `=`, `!=`, `=~` or `!~`. */
  operator: string;
  value: string;
}

/** What a query reads. */
export interface Query {
  /** The time series that it selects. */
  selectors: { metric: string; matchers: Matcher[] }[];
  /** The labels by which it groups. */
  grouping: string[];
}

/** @throws for a query that is not valid */
export function readQuery(text: string): Query {
  const query: Query = { selectors: [], grouping: [] };
  let inGrouping = false;
  parser.parse(text).iterate({
    enter({ type, name, from, to }) {
      const content = text.slice(from, to);
      if (type.isError) throw new Error(`Not a query: ${text}`);
      const selector = query.selectors.at(-1);
      const matcher = selector?.matchers.at(-1);
      if (name === 'GroupingLabels') inGrouping = true;
      else if (name === 'VectorSelector') query.selectors.push({ metric: '', matchers: [] });
      else if (name === 'Identifier' && selector) selector.metric = content;
      else if (name === 'LabelName' && inGrouping) query.grouping.push(content);
      else if (name === 'LabelName') selector?.matchers.push({ label: content, operator: '', value: '' });
      else if (name === 'MatchOp' && matcher) matcher.operator = content;
      else if (name === 'StringLiteral' && matcher && inMatcher(matcher))
        matcher.value = content.slice(1, -1);
    },
    leave({ name }) {
      if (name === 'GroupingLabels') inGrouping = false;
    },
  });
  return query;
}

/** The string belongs to the matcher whose operator came before it. */
function inMatcher({ operator, value }: Matcher): boolean {
  return operator !== '' && value === '';
}
