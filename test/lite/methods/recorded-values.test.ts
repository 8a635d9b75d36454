import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../../src/chain/block-id.ts';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { readAccount } from '../../../src/chain/tlb/account.ts';
import { configParam } from '../../../src/chain/tlb/config.ts';
import { readMcStateExtra } from '../../../src/chain/tlb/masterchain-state.ts';
import { lookUpShardAccount } from '../../../src/chain/tlb/shard-accounts.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import { readTransaction } from '../../../src/chain/tlb/transaction.ts';
import type { LiteRequestOf } from '../../../src/lite/methods/codec.ts';
import { configParams } from '../../chain/support/config-params.ts';
import { missingNetwork, RECORDED_NETWORK } from '../../support/recorded-network.ts';
import { checkAnswer } from './support/check-answer.ts';
import {
  type Recorded,
  readRecordedBytes,
  readRecordedJson,
  recordedAnswer,
  recordedAnswers,
} from './support/recorded.ts';

interface JsonBlock {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly root_hash: string;
  readonly file_hash: string;
}

interface Index {
  readonly masterchain: readonly { readonly block: JsonBlock; readonly shards: readonly JsonBlock[] }[];
}

interface JsonHeader {
  readonly response: {
    readonly global_id: number;
    readonly start_lt: string;
    readonly end_lt: string;
    readonly gen_utime: number;
    readonly is_key_block: boolean;
    readonly prev_key_block_seqno: number;
    readonly catchain_seqno: number;
    readonly validator_list_hash_short: number;
    readonly prev_blocks: readonly JsonBlock[];
  };
}

/** Names of blocks as the files have them; shards are in hex in some of them and signed numbers in others. */
function nameOf(block: BlockId | JsonBlock): string {
  const shard = typeof block.shard === 'bigint' ? block.shard : shardOf(block.shard);
  const hash = 'rootHash' in block ? block.rootHash.toString('base64') : block.root_hash;
  const file = 'fileHash' in block ? block.fileHash.toString('base64') : block.file_hash;
  return `${block.workchain},${BigInt.asIntN(64, shard)},${block.seqno},${hash},${file}`;
}

function shardOf(text: string): bigint {
  return /^[0-9a-f]{16}$/.test(text) ? BigInt(`0x${text}`) : BigInt(text);
}

