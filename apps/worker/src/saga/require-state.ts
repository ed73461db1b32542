/** The result of an earlier step. @throws when that step has not run: the order of the steps is wrong. */
export function requireState<State extends object, Key extends keyof State>(
  { state }: { readonly state: Readonly<Partial<State>> },
  key: Key,
): State[Key] {
  const value = state[key];
  if (value === undefined) throw new Error(`The saga has no ${String(key)} yet.`);
  return value as State[Key];
}
