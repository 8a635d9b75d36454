import { weakTag } from '../../http/entity-tag.ts';

/** The finished result of an operation. */
export interface KeptAnswer {
  readonly json: string;
  /** Tag of an answer that can never change; undefined for one that holds for a while. */
  readonly etag: string | undefined;
  /** When it is too old to be given, on the clock of `performance.now`. */
  readonly untilMs: number;
}

/** An answer that can never change. */
export function lastingAnswer(json: string): KeptAnswer {
  return { json, etag: weakTag(json), untilMs: Number.POSITIVE_INFINITY };
}

/** An answer that holds until the next block, and for this long at most. */
export function headAnswer(json: string, untilMs: number): KeptAnswer {
  return { json, etag: undefined, untilMs };
}

/** What an answer takes in memory: ASCII has one byte a character, and nearly all of it is ASCII. */
export function bytesOf(key: string, { json }: KeptAnswer): number {
  return key.length + json.length + ENTRY_BYTES;
}

const ENTRY_BYTES = 256;

/**
 * A copy that is one piece. The serializer's text is a tree of pieces, which would be put together again for every
 * request that it answers.
 */
export function inOnePiece({ json, ...rest }: KeptAnswer): KeptAnswer {
  return { ...rest, json: Buffer.from(json).toString() };
}