describe.skipIf(missingNetwork !== '')(
  `values in recorded proofs of a real lite server${missingNetwork}`,
  () => {
    const index = missingNetwork === '' ? readRecordedJson<Index>('index.json').masterchain : [];

    it.each([
      ['getAllShardsInfo_10', 10],
      ['getAllShardsInfo_F', 125],
    ])('%s has the shards of the index', (name, seqno) => {
      const { request, answer } = recordedAnswer('getAllShardsInfo', name);
      expect(checkAnswer(request, answer).map(nameOf)).toEqual(index[seqno - 1]!.shards.map(nameOf));
    });

    it.each([
      ['getBlockHeader_mc_F_mode0', 'mc125'],
      ['getBlockHeader_mc_F_mode65535', 'mc125'],
      ['getBlockHeader_shard_busy', '0_c000000000000000_67'],
      ['getBlockHeader_after_split', '0_4000000000000000_23'],
      ['getBlockHeader_before_split', '0_8000000000000000_22'],
    ])('%s has the header that tonlib reads', (name, tonlibName) => {
      const { request, answer } = recordedAnswer('getBlockHeader', name);
      const { response } = readRecordedJson<JsonHeader>(`tonlib/blocks.getBlockHeader.${tonlibName}.json`);
      const { info, root, previous } = checkAnswer(request, answer);
      expect({
        global_id: root.globalId,
        start_lt: String(info.startLt),
        end_lt: String(info.endLt),
        gen_utime: info.genUtime,
        is_key_block: info.keyBlock,
        prev_key_block_seqno: info.notMaster ? 0 : info.prevKeyBlockSeqno,
        catchain_seqno: info.genCatchainSeqno,
        validator_list_hash_short: info.genValidatorListHashShort | 0,
      }).toEqual({
        global_id: response.global_id,
        start_lt: response.start_lt,
        end_lt: response.end_lt,
        gen_utime: response.gen_utime,
        is_key_block: response.is_key_block,
        prev_key_block_seqno: response.prev_key_block_seqno,
        catchain_seqno: response.catchain_seqno,
        validator_list_hash_short: response.validator_list_hash_short,
      });
      expect(previous.map(nameOf)).toEqual(response.prev_blocks.map(nameOf));
    });

    it('are the blocks of look-ups', () => {
      const mc = recordedAnswer('lookupBlock', 'lookupBlock_seqno');
      expect(nameOf(checkAnswer(mc.request, mc.answer).block)).toBe(nameOf(index[99]!.block));
      const proven = recordedAnswer('lookupBlockWithProof', 'lookupBlockWithProof_mc');
      expect(nameOf(checkAnswer(proven.request, proven.answer).block)).toBe(nameOf(index[99]!.block));
      const byUtime = recordedAnswer('lookupBlock', 'lookupBlock_utime_before_genesis');
      expect(nameOf(checkAnswer(byUtime.request, byUtime.answer).block)).toBe(nameOf(index[0]!.block));
      const bySeqno = recordedAnswer('lookupBlockWithProof', 'lookupBlockWithProof_seqno');
      const byLt = recordedAnswer('lookupBlockWithProof', 'lookupBlockWithProof_lt');
      const found = checkAnswer(byLt.request, byLt.answer);
      expect(nameOf(found.block)).toBe(nameOf(checkAnswer(bySeqno.request, bySeqno.answer).block));
      expect(found.info.startLt).toBeLessThanOrEqual(71000005n);
    });

    it('are the whole configuration, and parts of it', () => {
      const state = readBoc(readRecordedBytes('states/-1_8000000000000000_125.boc'));
      const extra = readMcStateExtra(state, readShardState(state, state.root).custom);
      const all = recordedAnswer('getConfigAll', 'getConfigAll_F_mode0');
      const { cells, cell } = checkAnswer(all.request, all.answer);
      expect(cells.hash(cell)).toEqual(state.hash(extra.config));
      expect(configParams(cells, cell)).toHaveLength(configParams(state, extra.config).length);
      const some = recordedAnswer('getConfigParams', 'getConfigParams_F');
      const part = checkAnswer(some.request, some.answer);
      for (const param of some.request.paramList)
        expect(part.cells.hash(configParam(part.cells, part.cell, param))).toEqual(
          state.hash(configParam(state, extra.config, param)),
        );
      const none = recordedAnswer('getConfigParams', 'getConfigParams_missing');
      const missing = checkAnswer(none.request, none.answer);
      expect(configParam(missing.cells, missing.cell, 777)).toBe(-1);
    });

    it('are the configuration of the last key block', () => {
      const { request, answer } = recordedAnswer('getConfigAll', 'getConfigAll_F_mode32768');
      const { block, state, cells, cell } = checkAnswer(request, answer);
      expect(nameOf(block)).toBe(nameOf(index[64]!.block));
      expect(state).toBeUndefined();
      expect(configParams(cells, cell).length).toBeGreaterThan(20);
    });

    it('are libraries that exist, and none that do not exist yet', () => {
      const check = (name: string) => {
        const { request, answer } = recordedAnswer('getLibrariesWithProof', name);
        return checkAnswer(request, answer).map(({ hash }) => hash.toString('hex'));
      };
      const published = '3fa61d4c6d737cfd1beba16111c1d35c2fd1081a2d2f27936d29ae80db7075e2';
      expect(check('getLibrariesWithProof_F')).toEqual([published]);
      expect(check('getLibrariesWithProof_60')).toEqual([]);
      const plain = recordedAnswer('getLibraries', 'getLibraries');
      expect(checkAnswer(plain.request, plain.answer).map(({ hash }) => hash.toString('hex'))).toEqual([
        published,
      ]);
    });

    it('are the size of an out-queue', () => {
      const queue = recordedAnswer('getBlockOutMsgQueueSize', 'getBlockOutMsgQueueSize');
      expect(checkAnswer(queue.request, queue.answer)).toBe(6);
    });

    it('are the masterchain block that included a shard block', () => {
      const { request, answer } = recordedAnswer('getShardBlockProof', 'getShardBlockProof_topF');
      const { masterchainId } = checkAnswer(request, answer);
      const named = index[masterchainId.seqno - 1]!;
      expect(nameOf(masterchainId)).toBe(nameOf(named.block));
      expect(named.shards.map(nameOf)).toContain(nameOf(request.id));
    });
  },
);

