import { loadShardAccounts } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { readAccount } from '../../../src/chain/tlb/account.ts';
import { configParam, readCatchainConfig } from '../../../src/chain/tlb/config.ts';
import { libraryPublishers, lookUpLibrary } from '../../../src/chain/tlb/libraries.ts';
import {
  lookUpOldMcBlock,
  readMcStateExtra,
  readMcStateInfo,
} from '../../../src/chain/tlb/masterchain-state.ts';
import { readOutMsgQueueInfo } from '../../../src/chain/tlb/queues.ts';
import { readShardAccounts, walkShardAccounts } from '../../../src/chain/tlb/shard-accounts.ts';
import { readShardState, readShardStateTotals } from '../../../src/chain/tlb/shard-state.ts';
import {
  masterchainValidators,
  readValidatorSet,
  shardValidators,
  validatorSetHash,
} from '../../../src/chain/tlb/validators.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { recordedAnswer, recordedBag, recordedNames } from '../support/recorded-network.ts';

const LAST = '-1_8000000000000000_125';
const names = missingNetwork === '' ? recordedNames('states') : [];

/** The parts of the last recorded masterchain state. */
function lastMasterchainState() {
  const bag = recordedBag(`states/${LAST}`);
  const state = readShardState(bag, bag.root);
  const extra = readMcStateExtra(bag, state.custom);
  return { bag, state, extra, info: readMcStateInfo(bag, extra.info) };
}

interface RecordedBlock {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly root_hash: string;
  readonly file_hash: string;
  readonly gen_utime: number;
  readonly end_lt: string;
  readonly min_ref_mc_seqno: number;
  readonly key_block: boolean;
  readonly validator_list_hash_short: number;
  readonly catchain_seqno: number;
}

/** Headers of all recorded blocks. */
function recordedBlocks(): RecordedBlock[] {
  const { masterchain } = recordedAnswer('index');
  return masterchain.flatMap((entry: { block: RecordedBlock; new_shard_blocks: RecordedBlock[] }) => [
    entry.block,
    ...entry.new_shard_blocks,
  ]);
}

