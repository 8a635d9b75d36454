/** A decoder under attack, and good messages for it that the attack starts from. */
export interface FuzzTarget {
  readonly name: string;
  readonly seeds: readonly Uint8Array[];
  /** Decodes bytes; may check what it got, and throws `fault` for bytes that are not accepted. */
  decode(bytes: Buffer): void;
}

/** How long and how strictly to fuzz. */
interface FuzzOptions {
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
interface FuzzReport {
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

/** A source of damaged copies: the same seed and inputs give the same damage. */
interface Mutator {
  /** A damaged copy of `bytes`, which stay as they are; now and then one with several damages. */
  mutate(bytes: Uint8Array): Buffer;
  /** A whole number from 0 to `limit - 1`, from the same stream of chance. */
  below(limit: number): number;
}

/** Numbers at which length and count checks tend to be wrong. */
const ODD_BYTES = [0, 1, 0x7f, 0x80, 0xfd, 0xfe, 0xff] as const;
const ODD_WORDS = [0, 1, 0xff, 0xffff, 0xffffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff] as const;

/** A mutator whose whole behaviour follows from `seed`. */
export function createMutator(seed: number): Mutator {
  const random = mulberry32(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  /** Bytes of the input before, to splice in: parts of one message inside another. */
  let previous: Uint8Array = new Uint8Array(0);

  const damages: readonly ((bytes: Buffer) => Buffer)[] = [
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
      let damaged = Buffer.from(bytes);
      const rounds = below(4) === 0 ? 2 + below(4) : 1;
      for (let round = 0; round < rounds; round++) {
        const damage = damages[below(damages.length)];
        if (damage !== undefined && damaged.length > 0) damaged = Buffer.from(damage(damaged));
      }
      previous = bytes;
      return damaged;
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

/** Writes a tempting 32-bit number, in either byte order, mostly where such fields stand. */
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

/** A small generator with a full 32-bit period; quality enough to choose damages. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
}
