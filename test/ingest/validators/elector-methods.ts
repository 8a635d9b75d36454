import {
  Cell,
  Dictionary,
  getMethodId,
  parseTuple,
  type Slice,
  serializeTuple,
  type TupleItem,
  TupleReader,
} from '@ton/core';
import type { BlockId } from '../../../src/chain/block-id.ts';
import { toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { writeBoc } from '../../../src/chain/boc/writer.ts';
import { readAccount } from '../../../src/chain/tlb/account.ts';
import { configParam } from '../../../src/chain/tlb/config.ts';
import { readValidatorSet, type ValidatorSet } from '../../../src/chain/tlb/validators.ts';
import { getAccountState } from '../../../src/lite/methods/accounts.ts';
import { getConfigAll } from '../../../src/lite/methods/config.ts';
import { lookupBlock } from '../../../src/lite/methods/lookups.ts';
import type { LitePool } from '../../../src/lite/pool.ts';
import type { Localnet } from '../../../src/localnet/chain/localnet.ts';
import { ELECTOR_ID } from '../../../src/localnet/genesis/special-accounts.ts';
import { headState } from '../../../src/localnet/store/head-state.ts';
import { VmContextReader } from '../../../src/localnet/vm-context.ts';
import type { Vm } from '../../../src/vm/vm.ts';

/** A chain with an elector. */
export interface ElectorChain {
  readonly localnet: Localnet;
  readonly vm: Vm;
  readonly pool: Pick<LitePool, 'session'>;
}

/** What the get-methods of the elector say after a block, and the validator sets of the configuration. */
export interface ElectorView {
  readonly seqno: number;
  readonly dataHash: string;
  readonly election: ReturnType<typeof readElection>;
  readonly past: readonly ReturnType<typeof readPast>[];
  readonly complaints: readonly ReturnType<typeof readComplaint>[];
  /** By config param. */
  readonly sets: ReadonlyMap<number, { readonly set: ValidatorSet; readonly hash: string }>;
  readonly rules: ReturnType<typeof readRules>;
}

const ELECTOR = { workchain: -1, hash: ELECTOR_ID };
const SETS = [34, 36, 32];
const check = { verify: true };

/** Runs the get-methods of the elector after a masterchain block. */
export async function viewElector({ localnet, vm, pool }: ElectorChain, seqno: number): Promise<ElectorView> {
  const session = await pool.session({ seqno });
  const { block, account, config } = await session.run(async ({ query }) => {
    const key = { workchain: -1, shard: -(2n ** 63n), seqno };
    const block: BlockId = (await lookupBlock(query, key, check)).block;
    return {
      block,
      account: (await getAccountState(query, block, ELECTOR, check)).account!,
      config: await getConfigAll(query, block, check),
    };
  });
  const { cells, cell } = account;
  const { state } = readAccount(cells, cell)!;
  if (state.kind !== 'active') throw new Error(`no elector at ${block.seqno}`);
  const bocOf = (root: number) => writeBoc({ cells, roots: [root] }, { order: 'tonlib' });
  const head = headState(localnet.store);
  const get = async (method: string, ...args: number[]): Promise<TupleReader> => {
    const stack = args.map((value): TupleItem => ({ type: 'int', value: BigInt(value) }));
    const result = await vm.runGetMethod({
      ...new VmContextReader().read(head.id, head),
      code: bocOf(state.init.code),
      data: bocOf(state.init.data),
      address: `-1:${ELECTOR_ID.toString('hex')}`,
      balance: 0n,
      utime: head.state.genUtime,
      methodId: getMethodId(method),
      stack: serializeTuple(stack).toBoc(),
    });
    if (result.exitCode !== 0) throw new Error(`${method} ended with ${result.exitCode}`);
    return new TupleReader(parseTuple(Cell.fromBoc(result.stack)[0]!));
  };
  const past = (await get('past_elections')).readLispList().map(readPast);
  const complaints = [];
  for (const { id } of past)
    for (const item of (await get('list_complaints', id)).readLispList())
      complaints.push(readComplaint(id, item));
  const sets = SETS.flatMap((param) => {
    const found = configParam(config.cells, config.cell, param);
    if (found < 0) return [];
    const set = readValidatorSet(config.cells, found);
    return [[param, { set, hash: config.cells.hash(found, 0).toString('base64') }] as const];
  });
  return {
    seqno,
    dataHash: cells.hash(state.init.data, 0).toString('hex'),
    election: readElection(await get('participant_list_extended')),
    past,
    complaints,
    sets: new Map(sets),
    rules: readRules((param) =>
      toCoreCell(config.cells, configParam(config.cells, config.cell, param)).beginParse(),
    ),
  };
}

/** Config params 15 to 17 as the routes show them. */
function readRules(param: (index: number) => Slice) {
  const [times, counts, stakes] = [param(15), param(16), param(17)];
  return {
    validators_elected_for: times.loadUint(32),
    elections_start_before: times.loadUint(32),
    elections_end_before: times.loadUint(32),
    stake_held_for: times.loadUint(32),
    max_validators: counts.loadUint(16),
    max_main_validators: counts.loadUint(16),
    min_validators: counts.loadUint(16),
    min_stake_limit: `${stakes.loadCoins()}`,
    max_stake_limit: `${stakes.loadCoins()}`,
    min_total_stake: `${stakes.loadCoins()}`,
    max_stake_factor: stakes.loadUint(32),
  };
}

const itemsOf = (item: TupleItem | undefined): TupleReader => {
  if (item?.type !== 'tuple') throw new Error('expected a tuple');
  return new TupleReader(item.items);
};
const hex = (value: bigint) => value.toString(16).padStart(64, '0').toUpperCase();
const base64 = (value: bigint) => Buffer.from(hex(value), 'hex').toString('base64');

function readElection(stack: TupleReader) {
  const [electionId, elect_close] = [stack.readNumber(), stack.readNumber()];
  const stakes = { min_stake: `${stack.readBigNumber()}`, total_stake: `${stack.readBigNumber()}` };
  const participants = stack.readLispList().map((item) => {
    const entry = itemsOf(item);
    const pubkey = entry.readBigNumber();
    const parts = entry.readTuple();
    return {
      validator_pubkey: hex(pubkey),
      stake: `${parts.readBigNumber()}`,
      max_factor: parts.readNumber(),
      stake_holder_address: `-1:${hex(parts.readBigNumber())}`,
      adnl_addr: hex(parts.readBigNumber()),
    };
  });
  const row = {
    election_id: electionId,
    elect_close,
    ...stakes,
    failed: stack.readBoolean(),
    finished: stack.readBoolean(),
  };
  return electionId === 0 ? undefined : { row, participants };
}

function readPast(item: TupleItem) {
  const stack = itemsOf(item);
  const id = stack.readNumber();
  stack.skip(2);
  const setHash = base64(stack.readBigNumber());
  const frozen = stack.readCellOpt();
  const stake = {
    serialize: () => {},
    parse: (slice: Slice) => {
      slice.skip(256 + 64);
      return slice.loadCoins();
    },
  };
  const stakes =
    frozen === null ? [] : [...Dictionary.loadDirect(Dictionary.Keys.BigUint(256), stake, frozen)];
  return {
    id,
    setHash,
    stakes: new Map(stakes.map(([key, amount]) => [hex(key), amount])),
    totalStake: stack.readBigNumber(),
  };
}

function readComplaint(electionId: number, item: TupleItem) {
  const stack = itemsOf(item);
  const hash = base64(stack.readBigNumber());
  const status = stack.readTuple();
  const complaint = status.readTuple();
  const validator_pubkey = hex(complaint.readBigNumber());
  const description = complaint.readCell();
  return {
    election_id: electionId,
    complaint_hash: hash,
    validator_pubkey,
    description_boc: description.toBoc({ idx: false, crc32: true }).toString('base64'),
    created_at: complaint.readNumber(),
    severity: complaint.readNumber(),
    reward_address: `-1:${hex(complaint.readBigNumber())}`,
    paid: `${complaint.readBigNumber()}`,
    suggested_fine: `${complaint.readBigNumber()}`,
    suggested_fine_part: complaint.readNumber(),
    voters: status.readLispList().map((voter) => (voter.type === 'int' ? Number(voter.value) : -1)),
    vset_id: base64(status.readBigNumber()),
    remaining: status.readBigNumber(),
  };
}
