import { ACTION_TYPES } from './action-names.ts';

/**
 * Types that one trace in fifty or more has, in the index that `npm run fill` generates after the model of mainnet, and
 * deployments. Lists of them walk all traces, newest or oldest first; for every other type the index has a row per trace.
 */
const COMMON_TYPES: ReadonlySet<string> = new Set([
  'call_contract',
  'ton_transfer',
  'jetton_transfer',
  'jetton_swap',
  'contract_deploy',
  'nft_transfer',
  'unknown',
]);

/** Whether lists of a type walk all traces. */
export function isCommonType(type: string): boolean {
  return COMMON_TYPES.has(type);
}

const OWN_BITS = 8;
const SHARED_BITS = 23;

/** The bits of types in the mask of a trace. The first types have their own bit, the others share the rest. */
export function maskOfTypes(types: Iterable<string>): number {
  let mask = 0;
  for (const type of types) {
    const id = ACTION_TYPES.idOf(type);
    mask |= 1 << (id > 0 && id <= OWN_BITS ? id - 1 : OWN_BITS + (id % SHARED_BITS));
  }
  return mask;
}

/** The key under which `action_keys` has the traces with a type; types without an id share one. */
export function typeKey(type: string): bigint {
  return BigInt(ACTION_TYPES.idOf(type));
}

const SLICE_BITS = 28n;

/**
 * The slice of logical time in which a trace ended. A block takes a million of logical time, so a slice has about 268 of
 * them. `action_slices` tells the types in a slice: walks skip the times before a type existed.
 */
export function sliceOf(endLt: bigint): bigint {
  return endLt >> SLICE_BITS;
}

/** The logical times of slices that follow each other, both ends inclusive. */
export function ltsOfSlices(
  first: bigint,
  last: bigint,
): { readonly startLt: bigint; readonly endLt: bigint } {
  return { startLt: first << SLICE_BITS, endLt: ((last + 1n) << SLICE_BITS) - 1n };
}
