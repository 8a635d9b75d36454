import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import type { AccountChange, DecodedSeqno } from '../../../src/index/write/decoded-seqno.ts';
import { decodeSeqno } from '../../../src/ingest/decode/decode-seqno.ts';
import type { FetchedSeqno } from '../../../src/ingest/fetch/fetch-seqnos.ts';
import { RECORDING, sharedRecording } from '../../localnet/support/recorded-network.ts';
import { isLongRun } from '../../support/long-run.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import {
  type DecodedTables,
  expectSeqnosAsCore,
  openDecodedTables,
  readSlots,
} from './support/check-seqnos.ts';
import { expectShownStates, expectStates, FollowedStates, fullState } from './support/check-states.ts';
import { chainSeqnos } from './support/seqnos.ts';

const GLOBAL_VERSION = 14;
const LAST_STATES = ['-1_8000000000000000_125', '0_4000000000000000_122', '0_c000000000000000_122'];

const stateOf = (name: string): Buffer => readFileSync(`${RECORDING}states/${name}.boc`);
const json = (name: string) => JSON.parse(readFileSync(`${RECORDING}${name}.json`, 'utf8'));

describe.skipIf(missingNetwork !== '')(`decoding the recorded network${missingNetwork}`, () => {
  let tables: DecodedTables;
  let seqnos: (readonly [FetchedSeqno, DecodedSeqno])[];

  beforeAll(async () => {
    tables = await openDecodedTables();
    const store = sharedRecording();
    seqnos = chainSeqnos(store, GLOBAL_VERSION).map((fetched) => [fetched, decodeSeqno(fetched)]);
  });
  afterAll(() => tables?.close());

  it.runIf(isLongRun)('gives the rows read with @ton/core', async () => {
    await expectSeqnosAsCore(tables, seqnos);
  });

  it('gives all blocks and transactions of the recording', async () => {
    const { masterchain } = json('index');
    const recorded = Object.values(json('transactions') as Record<string, { hash: string }[]>).flat();
    const hashes = seqnos.flatMap(([, decoded]) =>
      readSlots(decoded).map(({ transaction }) => transaction.hash.toString('base64')),
    );
    expect(hashes).toHaveLength(898);
    expect(hashes.sort()).toEqual(recorded.map(({ hash }) => hash).sort());
    // The rows are written by the comparison above.
    if (!isLongRun) return;
    const blocks = await tables.rows('blocks');
    expect(blocks).toHaveLength(347);
    const states = await tables.rows('shard_states');
    for (const { seqno, block, shards } of masterchain) {
      expect(blocks.find((row) => row.workchain === -1 && row.seqno === seqno)).toMatchObject({
        mc_seqno: seqno,
        root_hash: Buffer.from(block.root_hash, 'base64').toString('hex'),
        file_hash: Buffer.from(block.file_hash, 'base64').toString('hex'),
        global_id: block.global_id,
        version: `${block.version}`,
        flags: block.flags,
        after_merge: block.after_merge,
        before_split: block.before_split,
        after_split: block.after_split,
        want_merge: block.want_merge,
        want_split: block.want_split,
        key_block: block.key_block,
        vert_seqno_incr: block.vert_seqno_incr,
        vert_seqno: `${block.vert_seqno}`,
        gen_utime: `${block.gen_utime}`,
        start_lt: block.start_lt,
        end_lt: block.end_lt,
        validator_list_hash_short: block.validator_list_hash_short | 0,
        gen_catchain_seqno: `${block.catchain_seqno}`,
        min_ref_mc_seqno: `${block.min_ref_mc_seqno}`,
        prev_key_block_seqno: `${block.prev_key_block_seqno}`,
        master_ref_seqno: '0',
        tx_count: block.transactions,
        prev_shards: [`${-(2n ** 63n)}`],
        prev_seqnos: [seqno - 1],
      });
      const tops = shards.filter((top: { seqno: number }) => top.seqno > 0);
      const state = states.find(({ mc_seqno }) => mc_seqno === seqno)!;
      expect(state.workchains).toEqual([-1, ...tops.map(() => 0)]);
      // Signed: the right half of the basechain comes first.
      const order = tops.map((top: { shard: string }) => BigInt.asIntN(64, BigInt(`0x${top.shard}`)));
      order.sort((a: bigint, b: bigint) => (a < b ? -1 : 1));
      expect((state.shards as string[]).slice(1)).toEqual(order.map(String));
    }
    expect(blocks.filter(({ seqno, after_split }) => seqno === 23 && after_split)).toMatchObject([
      { prev_shards: [`${-(2n ** 63n)}`], prev_seqnos: [22] },
      { prev_shards: [`${-(2n ** 63n)}`], prev_seqnos: [22] },
    ]);
  });

  it.runIf(isLongRun)('gives the state of every touched account after each block', () => {
    const states = new FollowedStates(['-1_8000000000000000_0', '0_8000000000000000_0'].map(stateOf));
    const counts = { changes: 0, hiddenBefore: 0, hiddenExtra: 0, wholeData: 0, partialData: 0, codes: 0 };
    for (const [fetched, decoded] of seqnos) expectStates(states, fetched, decoded, counts);
    expectShownStates(seqnos.map(([, decoded]) => decoded));
    expect(counts.changes).toBeGreaterThan(500);
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
  });

  it('ends with the recorded final states', () => {
    const last = new Map<string, AccountChange>();
    for (const [, { accounts }] of seqnos)
      for (const change of accounts) last.set(change.account.toString('hex'), change);
    const finals = LAST_STATES.map((name) => {
      const bag = readBoc(stateOf(name));
      return fullState(bag, bag.root);
    });
    for (const [account, change] of last) {
      const id = Buffer.from(account, 'hex').subarray(1);
      const isMasterchain = account.startsWith('ff');
      const full = isMasterchain ? finals[0]!(id) : (finals[1]!(id) ?? finals[2]!(id));
      expect([change.status, change.balance]).toEqual([full?.status ?? 'nonexist', full?.balance ?? 0n]);
      expect(change.codeHash?.toString('hex')).toBe(full?.codeHash);
      expect(change.dataHash?.toString('hex')).toBe(full?.dataHash);
    }
    expect(last.size).toBeGreaterThan(40);
  });
});
