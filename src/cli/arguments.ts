import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from '../lib/errors.ts';
import type { TextOutput } from '../lib/log.ts';

/** Parses arguments; throws a UsageError with the text that `explain` makes of Node's. */
export function readArguments<const T extends ParseArgsConfig>(
  config: T,
  explain: (text: string) => string,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(explain((error as Error).message));
  }
}

export function readSeqno(name: string, text: string, usage: string, maxDigits = Infinity): number {
  if (!/^[1-9]\d*$/.test(text) || text.length > maxDigits)
    throw new UsageError(`${name} is "${text}": expected a seqno; ${usage}`);
  return Number(text);
}

interface CommandPorts {
  readonly args: readonly string[];
  readonly out: TextOutput;
}

export type Parse = <const T extends ParseArgsConfig>(config: T) => ReturnType<typeof parseArgs<T>>;

/** A command of a command: it parses its arguments, then runs. */
export type Subcommand<Ports> = (parse: Parse, ports: Ports) => Promise<void>;

export const text = { type: 'string' } as const;
export const flag = { type: 'boolean' } as const;

/** Runs the command that the first argument names, or shows the help; returns the exit code. */
export async function runSubcommand<Ports extends CommandPorts>(
  parent: string,
  commands: Readonly<Record<string, Subcommand<Ports>>>,
  help: string,
  ports: Ports,
): Promise<number> {
  const [name, ...args] = ports.args;
  if (name === undefined || name === 'help' || ports.args.some((arg) => arg === '--help' || arg === '-h')) {
    ports.out.write(help);
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined)
    throw new UsageError(
      `${parent} ${name}: expected one of ${Object.keys(commands).join(', ')} after ${parent}`,
    );
  const parse: Parse = (config) =>
    readArguments({ ...config, args }, (reason) => `${parent}: ${reason}`) as never;
  await command(parse, ports);
  return 0;
}
