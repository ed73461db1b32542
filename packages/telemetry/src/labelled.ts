type Label = string | number;

/** Returns a function that maps label values to the metric's child, and caches the children. */
export function labelled<Child>(family: {
  labels(...values: string[]): Child;
}): (...values: [Label] | [Label, Label] | [Label, Label, Label]) => Child {
  const children = new Map<string, Child>();
  return (...values) => {
    const key = values.join('\n');
    let child = children.get(key);
    if (child === undefined) {
      child = family.labels(...values.map(String));
      children.set(key, child);
    }
    return child;
  };
}
