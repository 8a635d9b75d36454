/** A decoder to fuzz, with valid messages to mutate. */
export interface FuzzTarget {
  readonly name: string;
  readonly seeds: readonly Uint8Array[];
  /** Decodes bytes and may check the result; throws an `expectedError` for invalid bytes. */
  decode(bytes: Buffer): void;
}

/** Limits of a fuzzing run. */
interface FuzzOptions {
  readonly targets: readonly FuzzTarget[];
  /** The only error class that a decoder may throw. */
  readonly expectedError: new (
    ...args: never[]
  ) => Error;
  readonly rounds: number;
  readonly seed: number;
  /** A longer decode counts as hanging. */
  readonly hangMs: number;
}

/** The result of a run; without errors, `problems` is empty. */
interface FuzzReport {
  readonly rounds: number;
  readonly accepted: number;
  readonly rejected: number;
  /** Peak memory above the memory at the start, in bytes. */
  readonly memoryGrowth: number;
  readonly problems: readonly string[];
}

const ROUNDS_PER_MEMORY_CHECK = 1000;
const MAX_PROBLEMS = 10;

/** Feeds mutated messages to all targets in turn; deterministic for the same options. */
export function fuzzDecoders(options: FuzzOptions): FuzzReport {
  const { targets, expectedError, rounds, hangMs } = options;
  const mutator = createMutator(options.seed);
  const problems: string[] = [];
  const memoryBefore = memoryInUse();
  let accepted = 0;
  let memoryGrowth = 0;
  let round = 0;
  for (; round < rounds && problems.length < MAX_PROBLEMS; round++) {
    const target = targets[round % targets.length]!;
    const bytes = mutator.mutate(target.seeds[mutator.below(target.seeds.length)]!);
    const error = tryDecode(target, bytes, hangMs);
    if (error === undefined) accepted++;
    else if (!(error instanceof expectedError)) {
      problems.push(`${target.name}, round ${round}: ${String(error)} for ${bytes.toString('hex')}`);
    }
    if (round % ROUNDS_PER_MEMORY_CHECK === 0) {
      memoryGrowth = Math.max(memoryGrowth, memoryInUse() - memoryBefore);
    }
  }
  return { rounds: round, accepted, rejected: round - accepted - problems.length, memoryGrowth, problems };
}

/**
 * The error of a decode, if any. CPU time counts, because other processes may take the rest; a slow decode is repeated to
 * tell a hang from a garbage collection.
 */
function tryDecode(target: FuzzTarget, bytes: Buffer, hangMs: number): unknown {
  for (let attempts = 3; attempts > 0; attempts--) {
    const before = process.threadCpuUsage();
    const error = errorOf(() => target.decode(bytes));
    const { user, system } = process.threadCpuUsage(before);
    if ((user + system) / 1000 <= hangMs) return error;
  }
  return new Error(`Took more than ${hangMs} ms of CPU time`);
}

function errorOf(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error ?? new Error('Threw undefined');
  }
}

function memoryInUse(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Mutates bytes; deterministic for the same seed and inputs. */
interface Mutator {
  /** A copy of `bytes` with one mutation, or sometimes several. */
  mutate(bytes: Uint8Array): Buffer;
  /** A random integer from 0 to `limit - 1`. */
  below(limit: number): number;
}

/** Values at which length and count checks tend to fail. */
const ODD_BYTES = [0, 1, 0x7f, 0x80, 0xfd, 0xfe, 0xff] as const;
const ODD_WORDS = [0, 1, 0xff, 0xffff, 0xffffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff] as const;

/** Creates a mutator. */
export function createMutator(seed: number): Mutator {
  const random = mulberry32(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  /** The previous input, to splice parts of one message into another. */
  let previous: Uint8Array = new Uint8Array(0);

  const mutations: readonly ((bytes: Buffer) => Buffer)[] = [
    (bytes) => flipBits(bytes, below),
    (bytes) => flipBits(bytes, below),
    (bytes) => bytes.subarray(0, below(bytes.length)),
    (bytes) => insert(bytes, below),
    (bytes) => remove(bytes, below),
    (bytes) => oddByte(bytes, below),
    (bytes) => oddWord(bytes, below),
    (bytes) => repeatPart(bytes, below),
    (bytes) => splice(bytes, previous, below),
  ];

  return {
    below,
    mutate(bytes) {
      let mutated = Buffer.from(bytes);
      const rounds = below(4) === 0 ? 2 + below(4) : 1;
      for (let round = 0; round < rounds; round++) {
        const mutation = mutations[below(mutations.length)];
        if (mutation !== undefined && mutated.length > 0) mutated = Buffer.from(mutation(mutated));
      }
      previous = bytes;
      return mutated;
    },
  };
}

type Below = (limit: number) => number;

function flipBits(bytes: Buffer, below: Below): Buffer {
  for (let left = 1 + below(4); left > 0; left--) {
    const at = below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
  }
  return bytes;
}

function insert(bytes: Buffer, below: Below): Buffer {
  const at = below(bytes.length + 1);
  const added = Buffer.alloc(1 + below(16));
  for (let i = 0; i < added.length; i++) added[i] = below(256);
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)]);
}

function remove(bytes: Buffer, below: Below): Buffer {
  const at = below(bytes.length);
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(16))]);
}

function oddByte(bytes: Buffer, below: Below): Buffer {
  bytes[below(bytes.length)] = ODD_BYTES[below(ODD_BYTES.length)] ?? 0;
  return bytes;
}

/** Writes an edge-case 32-bit number in either byte order, mostly at aligned offsets. */
function oddWord(bytes: Buffer, below: Below): Buffer {
  if (bytes.length < 4) return oddByte(bytes, below);
  const anywhere = below(bytes.length - 3);
  const at = below(4) === 0 ? anywhere : anywhere & ~3;
  const word = ODD_WORDS[below(ODD_WORDS.length)] ?? 0;
  if (below(2) === 0) bytes.writeUInt32LE(word, at);
  else bytes.writeUInt32BE(word, at);
  return bytes;
}

function repeatPart(bytes: Buffer, below: Below): Buffer {
  const from = below(bytes.length);
  const part = bytes.subarray(from, from + 1 + below(64));
  return Buffer.concat([bytes.subarray(0, from), part, bytes.subarray(from)]);
}

function splice(bytes: Buffer, other: Uint8Array, below: Below): Buffer {
  if (other.length === 0) return oddByte(bytes, below);
  return Buffer.concat([bytes.subarray(0, below(bytes.length)), other.subarray(below(other.length))]);
}

/** A small random generator with a 32-bit period, good enough to choose mutations. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
}
