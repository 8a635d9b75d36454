import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CellBag, readBoc } from '../../../src/chain/boc/bag.ts';
import { type CurrencyCollection, readExtraCurrencies } from '../../../src/chain/tlb/currency.ts';
import { libraryPublishers } from '../../../src/chain/tlb/libraries.ts';
import { readShardHashes } from '../../../src/chain/tlb/shard-hashes.ts';
import { readShardState, readShardStateTotals } from '../../../src/chain/tlb/shard-state.ts';
import { oneOfEach } from '../../support/long-run.ts';
import { readWhole, type WholeBlock } from '../support/block-checks.ts';
import { walkLibraries } from '../support/libraries.ts';
import { expectAsCore } from '../support/transactions-as-core.ts';

const FOLDER = new URL('../../../../shared/data/mainnet/', import.meta.url);
const missing = existsSync(FOLDER) ? '' : ' (skipped: the mainnet blocks are not beside this checkout)';

const WHOLE = -(2n ** 63n);
const BLOCKS = [
  { folder: 'block-1', workchain: 0, shard: WHOLE, seqno: 30816553 },
  { folder: 'block-2', workchain: 0, shard: WHOLE, seqno: 40484416 },
  { folder: 'block-3', workchain: 0, shard: WHOLE, seqno: 40484438 },
  { folder: 'block-4', workchain: 0, shard: 0xd83800000000000n, seqno: 4168601 },
  { folder: 'block-5', workchain: -1, shard: WHOLE, seqno: 17734191 },
];

interface Expected {
  readonly Accounts: Record<string, { readonly Transactions: Record<string, object> }>;
  readonly TxHashes: readonly string[];
  readonly ValueFlow: Record<string, { Grams: string; Other: Record<string, string> } | null>;
  readonly InMsgDescrLength: number;
  readonly OutMsgDescrLength: number;
  readonly Libraries: Record<string, Record<string, object>>;
}

const bytesOf = (path: string): Buffer => readFileSync(new URL(path, FOLDER));
const hex = (bytes: Buffer): string => bytes.toString('hex');

describe.skipIf(missing !== '')(`blocks of mainnet${missing}`, () => {
  it.each(oneOfEach(BLOCKS, ({ workchain, shard }) => `${workchain} ${shard}`))(
    '$folder: $workchain, $seqno',
    ({ folder, workchain, shard, seqno }) => {
      const bytes = bytesOf(`${folder}/block.bin`);
      const bag = readBoc(bytes);
      const whole = readWhole(bag);
      expect(whole.block.globalId).toBe(-239);
      expect(whole.block.info).toMatchObject({ workchain, shard, seqno });
      const expected = JSON.parse(bytesOf(`${folder}/block.expected.json`).toString());
      expect(expectedForm(bag, whole)).toEqual({ ...expected, TxHashes: expected.TxHashes ?? [] });
      expectAsCore(bag, whole.transactions, bytes);
    },
  );

  it('have readable shards in the masterchain', () => {
    const bag = readBoc(bytesOf('block-5/block.bin'));
    const shards = readShardHashes(bag, readWhole(bag).block.masterchain!.shardHashes);
    expect(shards.length).toBeGreaterThan(0);
    const order = shards.map(({ shard }) => BigInt.asUintN(64, shard));
    expect(order).toEqual([...order].sort((a, b) => (a < b ? -1 : 1)));
    for (const shard of shards) {
      expect(shard).toMatchObject({ workchain: 0, flags: 0, sums: { feesCollected: expect.anything() } });
      expect(shard.endLt).toBeGreaterThan(shard.startLt);
    }
  });
});

/** A block in the form of the expected files. */
function expectedForm(bag: CellBag, { block, transactions, inMsgs, outMsgs }: WholeBlock): Expected {
  const accounts: Record<string, { Transactions: Record<string, object> }> = {};
  for (const transaction of transactions) {
    const account = hex(transaction.account.hash);
    accounts[account] ??= { Transactions: {} };
    accounts[account].Transactions[`${transaction.lt}`] = {
      AccountAddr: account,
      Lt: Number(transaction.lt),
      PrevTransHash: hex(transaction.prevTransHash),
      PrevTransLt: Number(transaction.prevTransLt),
      Now: transaction.now,
      OutMsgCnt: transaction.outMessages.length,
      OrigStatus: transaction.origStatus,
      EndStatus: transaction.endStatus,
    };
  }
  const flow = block.valueFlow;
  return {
    Accounts: accounts,
    TxHashes: transactions.map(({ hash }) => hex(hash)).sort(),
    ValueFlow: {
      FromPrevBlk: amount(bag, flow.fromPrevBlock),
      ToNextBlk: amount(bag, flow.toNextBlock),
      Imported: amount(bag, flow.imported),
      Exported: amount(bag, flow.exported),
      FeesCollected: amount(bag, flow.feesCollected),
      Burned: flow.burned === undefined ? null : amount(bag, flow.burned),
      FeesImported: amount(bag, flow.feesImported),
      Recovered: amount(bag, flow.recovered),
      Created: amount(bag, flow.created),
      Minted: amount(bag, flow.minted),
    },
    InMsgDescrLength: inMsgs.length,
    OutMsgDescrLength: outMsgs.length,
    Libraries: librariesOf(bag, block.stateUpdate.new),
  };
}

function amount(bag: CellBag, value: CurrencyCollection) {
  const other = readExtraCurrencies(bag, value).map(({ id, amount }) => [`${id}`, `${amount}`]);
  return { Grams: `${value.grams}`, Other: Object.fromEntries(other) };
}

/** Libraries and their publishers, as far as the update of the state shows them. */
function librariesOf(bag: CellBag, state: number): Expected['Libraries'] {
  const found: Record<string, Record<string, object>> = {};
  const { libraries } = readShardStateTotals(bag, readShardState(bag, state).totals);
  walkLibraries(
    bag,
    libraries,
    (hash) => {
      const publishers = libraryPublishers(bag, libraries, hash).map((id) => [hex(id), {}]);
      found[hex(hash)] = Object.fromEntries(publishers);
    },
    'skip',
  );
  return found;
}
