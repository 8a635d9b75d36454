import type { Slice } from '../../chain/boc/slice.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import { Dictionary } from '../../chain/tlb/dictionary.ts';
import {
  BLOCK_CREATE_STATS,
  type BlockCounters,
  type CreatorStats,
} from '../../chain/tlb/masterchain-state.ts';

/** Stands for all validators together. */
const EVERYONE = Buffer.alloc(32);

/** Counts the blocks of one step for their creators; returns the root of the new statistics. */
export function countCreators(
  arena: BuildingArena,
  root: number,
  masterchain: Buffer,
  shards: readonly Buffer[],
  now: number,
): number {
  const dictionary = new Dictionary(arena, BLOCK_CREATE_STATS);
  const count = (before: number, key: Buffer, mcBlocks: number, shardBlocks: number): number => {
    const entry = dictionary.get(before, key);
    const old = entry === undefined ? { mcBlocks: NO_BLOCKS, shardBlocks: NO_BLOCKS } : readStats(entry);
    return dictionary.set(before, key, {
      mcBlocks: mcBlocks === 0 ? old.mcBlocks : addBlocks(old.mcBlocks, mcBlocks, now),
      shardBlocks: shardBlocks === 0 ? old.shardBlocks : addBlocks(old.shardBlocks, shardBlocks, now),
    });
  };
  let stats = root;
  for (const [, made] of Map.groupBy(shards, (key) => key.toString('latin1')))
    stats = count(stats, made[0]!, 0, made.length);
  stats = count(stats, masterchain, 1, 0);
  return count(stats, EVERYONE, 1, shards.length);
}

function readStats(slice: Slice): CreatorStats {
  slice.skip(4);
  return { mcBlocks: readCounters(slice), shardBlocks: readCounters(slice) };
}

function readCounters(slice: Slice): BlockCounters {
  return {
    lastUpdated: slice.uint(32),
    total: slice.uint64(),
    count2048: slice.uint64(),
    count65536: slice.uint64(),
  };
}

/** No blocks at all. */
export const NO_BLOCKS: BlockCounters = { lastUpdated: 0, total: 0n, count2048: 0n, count65536: 0n };

const UNIT_BITS = 32n;
const MAX_SECONDS_2048 = 48 * 2048;
const WORD_BITS = 64n;
const WORD = 1n << WORD_BITS;
const MAX_WHOLE = 45;

/** Counts more blocks at a time. The averages are fixed-point numbers with 32 bits after the point. */
export function addBlocks(counters: BlockCounters, blocks: number, now: number): BlockCounters {
  const added = BigInt(blocks) << UNIT_BITS;
  if (counters.total === 0n)
    return { lastUpdated: now, total: BigInt(blocks), count2048: added, count65536: added };
  const seconds = Math.max(0, now - counters.lastUpdated);
  const faded2048 = seconds >= MAX_SECONDS_2048 ? 0n : decay(counters.count2048, seconds * 32);
  return {
    lastUpdated: now,
    total: counters.total + BigInt(blocks),
    count2048: faded2048 + added,
    count65536: decay(counters.count65536, seconds) + added,
  };
}

/**
 * `value` times exp(-k / 65536), in steps of the powers 1, 1/256 and 1/65536 with the roundings of the node: its
 * state is compared by hash.
 */
export function decay(value: bigint, k: number): bigint {
  if (k === 0 || value === 0n) return value;
  const whole = Math.floor(k / 65536);
  if (whole > MAX_WHOLE) return 0n;
  const shift = WORD_BITS - BigInt(value.toString(2).length);
  let x = value << shift;
  const small = k & 0xff;
  const middle = (k >> 8) & 0xff;
  if (small > 0) x -= (roundedHigh(x * lost(small, 65536n, 72n)) + 0x80n) >> 8n;
  if (middle > 0) x -= roundedHigh(x * lost(middle, 256n, 64n));
  if (whole > 0) {
    const { mantissa, scale } = powerOf(whole);
    return ((((x * mantissa) >> (scale + shift)) % WORD) + 1n) >> 1n;
  }
  return shift === 0n ? x : ((x >> (shift - 1n)) + 1n) >> 1n;
}

function roundedHigh(product: bigint): bigint {
  return (product + (WORD >> 1n)) >> WORD_BITS;
}

/** 1 - exp(-count / parts), with `bits` after the point, rounded. */
function lost(count: number, parts: bigint, bits: bigint): bigint {
  const one = 1n << PRECISION;
  return rounded(one - exponential(BigInt(count), parts), PRECISION - bits);
}

/** exp(-whole) as a number of 64 bits over a power of two (one less than that power is the scale). */
function powerOf(whole: number): { mantissa: bigint; scale: bigint } {
  const value = exponential(BigInt(whole), 1n);
  const length = BigInt(value.toString(2).length);
  return { mantissa: rounded(value, length - WORD_BITS), scale: PRECISION - length + WORD_BITS - 1n };
}

const PRECISION = 320n;

/** exp(-count / parts) with PRECISION bits after the point, by its series around a small step. */
function exponential(count: bigint, parts: bigint): bigint {
  const halvings = 16n;
  const step = (count << (PRECISION - halvings)) / parts;
  let term = 1n << PRECISION;
  let sum = 0n;
  for (let i = 1n; term !== 0n; i++) {
    sum += term;
    term = -((term * step) >> PRECISION) / i;
  }
  for (let i = 0n; i < halvings; i++) sum = (sum * sum) >> PRECISION;
  return sum;
}

function rounded(value: bigint, bits: bigint): bigint {
  return (value + (1n << (bits - 1n))) >> bits;
}
