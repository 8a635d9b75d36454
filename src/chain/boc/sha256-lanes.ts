import {
  body,
  instantiate,
  KINDS,
  SECTIONS,
  section,
  signed,
  text,
  unsigned,
  writeModule,
  writeType,
} from '../../lib/wasm-module.ts';

/**
 * SHA-256 of four short messages at once, in WebAssembly with vectors of four 32-bit words: each instruction works on the
 * same word of all messages. On a Xeon with 2.5 GHz that has no instructions for SHA, a block of 64 bytes takes 0.1 µs if all
 * lanes are full; `hash` of node:crypto takes 0.16 µs, and 0.5 µs more per message; one message at a time in WebAssembly
 * takes 0.3 µs.
 */
export interface Sha256Lanes {
  /** Message `lane` is at `MESSAGES_AT + lane * LANE_BYTES`, its hash will be at `32 * lane`. */
  readonly memory: DataView;
  /** Hashes messages by their lengths. It overwrites them. */
  readonly hash: (length0: number, length1: number, length2: number, length3: number) => void;
}

export const LANES = 4;
export const LANE_BYTES = 512;
/** Padding is written after a message: at most 9 bytes and the rest of a block. */
export const MAX_MESSAGE_BYTES = LANE_BYTES - 96;
const HASH_BYTES = 32;
const BLOCK_BYTES = 64;
const ROUNDS = 64;
const VECTOR_BYTES = 16;

const STATE_AT = LANES * HASH_BYTES;
const CONSTANTS_AT = STATE_AT + 8 * VECTOR_BYTES;
export const MESSAGES_AT = CONSTANTS_AT + 4 * ROUNDS;

let shared: Sha256Lanes | undefined;

/** One for the whole thread; no callback runs while it is in use. Undefined where node:crypto is to be preferred. */
export function sha256Lanes(): Sha256Lanes | undefined {
  // Not measured elsewhere: processors of the other architecture have instructions for SHA, and narrower vector units.
  if (process.arch !== 'x64') return undefined;
  shared ??= createSha256Lanes();
  return shared;
}

export function createSha256Lanes(): Sha256Lanes {
  const { hash, memory } = instantiate(writeLanes()).exports as {
    readonly hash: Sha256Lanes['hash'];
    readonly memory: { readonly buffer: ArrayBuffer };
  };
  return { hash, memory: new DataView(memory.buffer) };
}

/** The first 32 bits of the fractions of roots of the first primes, as the standard defines its constants. */
function fractions(root: (prime: number) => number, count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes.map((prime) => Math.floor((root(prime) % 1) * 2 ** 32));
}

/** Instructions on 32-bit integers and of the program's flow. */
const [LOOP, END, BRANCH_IF, CHOOSE, STORE_BYTE] = [0x03, 0x0b, 0x0d, 0x1b, 0x3a] as const;
const [NOT, LESS, ADD, SHIFT_LEFT, SHIFT_RIGHT] = [0x45, 0x49, 0x6a, 0x74, 0x76] as const;
const NO_TYPE = 0x40;

/** Instructions on vectors. */
const vector = (code: number): number[] => [0xfd, ...unsigned(code)];
const [SPLAT, LESS_LANES, SELECT, XOR] = [17, 57, 82, 81].map(vector) as [
  number[],
  number[],
  number[],
  number[],
];
const [SHL, SHR, ADD_LANES] = [171, 173, 174].map(vector) as [number[], number[], number[]];
const load = (at: number): number[] => [...vector(0), 4, ...unsigned(at)];
const loadSplat = (at: number): number[] => [...vector(9), 2, ...unsigned(at)];
const store = (at: number): number[] => [...vector(11), 0, ...unsigned(at)];
const constant = (bytes: readonly number[]): number[] => [...vector(12), ...bytes];
const replaceLane = (lane: number): number[] => [...vector(28), lane];
const shuffle = (bytes: readonly number[]): number[] => [...vector(13), ...bytes];
/** Takes four of the eight words of two vectors. */
const takeWords = (...words: readonly number[]): number[] =>
  shuffle(words.flatMap((word) => [0, 1, 2, 3].map((byte) => 4 * word + byte)));
const SWAP_BYTES = shuffle([3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]);

const get = (local: number): number[] => [0x20, ...unsigned(local)];
const set = (local: number): number[] => [0x21, ...unsigned(local)];
const keep = (local: number): number[] => [0x22, ...unsigned(local)];
const int = (value: number): number[] => [0x41, ...signed(value)];
const fourOf = <T>(each: (at: number) => T): [T, T, T, T] => [each(0), each(1), each(2), each(3)];

/** Local variables: the lengths of the messages, then other integers, then vectors. */
const [LENGTH, BLOCK, OFFSET, END_OF_BLOCKS, CONSTANT, INTEGERS] = [0, 4, 5, 6, 7, 8] as const;
const [STATE, WORDS, COUNTS, SUM, SPARE, ALL] = [8, 16, 32, 33, 34, 35] as const;

