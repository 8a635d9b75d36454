import type { Span } from '../db/queries/span.ts';
import { uint64Param } from './params/uint64.ts';
import { utimeParam } from './params/utime.ts';

/** The parameters that bound a list by time and by logical time, both ends included. */
export function spanParams({ utime, lt }: { readonly utime: string; readonly lt: string }) {
  return {
    start_utime: utimeParam({ description: `${utime} is not before this unix time.` }),
    end_utime: utimeParam({ description: `${utime} is not after this unix time.` }),
    start_lt: uint64Param({ description: `${lt} is not below this.` }),
    end_lt: uint64Param({ description: `${lt} is not above this.` }),
  };
}

interface AskedSpan {
  readonly start_utime: number | undefined;
  readonly end_utime: number | undefined;
  readonly start_lt: bigint | undefined;
  readonly end_lt: bigint | undefined;
}

/** The span that a request asked for. */
export function toSpan({ start_utime, end_utime, start_lt, end_lt }: AskedSpan): Span {
  return {
    startUtime: start_utime === undefined ? undefined : BigInt(start_utime),
    endUtime: end_utime === undefined ? undefined : BigInt(end_utime),
    startLt: start_lt,
    endLt: end_lt,
  };
}
