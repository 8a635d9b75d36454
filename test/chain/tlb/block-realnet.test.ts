import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { formatRaw } from '../../../src/chain/address.ts';
import { type CellBag, readBoc } from '../../../src/chain/boc/bag.ts';
import { previousBlocks } from '../../../src/chain/tlb/block.ts';
import { readShardHashes } from '../../../src/chain/tlb/shard-hashes.ts';
import type { Transaction } from '../../../src/chain/tlb/transaction.ts';
import { sampleOf } from '../../support/long-run.ts';
import { missingNetwork, RECORDED_NETWORK } from '../../support/recorded-network.ts';
import { readWhole, type WholeBlock } from '../support/block-checks.ts';
import type { Block } from '../support/block-readers.ts';
import { expectAsCore } from '../support/transactions-as-core.ts';

interface Named {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly root_hash: string;
  readonly file_hash: string;
}

const json = (name: string) => JSON.parse(readFileSync(new URL(name, RECORDED_NETWORK), 'utf8'));
const shardText = (shard: bigint): string => BigInt.asUintN(64, shard).toString(16).padStart(16, '0');
const fileName = ({ workchain, shard, seqno }: Named): string => `${workchain}_${shard}_${seqno}`;

describe.skipIf(missingNetwork !== '')(`blocks of a recorded network${missingNetwork}`, () => {
  const index = missingNetwork === '' ? json('index.json') : { masterchain: [] };
  const listed: Map<string, Named & { transactions: number }> = new Map();
  const shardsOf = new Map<string, Named[]>();
  for (const { block, new_shard_blocks, shards } of index.masterchain) {
    for (const one of [block, ...new_shard_blocks]) listed.set(fileName(one), one);
    shardsOf.set(fileName(block), shards);
  }
  const read = new Map<string, { bytes: Buffer; bag: CellBag; whole: WholeBlock }>();

  beforeAll(() => {
    for (const name of listed.keys()) {
      const bytes = readFileSync(new URL(`blocks/${name}.boc`, RECORDED_NETWORK));
      const bag = readBoc(bytes);
      read.set(name, { bytes, bag, whole: readWhole(bag) });
    }
  });

  it('are 347', () => {
    expect(read.size).toBe(347);
    expect(readdirSync(new URL('blocks/', RECORDED_NETWORK)).length).toBe(347);
  });

  it('have the listed ids and headers', () => {
    for (const [name, { bytes, bag, whole }] of read) {
      const { root_hash, file_hash, ...header } = listed.get(name)!;
      expect(bag.hash(bag.root).toString('base64')).toBe(root_hash);
      expect(createHash('sha256').update(bytes).digest('base64')).toBe(file_hash);
      expect({ ...headerForm(whole.block), transactions: whole.transactions.length }).toEqual(header);
    }
  });

  it('refer to the listed shards and previous blocks', () => {
    for (const [name, { bag, whole }] of read) {
      const { masterchain, info } = whole.block;
      const shards = masterchain && readShardHashes(bag, masterchain.shardHashes).map(nameForm);
      expect(shards).toEqual(shardsOf.get(name));
      for (const previous of previousBlocks(info)) {
        const named = nameForm(previous);
        if (previous.seqno > 0) expect(listed.get(fileName(named))).toMatchObject(named);
      }
    }
  });

  it('contain the listed transactions with the same fields as in @ton/core', () => {
    const transactions = json('transactions.json');
    for (const [name, { bytes, bag, whole }] of sampleOf([...read], 60)) {
      expect(whole.transactions.map(listForm)).toEqual(transactions[name]);
      expectAsCore(bag, whole.transactions, bytes);
    }
  });

  it('contain the expected number of messages of each kind', () => {
    const counts: Record<string, number> = {};
    const count = (name: string) => {
      counts[name] = (counts[name] ?? 0) + 1;
    };
    for (const { whole } of read.values()) {
      for (const { kind } of whole.inMsgs) count(`block InMsg ${kind}`);
      for (const { kind } of whole.outMsgs) count(`block OutMsg ${kind}`);
    }
    const expected = Object.entries(json('coverage.json')).filter(([name]) => name.startsWith('block '));
    expect(counts).toEqual(Object.fromEntries(expected));
  });

  it('contain transactions that match their recorded descriptions, except tick-tock', () => {
    const accounts: Record<string, { raw: string }> = json('scenario.json').accounts;
    const names = new Map(Object.entries(accounts).map(([name, { raw }]) => [raw.toLowerCase(), name]));
    const ours = [...read].flatMap(([block, { whole }]) =>
      whole.transactions
        .filter(({ description }) => description.kind !== 'tick_tock')
        .map((transaction) => userForm(block, transaction, names)),
    );
    const byHash = new Map(ours.map((form) => [form.hash, form]));
    const described = json('user_transactions.json');
    expect(byHash.size).toBe(described.length);
    for (const { mc_seqno: _seqno, ...expected } of described)
      expect(byHash.get(expected.hash)).toEqual(expected);
  });
});

