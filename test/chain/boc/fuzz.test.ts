import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BocOutcome, bocSeeds, repairBoc, tryBoc, tryConversions } from '../../support/fuzz/boc.ts';
import { createMutator } from '../../support/fuzz/fuzz-decoder.ts';
import { sampled } from '../../support/long-run.ts';

// One million in a long run; FUZZ_ROUNDS asks for another number, FUZZ_SEED for another stream of chance.
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? sampled(8000, 1_000_000));
const SEED = Number(process.env.FUZZ_SEED ?? 1);

const LONGEST_MS = 50;
const MOST_GROWTH_BYTES = 512 * 1024 * 1024;
const LOOK_AT_MEMORY_EVERY = 20_000;
const CONVERT_EVERY = 100;
/** The header of most seeds. */
const HEADER_BYTES = 11;

describe(`${ROUNDS} damaged bags of cells`, () => {
  const { stackTraceLimit } = Error;
  beforeAll(() => {
    // Most rounds end in an error, whose stack nobody reads.
    Error.stackTraceLimit = 0;
  });
  afterAll(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });

  it('are read or rejected with a CellError in bounded time', { timeout: 120_000 + ROUNDS }, () => {
    const seeds = bocSeeds();
    const { mutate, below } = createMutator(SEED);
    /** Anywhere; anywhere but with sizes and checksum made right again; or so and only after the header. */
    const damage = (seed: Buffer, way: number): Buffer => {
      if (way === 0) return mutate(seed);
      if (way === 1) return repairBoc(mutate(seed));
      return repairBoc(Buffer.concat([seed.subarray(0, HEADER_BYTES), mutate(seed.subarray(HEADER_BYTES))]));
    };
    const memoryBefore = memoryInUse();
    const outcomes = { rejected: 0, unhashable: 0, valid: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = damage(seeds[below(seeds.length)]!, below(3));
      outcomes[attempt(bytes, round % CONVERT_EVERY === 0)]++;
      if (round % LOOK_AT_MEMORY_EVERY === 0)
        expect(memoryInUse() - memoryBefore).toBeLessThan(MOST_GROWTH_BYTES);
    }
    // The damage must reach everything: the header, the cells, and what only hashes show.
    expect(outcomes.rejected).toBeGreaterThan(ROUNDS / 4);
    expect(outcomes.valid).toBeGreaterThan(ROUNDS / 20);
    expect(outcomes.unhashable).toBeGreaterThan(ROUNDS / 50);
  });
});

function memoryInUse(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** One round. CPU time counts, because the machine may pause; what garbage collection made slow gets more chances. */
function attempt(bytes: Buffer, convert: boolean): BocOutcome {
  for (let left = 4; ; left--) {
    const start = process.threadCpuUsage();
    try {
      const outcome = tryBoc(bytes);
      const { user, system } = process.threadCpuUsage(start);
      const time = (user + system) / 1000;
      if (convert) tryConversions(bytes);
      if (time <= LONGEST_MS) return outcome;
      if (left === 0) throw new Error(`it took ${time} ms of CPU time`);
    } catch (error) {
      throw new Error(`damaged bag ${bytes.toString('base64')}`, { cause: error });
    }
  }
}
