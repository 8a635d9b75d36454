import { isDeepStrictEqual } from 'node:util';
import { ProofFailure } from '../../../../src/lite/methods/proofs.ts';
import { type CheckedRequest, checkAnswer, provenParts } from './check-answer.ts';

/** What became of a response with one bit changed, many times over. */
interface FlipReport {
  /** How many were refused. */
  readonly refused: number;
  /** How many were taken, and rightly so: the bit says nothing, or something that nothing proves. */
  readonly harmless: number;
  /** What went wrong. */
  readonly problems: readonly string[];
}

/** Changes one bit of a response after another, at random places that are the same in every run, and checks it. */
export function flipBits(
  request: CheckedRequest,
  answer: Buffer,
  flips: number,
  check: (bytes: Buffer) => void = (bytes) => {
    checkAnswer(request, bytes);
  },
): FlipReport {
  const meaning = provenParts(request, answer);
  const random = createRandom(answer.length);
  const problems: string[] = [];
  let refused = 0;
  let harmless = 0;
  for (let i = 0; i < flips; i++) {
    const bit = Math.floor(random() * answer.length * 8);
    const changed = Buffer.from(answer);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    try {
      check(changed);
    } catch (error) {
      if (error instanceof ProofFailure) refused++;
      else problems.push(`bit ${bit}: ${error instanceof Error ? error.stack : error}`);
      continue;
    }
    if (isDeepStrictEqual(provenParts(request, changed), meaning)) harmless++;
    else problems.push(`bit ${bit}: taken though it means something else`);
  }
  return { refused, harmless, problems };
}

/** Numbers from 0 to 1 that look random (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