/** A module with the memory and the function of the lanes. */
function writeLanes(): Uint8Array {
  const constants = Uint32Array.from(fractions(Math.cbrt, ROUNDS));
  const begin = fractions(Math.sqrt, 8).flatMap((word, i) => [
    ...int(0),
    ...constant([...Buffer.from(new Uint32Array(LANES).fill(word).buffer)]),
    ...store(STATE_AT + i * VECTOR_BYTES),
  ]);
  const code = [
    ...fourOf(writePadding).flat(),
    ...begin,
    ...[LOOP, NO_TYPE],
    ...readWords(),
    ...writeRounds(),
    ...addToState(),
    ...[...get(OFFSET), ...int(BLOCK_BYTES), ADD, ...set(OFFSET)],
    ...[...get(BLOCK), ...int(1), ADD, ...keep(BLOCK), ...get(END_OF_BLOCKS), LESS, BRANCH_IF, 0, END],
    ...writeHashes(),
  ];
  const locals = [
    [INTEGERS - LANES, 0x7f],
    [ALL - INTEGERS, 0x7b],
  ];
  const data = [...Buffer.from(constants.buffer)];
  return writeModule([
    section(SECTIONS.type, [writeType('viiii')]),
    section(SECTIONS.function, [[0]]),
    section(SECTIONS.memory, [[0, 1]]),
    section(SECTIONS.export, [
      [...text('hash'), KINDS.function, 0],
      [...text('memory'), KINDS.memory, 0],
    ]),
    section(SECTIONS.code, [body(locals, code)]),
    section(SECTIONS.data, [[0, ...int(CONSTANTS_AT), END, ...unsigned(data.length), ...data]]),
  ]);
}

/** Completes a message by a one, zeros and its length in bits, and counts its blocks. */
function writePadding(lane: number): number[] {
  const at = MESSAGES_AT + lane * LANE_BYTES;
  const length = get(LENGTH + lane);
  const zeros = [1, 17, 33, 49, 65].flatMap((from) => [
    ...length,
    ...constant(new Array<number>(VECTOR_BYTES).fill(0)),
    ...store(at + from),
  ]);
  const storeByte = (offset: number): number[] => [STORE_BYTE, 0, ...unsigned(at + offset)];
  return [
    ...[...length, ...int(0x80), ...storeByte(0)],
    ...zeros,
    // Until its end, OFFSET is that of the last block.
    ...[
      ...length,
      ...int(8),
      ADD,
      ...int(6),
      SHIFT_RIGHT,
      ...keep(BLOCK),
      ...int(6),
      SHIFT_LEFT,
      ...set(OFFSET),
    ],
    ...[...get(OFFSET), ...length, ...int(5), SHIFT_RIGHT, ...storeByte(BLOCK_BYTES - 2)],
    ...[...get(OFFSET), ...length, ...int(3), SHIFT_LEFT, ...storeByte(BLOCK_BYTES - 1)],
    ...[...get(BLOCK), ...int(1), ADD, ...set(BLOCK)],
    ...(lane === 0 ? [...get(BLOCK), ...SPLAT] : [...get(COUNTS), ...get(BLOCK), ...replaceLane(lane)]),
    ...set(COUNTS),
    // The highest count.
    ...[...get(END_OF_BLOCKS), ...get(BLOCK), ...get(END_OF_BLOCKS), ...get(BLOCK), LESS, NOT, CHOOSE],
    ...set(END_OF_BLOCKS),
    ...[...int(0), ...set(BLOCK), ...int(0), ...set(OFFSET)],
  ];
}

/** Four vectors with words of one lane each become four with one word of each lane, or the reverse. */
function transpose([a, b, c, d]: readonly [number, number, number, number]): number[] {
  return [
    ...[...get(a), ...get(b), ...takeWords(0, 4, 1, 5), ...set(SUM)],
    ...[...get(a), ...get(b), ...takeWords(2, 6, 3, 7), ...set(SPARE)],
    ...[...get(c), ...get(d), ...takeWords(0, 4, 1, 5), ...set(a)],
    ...[...get(c), ...get(d), ...takeWords(2, 6, 3, 7), ...set(d)],
    ...[...get(SUM), ...get(a), ...takeWords(2, 3, 6, 7), ...set(b)],
    ...[...get(SUM), ...get(a), ...takeWords(0, 1, 4, 5), ...set(a)],
    ...[...get(SPARE), ...get(d), ...takeWords(0, 1, 4, 5), ...set(c)],
    ...[...get(SPARE), ...get(d), ...takeWords(2, 3, 6, 7), ...set(d)],
  ];
}