function nameForm(id: {
  workchain: number;
  shard: bigint;
  seqno: number;
  rootHash: Buffer;
  fileHash: Buffer;
}): Named {
  return {
    workchain: id.workchain,
    shard: shardText(id.shard),
    seqno: id.seqno,
    root_hash: id.rootHash.toString('base64'),
    file_hash: id.fileHash.toString('base64'),
  };
}

function headerForm({ globalId, info }: Block) {
  return {
    workchain: info.workchain,
    shard: shardText(info.shard),
    seqno: info.seqno,
    global_id: globalId,
    version: info.version,
    not_master: info.notMaster,
    after_merge: info.afterMerge,
    before_split: info.beforeSplit,
    after_split: info.afterSplit,
    want_split: info.wantSplit,
    want_merge: info.wantMerge,
    key_block: info.keyBlock,
    vert_seqno_incr: info.vertSeqnoIncr,
    flags: info.flags,
    vert_seqno: info.vertSeqno,
    gen_utime: info.genUtime,
    start_lt: `${info.startLt}`,
    end_lt: `${info.endLt}`,
    validator_list_hash_short: info.genValidatorListHashShort,
    catchain_seqno: info.genCatchainSeqno,
    min_ref_mc_seqno: info.minRefMcSeqno,
    prev_key_block_seqno: info.prevKeyBlockSeqno,
  };
}

const listForm = ({ account, lt, hash }: Transaction) => ({
  account: formatRaw(account, 'lower'),
  lt: `${lt}`,
  hash: hash.toString('base64'),
});

const STATUSES = { uninit: 'uninitialized', nonexist: 'non-existing', active: 'active', frozen: 'frozen' };
const BOUNCES = { ok: 'ok', nofunds: 'no-funds', negfunds: 'negative-funds' };

/** A transaction in the words of user_transactions.json. */
function userForm(block: string, transaction: Transaction, names: ReadonlyMap<string, string>) {
  const { description, inMessage, account } = transaction;
  if (description.kind !== 'ord') throw new Error(`unexpected ${description.kind}`);
  const { compute, action, bounce, aborted, destroyed } = description;
  const named = (raw: string) => names.get(raw) ?? raw;
  const info = inMessage!.info;
  return {
    block,
    account: named(formatRaw(account, 'lower')),
    lt: `${transaction.lt}`,
    hash: transaction.hash.toString('base64'),
    in: info.kind === 'internal' && info.bounced ? 'internal bounced' : info.kind,
    from: info.src.kind === 'std' ? named(formatRaw(info.src, 'lower')) : null,
    out: transaction.outMessages.length,
    compute: compute.skipped ? `skipped: ${compute.reason.replace('_', '-')}` : compute.exitCode,
    action: action?.resultCode ?? null,
    aborted,
    destroyed,
    bounce: bounce ? BOUNCES[bounce.kind] : null,
    status: `${STATUSES[transaction.origStatus]}->${STATUSES[transaction.endStatus]}`,
  };
}
