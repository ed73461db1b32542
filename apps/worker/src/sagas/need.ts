/** A result of an earlier step, which is there by the order of the steps. */
export function need<State extends object, Key extends keyof State>(
  { state }: { readonly state: Readonly<Partial<State>> },
  key: Key,
): State[Key] {
  const value = state[key];
  if (value === undefined) throw new Error(`The saga has no ${String(key)} yet.`);
  return value as State[Key];
}
