import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeSeqno } from '../../../src/ingest/decode/decode-seqno.ts';
import { parseBlock } from '../../../src/localnet/store/parse-block.ts';
import { isLongRun } from '../../support/long-run.ts';
import {
  type DecodedTables,
  expectSeqnosAsCore,
  openDecodedTables,
  readSlots,
} from './support/check-seqnos.ts';
import { seqnoOf } from './support/seqnos.ts';

const FOLDER = new URL('../../../../shared/data/mainnet/', import.meta.url);
const missing = existsSync(FOLDER) ? '' : ' (skipped: the mainnet blocks are not beside this checkout)';
const NUMBERS = [1, 2, 3, 4, 5];

interface Expected {
  readonly Accounts: Record<string, { readonly Transactions: Record<string, object> }>;
  readonly TxHashes: readonly string[] | null;
}

const bytesOf = (number: number): Buffer => readFileSync(new URL(`block-${number}/block.bin`, FOLDER));
const expectedOf = (number: number): Expected =>
  JSON.parse(readFileSync(new URL(`block-${number}/block.expected.json`, FOLDER), 'utf8'));

describe.skipIf(missing !== '')(`decoding mainnet blocks${missing}`, () => {
  let tables: DecodedTables;
  const fetched = () => seqnoOf(bytesOf(5), [1, 2, 3, 4].map(bytesOf), 3);

  beforeAll(async () => {
    tables = await openDecodedTables();
  });
  afterAll(() => tables?.close());

  it.runIf(isLongRun)('gives the rows read with @ton/core', async () => {
    const seqno = fetched();
    await expectSeqnosAsCore(tables, [[seqno, decodeSeqno(seqno)]]);
  });

  it('gives the known numbers of transactions and accounts', () => {
    const all = readSlots(decodeSeqno(fetched()));
    for (const number of NUMBERS) {
      const { id } = parseBlock(bytesOf(number));
      const own = all.filter(
        ({ place }) =>
          place.workchain === id.workchain && place.shard === id.shard && place.blockSeqno === id.seqno,
      );
      const expected = expectedOf(number);
      expect(own.map(({ transaction }) => transaction.hash.toString('hex')).sort()).toEqual(
        expected.TxHashes ?? [],
      );
      const known = Object.values(expected.Accounts).flatMap(({ Transactions }) =>
        Object.values(Transactions),
      );
      const found = own.map(({ transaction }) => ({
        AccountAddr: transaction.account.hash.toString('hex'),
        Lt: Number(transaction.lt),
        PrevTransHash: transaction.prevTransHash.toString('hex'),
        PrevTransLt: Number(transaction.prevTransLt),
        Now: transaction.now,
        OutMsgCnt: transaction.outMessages.length,
        OrigStatus: transaction.origStatus,
        EndStatus: transaction.endStatus,
      }));
      expect(new Set(found.map((one) => JSON.stringify(one)))).toEqual(
        new Set(known.map((one) => JSON.stringify(one))),
      );
    }
  });

  it.runIf(isLongRun)('gives one row per block and one of all shards', async () => {
    const blocks = await tables.rows('blocks');
    expect(blocks).toHaveLength(NUMBERS.length);
    for (const number of NUMBERS) {
      const { id, info } = parseBlock(bytesOf(number));
      const row = blocks.find(({ seqno }) => seqno === id.seqno);
      expect(row).toMatchObject({
        mc_seqno: 17_734_191,
        workchain: id.workchain,
        shard: `${id.shard}`,
        root_hash: id.rootHash.toString('hex'),
        file_hash: id.fileHash.toString('hex'),
        gen_utime: `${info.genUtime}`,
        start_lt: `${info.startLt}`,
        end_lt: `${info.endLt}`,
        global_id: -239,
        master_ref_seqno: `${info.masterRef?.seqno ?? 0}`,
        tx_count: expectedOf(number).TxHashes?.length ?? 0,
        prev_shards: info.afterMerge ? expect.any(Array) : [`${id.shard}`],
        prev_seqnos: info.prevRefs.map(({ seqno }) => seqno),
      });
    }
    const [state] = await tables.rows('shard_states');
    const { tops } = fetched();
    expect(state).toMatchObject({ mc_seqno: 17_734_191 });
    expect((state!.workchains as number[])[0]).toBe(-1);
    expect(state!.workchains).toHaveLength(1 + tops.length);
    const shards = (state!.shards as string[]).slice(1).map(BigInt);
    expect(shards).toEqual(shards.toSorted((a, b) => (a < b ? -1 : 1)));
    for (const { shard, seqno } of tops) {
      const place = (state!.shards as string[]).indexOf(`${shard}`, 1);
      expect((state!.seqnos as number[])[place]).toBe(seqno);
    }
  });
});
