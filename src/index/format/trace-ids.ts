import { bytesKey, bytesOf, type HashKey } from '../../lib/bytes-key.ts';

// The trace ids of a page are stored next to it, because they change when traces are joined: one byte per slot, then a list
// of ids. A byte below 64 is the slot of the trace's first transaction, whose hash is the id; otherwise the low bits are
// the position of the id in the list.

const IN_LIST = 0x80;
const HASH_BYTES = 32;

/** Packs the trace ids of a page; `hashes` are those of its transactions. */
export function packTraceIds(ids: readonly HashKey[], hashes: readonly HashKey[]): Buffer {
  const slots = new Map(hashes.map((hash, slot) => [hash, slot]));
  return pack(ids.map((id) => slots.get(id) ?? id));
}

/** Packs the slot of a first transaction or the id for each slot. */
function pack(roots: readonly (number | HashKey)[]): Buffer {
  const list = new Map<HashKey, number>();
  const slots = roots.map((root) => {
    if (typeof root === 'number') return root;
    const number = list.get(root) ?? list.size;
    list.set(root, number);
    return IN_LIST | number;
  });
  return Buffer.concat([Buffer.from(slots), ...[...list.keys()].map(bytesOf)]);
}

/** Unpacks trace ids: the slot of a first transaction or the id, for each of `count` slots. */
function unpack(traces: Buffer, count: number): (number | HashKey)[] {
  return Array.from(traces.subarray(0, count), (byte) => {
    if (byte < IN_LIST) return byte;
    const at = count + (byte - IN_LIST) * HASH_BYTES;
    return bytesKey(traces.subarray(at, at + HASH_BYTES));
  });
}

/** The trace id of a slot of a page with `count` slots; `hashOf` returns the hash of a transaction of the page. */
export function traceIdAt(
  traces: Buffer,
  count: number,
  slot: number,
  hashOf: (slot: number) => Buffer,
): Buffer {
  const root = traces.readUInt8(slot);
  if (root < IN_LIST) return hashOf(root);
  const at = count + (root - IN_LIST) * HASH_BYTES;
  return traces.subarray(at, at + HASH_BYTES);
}

/** Trace ids of a page after some slots were moved to other traces, which do not begin in this page. */
export function moveTraceIds(traces: Buffer, count: number, moved: ReadonlyMap<number, HashKey>): Buffer {
  return pack(unpack(traces, count).map((root, slot) => moved.get(slot) ?? root));
}

/** Trace ids of a page without the slots from `kept` on; a trace begins before its other transactions. */
export function truncateTraceIds(traces: Buffer, count: number, kept: number): Buffer {
  return pack(unpack(traces, count).slice(0, kept));
}
