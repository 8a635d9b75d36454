import type { ClientBase } from 'pg';
import { MASTERCHAIN } from '../../chain/block-id.ts';
import { CopyBuffer, type CopyRows } from '../../db/copy.ts';
import { hashPrefix } from '../format/position.ts';
import { blockIdPrefix, HASH_KINDS, type HashKind } from '../hash-places.ts';
import { copyIn, type WriteStatsRecorder } from './copy-in.ts';
import { type DecodedSeqno, IN_NONE } from './decoded-seqno.ts';
import { BLOCK_COLUMNS, HASH_PLACE_COLUMNS } from './rows.ts';

const HASH_BYTES = 32;

/** Copies the places of the transactions, messages and blocks of a batch, by which a cluster finds them. */
export async function copyPlaces(
  client: ClientBase,
  seqnos: readonly DecodedSeqno[],
  positions: readonly Float64Array[],
  stats: WriteStatsRecorder,
): Promise<void> {
  const rows = new CopyBuffer();
  seqnos.forEach((seqno, i) => {
    const { mcSeqno, blocks } = seqno;
    const put = (kind: HashKind, prefix: bigint, at?: number) =>
      rows.row(HASH_PLACE_COLUMNS.length).int8(prefix).int8(at).int4(mcSeqno).int2(HASH_KINDS[kind]);
    putTransactions(seqno, positions[i]!, put);
    for (const { workchain, shard, seqno, rootHash, fileHash } of blocksOf(blocks)) {
      put('blockRoot', hashPrefix(rootHash));
      put('blockFile', hashPrefix(fileHash));
      if (workchain !== MASTERCHAIN) put('blockId', blockIdPrefix({ workchain, shard, seqno }));
    }
  });
  stats.add(await copyIn(client, 'hash_places', HASH_PLACE_COLUMNS, [rows.rows()]));
}

function putTransactions(
  { traces: { count, hashes, inKinds, inHashes, normHashes } }: DecodedSeqno,
  positions: Float64Array,
  put: (kind: HashKind, prefix: bigint, at: number) => void,
): void {
  for (let i = 0; i < count; i++) {
    const at = positions[i]!;
    const hashIn = (all: Buffer) => all.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES);
    put('transaction', hashPrefix(hashIn(hashes)), at);
    if (inKinds[i] === IN_NONE) continue;
    put('received', hashPrefix(hashIn(inHashes)), at);
    const normalized = hashIn(normHashes);
    if (!normalized.equals(NO_HASH)) put('normalized', hashPrefix(normalized), at);
  }
}

const NO_HASH = Buffer.alloc(HASH_BYTES);

interface WrittenBlock {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly rootHash: Buffer;
  readonly fileHash: Buffer;
}

const [WORKCHAIN, SHARD, SEQNO, ROOT_HASH, FILE_HASH] = (
  ['workchain', 'shard', 'seqno', 'root_hash', 'file_hash'] as const
).map((column) => BLOCK_COLUMNS.indexOf(column)) as [number, number, number, number, number];

/** Reads blocks back from their COPY rows: a row is the number of its fields, and each field has its length first. */
function* blocksOf({ bytes, count }: CopyRows): Generator<WrittenBlock> {
  let at = 0;
  for (let row = 0; row < count; row++) {
    const fields: Buffer[] = [];
    const fieldCount = bytes.readInt16BE(at);
    at += 2;
    for (let i = 0; i < fieldCount; i++) {
      const start = at + 4;
      at = start + Math.max(0, bytes.readInt32BE(at));
      fields.push(bytes.subarray(start, at));
    }
    yield {
      workchain: fields[WORKCHAIN]!.readInt32BE(),
      shard: fields[SHARD]!.readBigInt64BE(),
      seqno: fields[SEQNO]!.readInt32BE(),
      rootHash: fields[ROOT_HASH]!,
      fileHash: fields[FILE_HASH]!,
    };
  }
}
