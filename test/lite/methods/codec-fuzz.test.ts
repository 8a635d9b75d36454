import { expect, test } from 'vitest';
import { TlError } from '../../../src/chain/tl/tl.ts';
import { createMutator, type FuzzTarget, fuzzDecoders } from '../../support/fuzz/fuzz-decoder.ts';
import { tlRequestTargets, tlResponseTargets } from '../../support/fuzz/tl-targets.ts';
import { sampled } from '../../support/long-run.ts';

/** Damaged messages of each kind; `FUZZ_ROUNDS` asks for more. */
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? sampled(4000, 100_000));
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115);
/** Between two collections of garbage this much may pile up; a single lying count would ask for gigabytes. */
const MAX_GROWTH_BYTES = 256 * 2 ** 20;
const MILLISECONDS_A_ROUND = 0.5;

function fuzz(targets: readonly FuzzTarget[], rounds: number): void {
  const report = fuzzDecoders({ targets, expectedError: TlError, rounds, seed: SEED, hangMs: 50 });
  expect(report.problems).toEqual([]);
  expect(report.rounds).toBe(rounds);
  expect(report.memoryGrowth).toBeLessThan(MAX_GROWTH_BYTES);
  // Both happen, or the damage is too small or too great to find anything.
  expect(report.accepted).toBeGreaterThan(rounds / 100);
  expect(report.rejected).toBeGreaterThan(rounds / 10);
}

const timeout = 30_000 + ROUNDS * MILLISECONDS_A_ROUND;

test(`${ROUNDS} damaged responses are decoded or refused`, () => fuzz(tlResponseTargets(), ROUNDS), timeout);

test(
  'damaged requests are decoded or refused',
  () => fuzz(tlRequestTargets(), Math.ceil(ROUNDS / 5)),
  timeout,
);

test('the mutator of the fuzz tests repeats its damage for the same seed', () => {
  const bytes = Buffer.from('a message of some length, long enough for every damage');
  const damage = (seed: number) => {
    const mutator = createMutator(seed);
    return Array.from({ length: 200 }, () => mutator.mutate(bytes).toString('hex'));
  };
  expect(damage(1)).toEqual(damage(1));
  expect(damage(1)).not.toEqual(damage(2));
  expect(new Set(damage(1)).size).toBeGreaterThan(150);
  expect(bytes.toString()).toBe('a message of some length, long enough for every damage');
});

test('the fuzz tests report a decoder that throws another error or hangs', () => {
  const targets = [
    {
      name: 'breaks',
      seeds: [Buffer.alloc(8)],
      decode: () => {
        throw new RangeError('out of range');
      },
    },
    {
      name: 'hangs',
      seeds: [Buffer.alloc(8)],
      decode: () => {
        const before = process.threadCpuUsage();
        while (process.threadCpuUsage(before).user < 5000);
      },
    },
  ] as unknown as FuzzTarget[];
  const report = fuzzDecoders({ targets, expectedError: TlError, rounds: 2, seed: 1, hangMs: 1 });
  expect(report.problems).toEqual([
    expect.stringContaining('breaks, round 0: RangeError: out of range'),
    expect.stringContaining('hangs, round 1: Error: Took more than 1 ms'),
  ]);
});
