/** The keys of a saga's state that hold values of this type. */
export type StateKeyOf<State, Value> = {
  [Key in keyof State]-?: State[Key] extends Value ? Key : never;
}[keyof State] &
  string;

/** A step's result that is one value under one key of the state. */
export function resultUnder<State extends object, Value>(key: StateKeyOf<State, Value>, value: Value) {
  return { [key]: value } as Partial<State>;
}

/** The value of such a result. */
export function valueUnder<State extends object, Value>(
  result: Partial<State>,
  key: StateKeyOf<State, Value>,
): Value {
  return result[key] as Value;
}
