type Label = string | number;

/** The values of the labels of a metric, in the order of their names. */
export type Labels = [Label] | [Label, Label] | [Label, Label, Label];

/**
 * Returns a function that makes a value for each combination of labels once. It uses nested maps, because a
 * key of all labels would have to be composed for each event.
 */
export function byLabels<Value>(make: (labels: string[]) => Value): (...values: Labels) => Value {
  const root = new Map<Label, unknown>();
  return (...values) => {
    const last = values.length - 1;
    let level = root;
    for (let index = 0; index < last; index += 1) level = nextLevel(level, values[index] as Label);
    const label = values[last] as Label;
    const known = level.get(label) as Value | undefined;
    if (known !== undefined) return known;
    const made = make(values.map(String));
    level.set(label, made);
    return made;
  };
}

/** Returns a function that maps label values to the metric's child, and caches the children. */
export function labelled<Child>(family: {
  labels(...values: string[]): Child;
}): (...values: Labels) => Child {
  return byLabels((labels) => family.labels(...labels));
}

function nextLevel(level: Map<Label, unknown>, label: Label): Map<Label, unknown> {
  const known = level.get(label) as Map<Label, unknown> | undefined;
  if (known !== undefined) return known;
  const next = new Map<Label, unknown>();
  level.set(label, next);
  return next;
}
