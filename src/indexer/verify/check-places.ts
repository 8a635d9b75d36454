import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../db/tables/tables.ts';
import { HASH_KINDS, type HashKind } from '../../index/hash-places.ts';
import type { ChainBlock } from './chain-block.ts';
import type { ChainSeqno } from './chain-seqno.ts';
import type { SeenRows } from './check-strays.ts';
import { hashPrefix } from './core-readers.ts';
import type { ExpectedRow, Findings, Row } from './differences.ts';
import { type KnownPlace, type PlacedTransaction, positionColumn } from './expected-rows.ts';

const MASTERCHAIN = -1;

/** By what rows are paired, as in `check-seqno.ts`. */
const SAME_PLACE = [
  ['hash8', 'at', 'mc_seqno', 'kind'],
  ['hash8', 'kind'],
  ['at', 'kind'],
];

/** Compares the rows by which a cluster finds the transactions, messages and blocks of a seqno. */
export async function checkPlaces(
  db: Kysely<Tables>,
  findings: Findings,
  { mcSeqno, blocks }: ChainSeqno,
  transactions: readonly (PlacedTransaction & KnownPlace)[],
  seen: SeenRows,
): Promise<void> {
  const expected = [...transactions.flatMap(placesOfTransaction), ...blocks.flatMap(placesOfBlock)].map(
    ({ name, columns }) => ({ name, columns: { ...columns, mc_seqno: mcSeqno } }),
  );
  const prefixes = [...new Set(expected.map(({ columns }) => String(columns.hash8)))];
  const { rows } = await sql<Row>`select * from hash_places
    where mc_seqno = ${mcSeqno} and hash8 = any(${prefixes}::bigint[])`.execute(db);
  seen.add('hash_places', mcSeqno, rows.length);
  findings.compareRows('hash_places', expected, rows, SAME_PLACE);
}

interface ExpectedPlace extends ExpectedRow {
  readonly columns: { readonly hash8: bigint; readonly kind: number; readonly at?: unknown };
}

function placesOfTransaction({ transaction, at }: PlacedTransaction & KnownPlace): ExpectedPlace[] {
  const { hash, inMessage } = transaction;
  const name = `transaction ${hash.toString('hex')}`;
  const placeOf = (kind: HashKind, own: Buffer): ExpectedPlace => ({
    name: `${kind} ${own.toString('hex')} of ${name}`,
    columns: { hash8: hashPrefix(own), ...positionColumn(at), kind: HASH_KINDS[kind] },
  });
  const places = [placeOf('transaction', hash)];
  if (inMessage === undefined) return places;
  places.push(placeOf('received', inMessage.hash));
  const { normalHash } = inMessage;
  if (normalHash !== undefined && !normalHash.equals(inMessage.hash))
    places.push(placeOf('normalized', normalHash));
  return places;
}

function placesOfBlock({ id }: ChainBlock): ExpectedPlace[] {
  const { workchain, shard, seqno, rootHash, fileHash } = id;
  const placeOf = (kind: HashKind, hash8: bigint): ExpectedPlace => ({
    name: `${kind} of block (${workchain},${BigInt.asUintN(64, shard).toString(16)},${seqno})`,
    columns: { hash8, at: null, kind: HASH_KINDS[kind] },
  });
  const places = [placeOf('blockRoot', hashPrefix(rootHash)), placeOf('blockFile', hashPrefix(fileHash))];
  if (workchain === MASTERCHAIN) return places;
  const own = shard ^ BigInt(seqno) ^ (BigInt(workchain) * 2n ** 32n);
  return [...places, placeOf('blockId', BigInt.asIntN(64, own))];
}
