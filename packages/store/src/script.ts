import { Command } from 'ioredis';
import type { Redis } from './redis.ts';
import { replicatedWrite } from './replicated-write.ts';

/** Lua sees a number as text, and a boolean as '1' or ''. */
type ScriptValue = string | number | boolean | Buffer;

/** Values by name. The name `...rest` stands for the list `rest`. */
type ByName<Names extends readonly string[], Value> = {
  [Name in Names[number] as Name extends `...${infer Rest}` ? Rest : Name]: Name extends `...${string}`
    ? readonly Value[]
    : Value;
};

type Values<Keys extends readonly string[], Args extends readonly string[]> = Args extends readonly []
  ? [keys: ByName<Keys, string>]
  : [keys: ByName<Keys, string>, args: ByName<Args, ScriptValue>];

interface ScriptDefinition<Keys extends readonly string[], Args extends readonly string[]> {
  /** Begins the script's text, so that the slow log of Redis shows which script was slow. */
  name: string;
  /** The last name may be `...rest`, for a list of any length. All keys must share a slot of a Cluster. */
  keys: Keys;
  args?: Args;
  /**
   * Adds `now`: the time of the store in milliseconds, with a fraction. All scripts that compare or order
   * times use this clock, because the clocks of processes differ: a lease must not end earlier for one
   * process than for another. A time that a script only stores, such as a due time, is an argument, which
   * tests can set.
   */
  withClock?: boolean;
  /**
   * Sends the script outside of the pipeline, which would copy its arguments once more, and in which the
   * commands after it would wait for its reply. For arguments of megabytes.
   */
  hasLongArgs?: boolean;
  /** Sees each key and argument as a local variable of that name. */
  lua: string;
}

/** A script that the store runs in one step. */
interface Script<Keys extends readonly string[], Args extends readonly string[]> {
  readonly name: string;
  readonly text: string;
  run(redis: Redis, ...values: Values<Keys, Args>): Promise<unknown>;
  /** As `replicatedWrite`: a failover must not lose what the script has written. */
  runReplicated(redis: Redis, ...values: Values<Keys, Args>): Promise<unknown>;
}

/**
 * Defines a script whose keys and arguments have names. The compiler checks the names of each call.
 *
 * Each call sends the script's text (`EVAL`). Sending only its digest (`EVALSHA`) would save a few
 * microseconds, but a server that does not know the script, for example after a failover, would refuse the
 * call within a pipeline.
 */
export function defineScript<const Keys extends readonly string[], const Args extends readonly string[] = []>(
  definition: ScriptDefinition<Keys, Args>,
): Script<Keys, Args> {
  const { name, keys, args = [], withClock = false, hasLongArgs = false, lua } = definition;
  const lines = [
    `-- ${name}`,
    ...declarations('KEYS', keys),
    ...declarations('ARGV', args),
    ...(withClock ? [CLOCK] : []),
    lua.trim(),
  ];
  // Only readers need the indentation.
  const text = lines.join('\n').replaceAll(/\n +/g, '\n');
  const keyNames = keys.map(bareName);
  const argNames = args.map(bareName);

  function toParameters([givenKeys = {}, givenArgs = {}]: readonly ValueTable[]) {
    const listedKeys = listed(keyNames, givenKeys);
    return [listedKeys.length, ...listedKeys, ...listed(argNames, givenArgs)] as const;
  }
  return {
    name,
    text,
    run(redis, ...values) {
      const parameters = toParameters(values);
      return hasLongArgs ? evalAlone(redis, text, parameters) : redis.eval(text, ...parameters);
    },
    runReplicated(redis, ...values) {
      const parameters = toParameters(values);
      const [, anyKey] = parameters;
      return replicatedWrite(redis, String(anyKey), (pipeline) => pipeline.eval(text, ...parameters));
    },
  };
}

function evalAlone(redis: Redis, text: string, parameters: readonly (string | number | Buffer)[]) {
  const { keyPrefix = '' } = redis.options;
  const command = new Command('eval', [text, ...parameters], { keyPrefix, replyEncoding: 'utf8' });
  return redis.sendCommand(command) as Promise<unknown>;
}

type ValueTable = Readonly<Record<string, ScriptValue | readonly ScriptValue[]>>;

const CLOCK = `local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000`;

const REST = '...';

/** Lua that gives names to the elements of a table. */
function declarations(table: 'KEYS' | 'ARGV', names: readonly string[]): string[] {
  const single = names.filter((name) => !name.startsWith(REST));
  const rest = names.slice(single.length).map(bareName);
  return [
    ...(single.length > 0 ? [`local ${single.join(', ')} = unpack(${table}, 1, ${single.length})`] : []),
    ...rest.map((name) => `local ${name} = { unpack(${table}, ${single.length + 1}) }`),
  ];
}

function bareName(name: string): string {
  return name.startsWith(REST) ? name.slice(REST.length) : name;
}

/** The values in the order of their names. */
function listed(names: readonly string[], values: ValueTable): (string | number | Buffer)[] {
  return names.flatMap((name) => {
    const value = values[name];
    // A missing value would shift all others.
    if (value === undefined) throw new Error(`The script has no value for ${name}.`);
    return isList(value) ? value.map(toText) : toText(value);
  });
}

function isList(value: ScriptValue | readonly ScriptValue[]): value is readonly ScriptValue[] {
  return Array.isArray(value);
}

function toText(value: ScriptValue): string | number | Buffer {
  if (typeof value !== 'boolean') return value;
  return value ? '1' : '';
}
