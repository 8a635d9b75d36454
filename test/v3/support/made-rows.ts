import type { Insertable } from 'kysely';
import type { Tables } from '../../../src/db/tables/tables.ts';
import { formatAccount } from '../../../src/v3/values.ts';
import { hashOf } from '../../db/support/filled-index.ts';

/** Accounts of generated rows: the second of every four is in the masterchain. */
export const made = (kind: string, number: number): Buffer =>
  Buffer.concat([Buffer.of(number % 4 === 1 ? 0xff : 0), hashOf(`${kind} ${number}`)]);

/** The raw form of such an account. */
export const rawMade = (kind: string, number: number): string => formatAccount(made(kind, number));

/** Pseudo-random numbers that are the same in every run. */
export const scatter = (number: number, below: number): number =>
  hashOf(`chance ${number}`).readUInt32BE(0) % below;

/** Columns of every contract; ids are in an order of their own. */
export const stateOf = (kind: string, number: number) => ({
  account: made(kind, number),
  id: String(1 + ((number * 37) % 1009)),
  last_transaction_lt: String(1000 + scatter(number, 20)),
  code_hash: hashOf('code'),
  data_hash: hashOf(`data of ${kind} ${number}`),
});

const MASTERCHAIN = { workchain: -1, shard: '-9223372036854775808' };
const SHARDS = ['4611686018427387904', '-4611686018427387904'].map((shard) => ({ workchain: 0, shard }));

/**
 * A masterchain block and one block of each of two shards, with only time and logical time. The clock of the second shard
 * is ahead.
 */
export function blocksOf(
  mc_seqno: number,
  utime: number,
  lt: number,
  ahead: number,
): Insertable<Tables['blocks']>[] {
  const none = { rand_seed: Buffer.alloc(0), created_by: Buffer.alloc(0), prev_shards: [], prev_seqnos: [] };
  return [MASTERCHAIN, ...SHARDS].map((id, at) => ({
    ...id,
    mc_seqno,
    seqno: mc_seqno,
    gen_utime: at === 2 ? utime + ahead : utime,
    root_hash: hashOf(`root ${mc_seqno} ${at}`),
    file_hash: hashOf(`file ${mc_seqno} ${at}`),
    ...none,
    start_lt: lt,
    end_lt: lt + 1,
    global_id: 0,
    version: 0,
    flags: 0,
    tx_count: 0,
    after_merge: false,
    before_split: false,
    after_split: false,
    want_merge: false,
    want_split: false,
    key_block: false,
    vert_seqno_incr: false,
    validator_list_hash_short: 0,
    gen_catchain_seqno: 0,
    min_ref_mc_seqno: 0,
    prev_key_block_seqno: 0,
    vert_seqno: 0,
    master_ref_seqno: 0,
  }));
}

/** The newest of these blocks per shard. */
export function shardStateOf(mc_seqno: number): Insertable<Tables['shard_states']> {
  const tops = [MASTERCHAIN, ...SHARDS];
  return {
    mc_seqno,
    workchains: tops.map(({ workchain }) => workchain),
    shards: tops.map(({ shard }) => shard),
    seqnos: tops.map(() => mc_seqno),
  };
}

/** The same blocks by name. */
export function shardsOf(seqno: number) {
  return [MASTERCHAIN, ...SHARDS].map(({ workchain, shard }) => ({ workchain, shard: BigInt(shard), seqno }));
}