describe.skipIf(missingNetwork !== '')(`states of the recorded network${missingNetwork}`, () => {
  it.each(names)('%s is read, its accounts as @ton/core reads them', (name) => {
    const bag = recordedBag(`states/${name}`);
    const state = readShardState(bag, bag.root);
    const header = recordedBlocks().find(
      (block) => name === `${block.workchain}_${block.shard}_${block.seqno}`,
    );
    if (state.seqno > 0)
      expect(state).toMatchObject({
        genUtime: header!.gen_utime,
        genLt: BigInt(header!.end_lt),
        minRefMcSeqno: header!.min_ref_mc_seqno,
      });
    expect(state).toMatchObject({ globalId: -777, vertSeqno: 0, beforeSplit: false });
    const shard = BigInt.asUintN(64, state.shard).toString(16).padStart(16, '0');
    expect(name).toBe(`${state.workchain}_${shard}_${state.seqno}`);
    expect(state.custom >= 0).toBe(state.workchain === -1);

    const core = loadShardAccounts(toCoreCell(bag, state.accounts).beginParse());
    let sum = 0n;
    const ids: bigint[] = [];
    walkShardAccounts(bag, state.accounts, (id, { account, lastTransLt }) => {
      const key = BigInt(`0x${id.toString('hex')}`);
      ids.push(key);
      const wanted = core.get(key)!.shardAccount;
      const read = readAccount(bag, account)!;
      sum += read.balance.grams;
      expect(lastTransLt).toBe(wanted.lastTransactionLt);
      expect(read.balance.grams).toBe(wanted.account!.storage.balance.coins);
      expect(read.storageInfo.usedBits).toBe(Number(wanted.account!.storageStats.used.bits));
      expect(read.lastTransLt).toBe(wanted.account!.storage.lastTransLt);
    });
    expect(ids).toEqual(core.keys());
    expect(readShardAccounts(bag, state.accounts).balance.grams).toBe(sum);
    const totals = readShardStateTotals(bag, state.totals);
    expect(totals.totalBalance.grams).toBe(sum);
    // A zero state refers to no masterchain block yet.
    expect(totals.masterRef === undefined).toBe(state.workchain === -1 || state.seqno === 0);
  });

  it('list all earlier masterchain blocks', () => {
    const { bag, info } = lastMasterchainState();
    const { root, hasKeyBlock, maxEndLt } = info.prevBlocks;
    const blocks = recordedBlocks().filter(({ workchain, seqno }) => workchain === -1 && seqno < 125);
    expect(blocks).toHaveLength(124);
    for (const block of blocks)
      expect(lookUpOldMcBlock(bag, root, block.seqno)).toEqual({
        isKeyBlock: block.key_block,
        endLt: BigInt(block.end_lt),
        seqno: block.seqno,
        rootHash: Buffer.from(block.root_hash, 'base64'),
        fileHash: Buffer.from(block.file_hash, 'base64'),
      });
    expect(lookUpOldMcBlock(bag, root, 125)).toBeUndefined();
    expect([hasKeyBlock, maxEndLt]).toEqual([true, BigInt(blocks.at(-1)!.end_lt)]);
    expect(info).toMatchObject({ afterKeyBlock: false, lastKeyBlock: { seqno: 65 } });
  });

  it('have the validators of all block headers', () => {
    const { bag, extra, info } = lastMasterchainState();
    const set = readValidatorSet(bag, configParam(bag, extra.config, 34));
    const config = readCatchainConfig(bag, configParam(bag, extra.config, 28));
    const group = masterchainValidators(set, config, info.catchainSeqno);
    expect(validatorSetHash(group, 0)).toBe(info.validatorListHashShort);
    for (const block of recordedBlocks()) {
      const { workchain, shard, catchain_seqno: seqno } = block;
      const signers =
        workchain === -1
          ? masterchainValidators(set, config, seqno)
          : shardValidators(set, config, workchain, BigInt(`0x${shard}`), seqno);
      expect(validatorSetHash(signers, seqno)).toBe(block.validator_list_hash_short);
    }
  });

  it('contain the published libraries', () => {
    const { bag, state } = lastMasterchainState();
    const { libraries } = readShardStateTotals(bag, state.totals);
    const { result } = recordedAnswer('lite/getLibraries').response.decoded;
    expect(result).toHaveLength(1);
    const hash = Buffer.from(result[0].hash, 'base64');
    const library = lookUpLibrary(bag, libraries, hash);
    expect(
      toCoreCell(bag, library).equals(toCoreCell(readBoc(Buffer.from(result[0].data, 'base64')), 0)),
    ).toBe(true);
    const { raw } = recordedAnswer('accounts/probe_mc');
    expect(libraryPublishers(bag, libraries, hash)).toEqual([Buffer.from(raw.slice(3), 'hex')]);

    const { state_proof: header, data_proof: proof } = recordedAnswer('lite/getLibrariesWithProof_F').response
      .decoded;
    expect(header).not.toBe('');
    const proofBag = readBoc(Buffer.from(proof, 'base64'));
    const proven = readShardState(proofBag, proofBag.ref(proofBag.root, 0));
    const root = readShardStateTotals(proofBag, proven.totals).libraries;
    expect(proofBag.hash(lookUpLibrary(proofBag, root, hash), 0)).toEqual(hash);
  });

  it('have the sizes of their queues', () => {
    const { decoded } = recordedAnswer('lite/getBlockOutMsgQueueSize').response;
    const bag = readBoc(Buffer.from(decoded.proof, 'base64'));
    const state = readShardState(bag, bag.ref(bag.roots[1]!, 0));
    const { extra } = readOutMsgQueueInfo(bag, state.outMsgQueueInfo);
    expect(extra).toMatchObject({ outQueueSize: 6, dispatchQueue: -1 });
    for (const name of names) {
      const whole = recordedBag(`states/${name}`);
      const { outMsgQueueInfo } = readShardState(whole, whole.root);
      expect(readOutMsgQueueInfo(whole, outMsgQueueInfo).outQueue).toBe(-1);
    }
  });
});
