import type { Selectable } from 'kysely';
import { normalizedUnlessSame } from '../../chain/tlb/message.ts';
import type { Transaction } from '../../chain/tlb/transaction.ts';
import type { TracesTable } from '../../db/tables/tables.ts';
import {
  joinHash,
  type Position,
  pageNumber,
  pageOf,
  positionOf,
  seqnoOfPage,
  unixTime,
} from './position.ts';
import { PackedReader, PackedWriter } from './varints.ts';

// What a row of `traces` tells besides its columns:
//   id:byte[24] flags:uint8 edges:varint lts:varint seconds:varint seqnos:varint first:varint gap:varint[nodes - 1]
//   external:byte[32]? normalised:byte[32]?
// The id lacks its prefix, which is a column. The start is told by the differences from the end. The first position is
// told by how many seqnos its page begins before the trace, and by the rest; each other one by the gap before it.

const PREFIX_BYTES = 8;
const HASH_BYTES = 32;
const ID_BYTES = HASH_BYTES - PREFIX_BYTES;

const KEEPS_EXTERNAL = 1;
const HAS_EXTERNAL = 2;
const HAS_NORMALISED = 4;

/** The hashes of the message that a trace began with: null without such a message, or if both are the same. */
export interface ExternalHashes {
  readonly hash: Buffer | null;
  readonly norm: Buffer | null;
}

/** The hashes of the message that a trace began with, from its first transaction. */
export function externalHashesOf({ inMessage }: Transaction): ExternalHashes {
  if (inMessage === undefined) return { hash: null, norm: null };
  return { hash: inMessage.hash, norm: normalizedUnlessSame(inMessage) ?? null };
}

/** What is packed in a row of `traces`. */
export interface TraceInfo {
  readonly traceId: Buffer;
  readonly edges: number;
  readonly startLt: bigint;
  readonly startUtime: number;
  /** The positions of its transactions, ascending: the first one has the trace id as its hash. */
  readonly positions: readonly Position[];
  /**
   * Kept only where the first transaction may be dropped before the trace; otherwise its in message tells them.
   */
  readonly external: ExternalHashes | undefined;
}

/** The end of a trace, which its columns tell. */
interface TraceEnd {
  readonly endLt: bigint;
  readonly endUtime: number;
  readonly mcSeqnoStart: number;
}

/** Packs what the columns of a trace do not tell; `positions` must ascend. */
export function packTraceInfo(
  { endLt, endUtime, mcSeqnoStart }: TraceEnd,
  { traceId, edges, startLt, startUtime, positions, external }: TraceInfo,
): Buffer {
  const packed = new PackedWriter();
  packed.raw(traceId.subarray(PREFIX_BYTES));
  packed.uint8(external === undefined ? 0 : flagsOf(external));
  packed.uint(edges);
  packed.int(endLt - startLt);
  packed.uint(endUtime - startUtime);
  const [first] = positions;
  if (first === undefined) throw new RangeError('the trace has no transactions');
  const firstSeqno = seqnoOfPage(pageOf(first));
  packed.uint(mcSeqnoStart - firstSeqno);
  packed.uint(first - firstPosition(firstSeqno));
  let last = first;
  for (let i = 1; i < positions.length; i++) {
    const at = positions[i]!;
    packed.uint(at - last - 1);
    last = at;
  }
  if (external?.hash) packed.raw(external.hash);
  if (external?.norm) packed.raw(external.norm);
  return packed.bytes();
}

function firstPosition(seqno: number): Position {
  return positionOf(pageNumber(seqno, 0), 0);
}

function flagsOf({ hash, norm }: ExternalHashes): number {
  return KEEPS_EXTERNAL | (hash === null ? 0 : HAS_EXTERNAL) | (norm === null ? 0 : HAS_NORMALISED);
}

/** A row of `traces`, with numbers as pg reads them. */
export type PackedTraceRow = Omit<Selectable<TracesTable>, 'mc_seqno_end'>;

/** The id of a trace, without unpacking the rest. */
export function traceIdOf({ trace8, info }: Pick<PackedTraceRow, 'trace8' | 'info'>): Buffer {
  return joinHash(BigInt(trace8), info.subarray(0, ID_BYTES));
}

export function unpackTraceInfo(row: PackedTraceRow): TraceInfo {
  const packed = new PackedReader(row.info);
  packed.raw(ID_BYTES);
  const flags = packed.uint8();
  const edges = packed.uint();
  const startLt = BigInt(row.end_lt) - packed.int();
  const startUtime = unixTime(row.end_utime) - packed.uint();
  const firstSeqno = row.mc_seqno_start - packed.uint();
  const positions = [firstPosition(firstSeqno) + packed.uint()];
  for (let i = 1; i < row.nodes; i++) positions.push(positions[i - 1]! + packed.uint() + 1);
  const hash = (flags & HAS_EXTERNAL) === 0 ? null : packed.raw(HASH_BYTES);
  const norm = (flags & HAS_NORMALISED) === 0 ? null : packed.raw(HASH_BYTES);
  const external = (flags & KEEPS_EXTERNAL) === 0 ? undefined : { hash, norm };
  return { traceId: traceIdOf(row), edges, startLt, startUtime, positions, external };
}