/** Loads the 16 words of the block of each lane, and the state. */
function readWords(): number[] {
  const words = fourOf((quarter) => {
    const places = fourOf((lane) => WORDS + 4 * quarter + lane);
    const loads = places.flatMap((place, lane) => [
      ...[...get(OFFSET), ...load(MESSAGES_AT + lane * LANE_BYTES + quarter * VECTOR_BYTES)],
      ...[...keep(SUM), ...get(SUM), ...SWAP_BYTES, ...set(place)],
    ]);
    return [...loads, ...transpose(places)];
  });
  const state = Array.from({ length: 8 }, (_, i) => [
    ...int(0),
    ...load(STATE_AT + i * VECTOR_BYTES),
    ...set(STATE + i),
  ]);
  return [...words.flat(), ...state.flat()];
}

/** The 64 rounds: the first 16 with the words of the block, then three times 16 with words made of them. */
function writeRounds(): number[] {
  const sixteen = Array.from({ length: 16 }, (_, round) => round);
  return [
    ...sixteen.flatMap((round) => writeRound(round, [...int(0), ...loadSplat(CONSTANTS_AT + 4 * round)])),
    ...[...int(BLOCK_BYTES), ...set(CONSTANT), LOOP, NO_TYPE],
    ...sixteen.flatMap((round) => [
      ...extendWords(round),
      ...writeRound(round, [...get(CONSTANT), ...loadSplat(CONSTANTS_AT + 4 * round)]),
    ]),
    ...[
      ...get(CONSTANT),
      ...int(BLOCK_BYTES),
      ADD,
      ...keep(CONSTANT),
      ...int(4 * ROUNDS),
      LESS,
      BRANCH_IF,
      0,
      END,
    ],
  ];
}

/** A rotation to the right as two terms, of which the sum or the difference in bits is taken. */
const rotated = (local: number, by: number): number[] => [
  ...[...get(local), ...int(by), ...SHR],
  ...[...get(local), ...int(32 - by), ...SHL, ...XOR],
];

/** Words are kept in a ring of 16. */
function extendWords(round: number): number[] {
  const word = (ahead: number): number => WORDS + ((round + ahead) & 15);
  const mix = (local: number, [a, b, shift]: readonly [number, number, number]): number[] => [
    ...[...rotated(local, a), ...rotated(local, b), ...XOR],
    ...[...get(local), ...int(shift), ...SHR, ...XOR],
  ];
  return [
    ...[...get(word(0)), ...mix(word(1), [7, 18, 3]), ...ADD_LANES, ...get(word(9)), ...ADD_LANES],
    ...[...mix(word(14), [17, 19, 10]), ...ADD_LANES, ...set(word(0))],
  ];
}

/** The variables of the state change their roles instead of their places, which are the same again after eight rounds. */
function writeRound(round: number, roundConstant: readonly number[]): number[] {
  const role = (at: number): number => STATE + ((at + ROUNDS - round) & 7);
  const [a, b, c, d] = fourOf(role);
  const [e, f, g, h] = fourOf((at) => role(at + 4));
  const mix = (local: number, [x, y, z]: readonly [number, number, number]): number[] => [
    ...[...rotated(local, x), ...rotated(local, y), ...XOR, ...rotated(local, z), ...XOR],
  ];
  return [
    ...[...get(h), ...roundConstant, ...ADD_LANES, ...get(WORDS + (round & 15)), ...ADD_LANES],
    ...[...get(f), ...get(g), ...get(e), ...SELECT, ...ADD_LANES],
    ...[...mix(e, [6, 11, 25]), ...ADD_LANES, ...keep(SUM), ...get(d), ...ADD_LANES, ...set(d)],
    // The majority of a, b and c is c where a and b differ.
    ...[...get(SUM), ...mix(a, [2, 13, 22]), ...ADD_LANES],
    ...[...get(c), ...get(b), ...get(a), ...get(b), ...XOR, ...SELECT, ...ADD_LANES, ...set(h)],
  ];
}

/** Adds the result of the rounds to the state of those lanes whose message has this block. */
function addToState(): number[] {
  const words = Array.from({ length: 8 }, (_, i) => {
    const at = STATE_AT + i * VECTOR_BYTES;
    return [
      ...[...int(0), ...int(0), ...load(at), ...keep(SUM), ...get(STATE + i), ...ADD_LANES, ...get(SUM)],
      ...[...get(SPARE), ...SELECT, ...store(at)],
    ];
  });
  return [...get(BLOCK), ...SPLAT, ...get(COUNTS), ...LESS_LANES, ...set(SPARE), ...words.flat()];
}

function writeHashes(): number[] {
  const halves = [0, 1].map((half) => {
    const places = fourOf((word) => STATE + 4 * half + word);
    return [
      ...places.flatMap((place, word) => [
        ...[...int(0), ...load(STATE_AT + (4 * half + word) * VECTOR_BYTES), ...set(place)],
      ]),
      ...transpose(places),
      ...places.flatMap((place, lane) => [
        ...[...int(0), ...get(place), ...get(place), ...SWAP_BYTES],
        ...store(lane * HASH_BYTES + half * VECTOR_BYTES),
      ]),
    ];
  });
  return halves.flat();
}
