import { createMutator } from './mutate-bytes.ts';

/** A decoder under attack, and good messages for it that the attack starts from. */
export interface FuzzTarget {
  readonly name: string;
  readonly seeds: readonly Uint8Array[];
  /** Decodes bytes; may check what it got, and throws `fault` for bytes that are not accepted. */
  decode(bytes: Buffer): void;
}

/** How long and how strictly to fuzz. */
export interface FuzzOptions {
  readonly targets: readonly FuzzTarget[];
  /** The only kind of error that a decoder may throw. */
  readonly fault: new (
    ...args: never[]
  ) => Error;
  readonly rounds: number;
  readonly seed: number;
  /** Above this, a decode counts as hanging. */
  readonly hangMs: number;
}

/** What a run found; `problems` is empty if all is well. */
export interface FuzzReport {
  readonly rounds: number;
  readonly accepted: number;
  readonly refused: number;
  /** The most memory in use at any look, above what was in use before, in bytes. */
  readonly memoryGrowth: number;
  readonly problems: readonly string[];
}

const ROUNDS_BETWEEN_LOOKS = 1000;
const MAX_PROBLEMS = 10;

/** Feeds damaged messages to every target in turn. The same options give the same bytes. */
export function fuzzDecoders(options: FuzzOptions): FuzzReport {
  const { targets, fault, rounds, hangMs } = options;
  const mutator = createMutator(options.seed);
  const problems: string[] = [];
  const memoryBefore = memoryInUse();
  let accepted = 0;
  let memoryGrowth = 0;
  let round = 0;
  for (; round < rounds && problems.length < MAX_PROBLEMS; round++) {
    const target = targets[round % targets.length]!;
    const bytes = mutator.mutate(target.seeds[mutator.below(target.seeds.length)]!);
    const error = attempt(target, bytes, hangMs);
    if (error === undefined) accepted++;
    else if (!(error instanceof fault)) {
      problems.push(`${target.name}, round ${round}: ${String(error)} for ${bytes.toString('hex')}`);
    }
    if (round % ROUNDS_BETWEEN_LOOKS === 0) {
      memoryGrowth = Math.max(memoryGrowth, memoryInUse() - memoryBefore);
    }
  }
  return { rounds: round, accepted, refused: round - accepted - problems.length, memoryGrowth, problems };
}

/**
 * The error of a decode, if any. A slow one is repeated: a pause of the process, for its garbage or for
 * another process, does not come twice with the same bytes, a hang does.
 */
function attempt(target: FuzzTarget, bytes: Buffer, hangMs: number): unknown {
  for (let tries = 3; tries > 0; tries--) {
    const start = performance.now();
    const error = errorOf(() => target.decode(bytes));
    if (performance.now() - start <= hangMs) return error;
  }
  return new Error(`more than ${hangMs} ms`);
}

function errorOf(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error ?? new Error('threw nothing');
  }
}

function memoryInUse(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
