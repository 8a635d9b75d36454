import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../../src/chain/block-id.ts';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';
import { configParam, configParams } from '../../../src/chain/tlb/config.ts';
import { readMcStateExtra } from '../../../src/chain/tlb/mc-state-extra.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { checkAnswer } from './check-answer.ts';
import { readRecordedBytes, readRecordedJson, recordedAnswer } from './recorded.ts';

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

describe.skipIf(missingNetwork !== '')(`values that a real lite server proves${missingNetwork}`, () => {
  const index = missingNetwork === '' ? readRecordedJson<Index>('index.json').masterchain : [];

  it.each([
    ['getAllShardsInfo_10', 10],
    ['getAllShardsInfo_F', 125],
  ])('%s: all shards', (name, seqno) => {
    const { request, answer } = recordedAnswer('getAllShardsInfo', name);
    expect(checkAnswer(request, answer).map(nameOf)).toEqual(index[seqno - 1]!.shards.map(nameOf));
  });

  it('one shard, or none', () => {
    const [left] = index[124]!.shards;
    const check = (name: string) => {
      const { request, answer } = recordedAnswer('getShardInfo', name);
      return checkAnswer(request, answer);
    };
    expect(nameOf(check('getShardInfo_account')!)).toBe(nameOf(left!));
    expect(nameOf(check('getShardInfo_exact')!)).toBe(nameOf(left!));
    expect(check('getShardInfo_missing')).toBeUndefined();
    expect(check('getShardInfo_wc5')).toBeUndefined();
  });

  it.each([
    ['getBlockHeader_mc_F_mode0', 'mc125'],
    ['getBlockHeader_mc_F_mode65535', 'mc125'],
    ['getBlockHeader_shard_busy', '0_c000000000000000_67'],
    ['getBlockHeader_after_split', '0_4000000000000000_23'],
    ['getBlockHeader_before_split', '0_8000000000000000_22'],
  ])('%s: a header as tonlib reads it', (name, tonlibName) => {
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

  it('looked-up blocks', () => {
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

  it('the configuration, all of it and in parts', () => {
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

  it('the configuration of the last key block', () => {
    const { request, answer } = recordedAnswer('getConfigAll', 'getConfigAll_F_mode32768');
    const { block, state, cells, cell } = checkAnswer(request, answer);
    expect(nameOf(block)).toBe(nameOf(index[64]!.block));
    expect(state).toBeUndefined();
    expect(configParams(cells, cell).length).toBeGreaterThan(20);
  });

  it('libraries, there and not yet there', () => {
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

  it('the size of an out-queue, and who made blocks', () => {
    const queue = recordedAnswer('getBlockOutMsgQueueSize', 'getBlockOutMsgQueueSize');
    expect(checkAnswer(queue.request, queue.answer)).toBe(6);
    const stats = recordedAnswer('getValidatorStats', 'getValidatorStats');
    const { creators, complete } = checkAnswer(stats.request, stats.answer);
    expect(complete).toBe(true);
    // One validator, and the sum over all under a key of zeros.
    expect(creators.map(({ masterchainBlocks }) => masterchainBlocks)).toEqual([125n, 125n]);
  });

  it('the masterchain block that a shard block hangs on', () => {
    const { request, answer } = recordedAnswer('getShardBlockProof', 'getShardBlockProof_topF');
    const { masterchainId } = checkAnswer(request, answer);
    const named = index[masterchainId.seqno - 1]!;
    expect(nameOf(masterchainId)).toBe(nameOf(named.block));
    expect(named.shards.map(nameOf)).toContain(nameOf(request.id));
  });
});