const FINAL_SEQNO = 125;

/** What tonlib returned about the same account at the same block. */
interface TonlibAccount {
  readonly response: {
    readonly balance: string;
    readonly frozen_hash: string;
    readonly code: string;
    readonly last_transaction_id: { readonly lt: string; readonly hash: string };
    readonly sync_utime: number;
  };
}

const tonlibFile = (name: string) => `tonlib/raw.getAccountState.${name}.json`;
const hasTonlib = ({ name }: Recorded) => existsSync(new URL(tonlibFile(name), RECORDED_NETWORK));

describe.skipIf(missingNetwork !== '')(
  `recorded account states of a real lite server${missingNetwork}`,
  () => {
    const all = recordedAnswers('accounts') as Recorded<LiteRequestOf<'getAccountState'>>[];
    const withTonlib = all.filter(hasTonlib);
    const atFinal = all.filter(({ request }) => request.id.seqno === FINAL_SEQNO);

    it('are many', () => {
      expect(withTonlib.length).toBeGreaterThan(35);
      expect(atFinal.length).toBeGreaterThan(40);
    });

    it.each(withTonlib)('$name equals the response of tonlib', ({ name, request, answer }) => {
      const { response } = readRecordedJson<TonlibAccount>(tonlibFile(name));
      const { account: found, ...proven } = checkAnswer(request, answer);
      expect({
        lt: String(proven.lastTransLt),
        hash: proven.lastTransHash.toString('base64'),
        utime: proven.genUtime,
      }).toEqual({
        lt: response.last_transaction_id.lt,
        hash: Buffer.from(response.last_transaction_id.hash, 'base64').toString('base64'),
        utime: response.sync_utime,
      });
      const account = found && readAccount(found.cells, found.cell);
      expect(account?.balance.grams ?? -1n).toBe(BigInt(response.balance));
      expect(account?.state.kind === 'frozen' ? account.state.stateHash.toString('base64') : '').toBe(
        response.frozen_hash,
      );
      if (account?.state.kind === 'active') {
        const code = readBoc(Buffer.from(response.code, 'base64'));
        expect(found!.cells.hash(account.state.init.code, 0)).toEqual(code.hash(code.root));
      }
    });

    it.each(atFinal)('$name equals the entry in the whole state', ({ request, answer }) => {
      const { shardBlock, account, lastTransLt, lastTransHash } = checkAnswer(request, answer);
      const { workchain, shard, seqno } = shardBlock;
      const hex = BigInt.asUintN(64, shard).toString(16).padStart(16, '0');
      const state = readBoc(readRecordedBytes(`states/${workchain}_${hex}_${seqno}.boc`));
      const { accounts } = readShardState(state, state.root);
      const entry = lookUpShardAccount(state, accounts, request.account.hash);
      expect(account?.cells.hash(account.cell)).toEqual(entry && state.hash(entry.account));
      expect({ lastTransLt, lastTransHash }).toEqual({
        lastTransLt: entry?.lastTransLt ?? 0n,
        lastTransHash: entry?.lastTransHash ?? Buffer.alloc(32),
      });
    });

    it.each(['alice', 'libuser', 'uninit0'])('%s has the same hash without code and data', (name) => {
      const pruned = recordedAnswer('getAccountStatePrunned', `getAccountStatePrunned_${name}`);
      const whole = recordedAnswer('getAccountState', name, 'accounts');
      const a = checkAnswer(pruned.request, pruned.answer).account!;
      const b = checkAnswer(whole.request, whole.answer).account!;
      expect(a.cells.hash(a.cell, 0)).toEqual(b.cells.hash(b.cell));
      expect(readAccount(a.cells, a.cell)?.balance.grams).toBe(readAccount(b.cells, b.cell)?.balance.grams);
    });

    it('include an account at a shard block', () => {
      const { request, answer } = recordedAnswer('getAccountState', 'getAccountState_shardblock');
      const { shardBlock, lastTransLt } = checkAnswer(request, answer);
      expect(shardBlock).toEqual(request.id);
      expect(lastTransLt).toBeGreaterThan(0n);
    });

    it('include the proven account of a get-method', () => {
      const { request, answer } = recordedAnswer('runSmcMethod', 'runSmcMethod_alice_seqno');
      const whole = recordedAnswer('getAccountState', 'alice', 'accounts');
      const run = checkAnswer(request, answer);
      const { account, ...rest } = run.account;
      const { account: expected, ...restExpected } = checkAnswer(whole.request, whole.answer);
      expect(run.exitCode).toBe(0);
      expect(run.result?.length).toBeGreaterThan(0);
      expect(rest).toEqual(restExpected);
      expect(account!.cells.hash(account!.cell, 0)).toEqual(expected!.cells.hash(expected!.cell));
      const none = recordedAnswer('runSmcMethod', 'runSmcMethod_nonexist');
      expect(checkAnswer(none.request, none.answer).account.account).toBeUndefined();
    });
  },
);

