import { deserialize, serialize } from 'node:v8';
import type { KeptTrace } from './trace-store.ts';

/** Changes with the form of kept traces: processes of different versions may share a store for a while. */
const FORM = 1;

/** A trace as bytes, for processes that share it. */
export function writeTrace(trace: KeptTrace): Buffer {
  return Buffer.concat([Buffer.of(FORM), serialize(trace)]);
}

/** The trace that bytes are; undefined for those of another version, or for none at all. */
export function readTrace(bytes: Buffer): KeptTrace | undefined {
  if (bytes[0] !== FORM) return undefined;
  try {
    // A copy: the bytes are part of all that came with one answer, which they would keep in memory.
    return deserialize(Buffer.from(bytes.subarray(1))) as KeptTrace;
  } catch {
    return undefined;
  }
}
