import type { Slice } from '../../boc/slice.ts';
import { readHex } from './bit-strings.ts';
import { hasBits } from './numbers.ts';
import type { Reader } from './run.ts';

const NONE = 0;
const EXTERNAL = 1;
const STANDARD = 2;
const LENGTH_BITS = 9;
const MAX_ANYCAST_BITS = 30;

const ADDR_NONE = '{"@type":"addr_none"}';
const NOT_ANYCAST = '{"@type":"nothing_from_maybe"}';

/** The address of a message: of any kind, of an account, or of something outside the chain. */
export function addressReader(allowed: 'any' | 'internal' | 'external'): Reader {
  return (_run, slice) => {
    if (!hasBits(slice, 2)) return undefined;
    const kind = slice.uint(2);
    if (allowed !== 'any' && kind >= STANDARD !== (allowed === 'internal')) return undefined;
    if (kind === NONE) return ADDR_NONE;
    return kind === EXTERNAL ? readExternal(slice) : readInternal(slice, kind === STANDARD);
  };
}

function readExternal(slice: Slice): string | undefined {
  if (!hasBits(slice, LENGTH_BITS)) return undefined;
  const bits = slice.uint(LENGTH_BITS);
  if (!hasBits(slice, bits)) return undefined;
  return `{"@type":"addr_external","len":"${bits}","external_address":"${readHex(slice, bits)}"}`;
}

function readInternal(slice: Slice, isStandard: boolean): string | undefined {
  const anycast = readAnycast(slice);
  if (anycast === undefined) return undefined;
  if (isStandard) {
    if (!hasBits(slice, 8 + 256)) return undefined;
    return `{"@type":"addr_std","anycast":${anycast},"workchain_id":"${slice.int(8)}","address":"${readHex(slice, 256)}"}`;
  }
  if (!hasBits(slice, LENGTH_BITS)) return undefined;
  const bits = slice.uint(LENGTH_BITS);
  if (!hasBits(slice, 32 + bits)) return undefined;
  return `{"@type":"addr_var","anycast":${anycast},"addr_len":"${bits}","workchain_id":"${slice.int(32)}","address":"${readHex(slice, bits)}"}`;
}

function readAnycast(slice: Slice): string | undefined {
  if (!hasBits(slice, 1)) return undefined;
  if (slice.uint(1) === 0) return NOT_ANYCAST;
  if (!hasBits(slice, 5)) return undefined;
  const depth = slice.uint(5);
  if (depth < 1 || depth > MAX_ANYCAST_BITS || !hasBits(slice, depth)) return undefined;
  const info = `{"@type":"anycast_info","depth":"${depth}","rewrite_pfx":"${readHex(slice, depth)}"}`;
  return `{"@type":"something_from_maybe","value":${info}}`;
}