interface JsonTransaction {
  readonly account: string;
  readonly lt: string;
  readonly hash: string;
}

const fileName = ({ workchain, shard, seqno }: BlockId) =>
  `${workchain}_${BigInt.asUintN(64, shard).toString(16).padStart(16, '0')}_${seqno}`;

describe.skipIf(missingNetwork !== '')(`recorded transactions of a real lite server${missingNetwork}`, () => {
  const byBlock =
    missingNetwork === '' ? readRecordedJson<Record<string, JsonTransaction[]>>('transactions.json') : {};
  const names = (block: BlockId, list: readonly { account: Buffer; lt: bigint; hash: Buffer }[]) =>
    list.map(({ account, lt, hash }) => ({
      account: `${block.workchain}:${account.toString('hex')}`,
      lt: String(lt),
      hash: hash.toString('base64'),
    }));

  it.each([
    ['listBlockTransactions_proof', 0, false],
    ['listBlockTransactions_busy', 0, false],
    ['listBlockTransactions_busy_meta', 0, false],
    ['listBlockTransactions_empty', 0, false],
    ['listBlockTransactions_mc_F', 0, false],
    ['listBlockTransactions_first5_proof', 0, true],
  ])('%s lists the transactions of the block', (name, from, incomplete) => {
    const { request, answer } = recordedAnswer('listBlockTransactions', name);
    const page = checkAnswer(request, answer);
    const all = byBlock[fileName(request.id)] ?? [];
    expect(names(request.id, page.transactions)).toEqual(all.slice(from, from + request.count));
    expect(page.incomplete).toBe(incomplete);
  });

  it('are listed in the reverse order', () => {
    const { request, answer } = recordedAnswer('listBlockTransactions', 'listBlockTransactions_reverse');
    const all = byBlock[fileName(request.id)]!.toReversed();
    const { transactions } = checkAnswer(request, answer);
    expect(names(request.id, transactions)).toEqual(all.slice(0, request.count));
  });

  it.each([
    'listBlockTransactionsExt_busy',
    'listBlockTransactionsExt_busy4_proof',
    'listBlockTransactionsExt_mc_key65',
  ])('%s has the cells of the transactions', (name) => {
    const { request, answer } = recordedAnswer('listBlockTransactionsExt', name);
    const { transactions } = checkAnswer(request, answer);
    expect(names(request.id, transactions)).toEqual(byBlock[fileName(request.id)]);
    for (const { cells, cell, lt } of transactions)
      expect(readTransaction(cells, cell, request.id.workchain).lt).toBe(lt);
  });

  const histories = recordedAnswers('lite')
    .filter(({ request }) => request.method === 'getTransactions')
    .map(({ name }) => name);

  it.each(histories)('%s is a history of transactions of the index', (name) => {
    const { request, answer } = recordedAnswer('getTransactions', name);
    const history = checkAnswer(request, answer);
    if (request.lt === 0n) {
      expect(history).toEqual([]);
      return;
    }
    expect(history[0]).toMatchObject({ lt: request.lt, hash: request.hash });
    for (const { claimedBlock, cells, cell, hash, lt, account } of history) {
      const [listed] = names(claimedBlock, [{ account, lt, hash }]);
      expect(byBlock[fileName(claimedBlock)]).toContainEqual(listed);
      expect(readTransaction(cells, cell, request.account.workchain)).toMatchObject({ hash, lt });
    }
  });
});
