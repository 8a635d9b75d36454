import { Cell, Dictionary } from '@ton/core';
import { expect } from 'vitest';
import { accountKey } from '../../../../src/chain/address.ts';
import { readBoc } from '../../../../src/chain/boc/bag.ts';
import type { Cells } from '../../../../src/chain/boc/cells.ts';
import { openMerkleUpdate } from '../../../../src/chain/boc/merkle.ts';
import { writeBoc } from '../../../../src/chain/boc/writer.ts';
import { CellArena } from '../../../../src/chain/state/arena.ts';
import { applyMerkleUpdate } from '../../../../src/chain/state/merkle-updates.ts';
import { codeHash, dataHash, readAccount } from '../../../../src/chain/tlb/account.ts';
import { readBlockRoot } from '../../../../src/chain/tlb/block.ts';
import { readExtraCurrencies } from '../../../../src/chain/tlb/currency.ts';
import { lookUpShardAccount } from '../../../../src/chain/tlb/shard-accounts.ts';
import { readShardState } from '../../../../src/chain/tlb/shard-state.ts';
import type { ShownState } from '../../../../src/index/format/slots.ts';
import type { AccountChange, DecodedSeqno, StateSummary } from '../../../../src/index/write/decoded-seqno.ts';
import type { FetchedSeqno } from '../../../../src/ingest/fetch/fetch-seqnos.ts';
import { parseBlock } from '../../../../src/localnet/store/parse-block.ts';
import { readSlots } from './check-seqnos.ts';

/** Numbers of observed cases. */
interface StateCounts {
  changes: number;
  hiddenBefore: number;
  hiddenExtra: number;
  wholeData: number;
  partialData: number;
  codes: number;
}

/** Compares the account changes in a seqno with the new states of its blocks. */
export function expectStates(
  states: FollowedStates,
  fetched: FetchedSeqno,
  decoded: DecodedSeqno,
  counts: StateCounts,
): void {
  const blocks = [fetched.masterchain, ...fetched.shardBlocks];
  expect(decoded.genUtime).toBe(parseBlock(blocks[0]!.bytes).info.genUtime);
  for (const [i, { id, bytes }] of blocks.entries()) {
    const { before, after } = states.apply(bytes);
    const { genUtime } = parseBlock(bytes).info;
    for (const change of decoded.accounts.filter(({ block }) => block === i)) {
      const hash = change.account.subarray(1);
      expect(change).toMatchObject({ mcSeqno: fetched.mcSeqno, timestamp: genUtime });
      expect(change.account.readInt8(0)).toBe(id.workchain);
      const full = after(hash);
      expectSummary(change, full, counts);
      expectCells(change, full, decoded, counts);
      if (full !== undefined) {
        expect(change.lastTransLt).toBe(full.lastTransLt);
        expect(change.lastTransHash.toString('hex')).toBe(full.lastTransHash);
      }
      if (change.before === undefined) counts.hiddenBefore++;
      else expectSummary(change.before, before(hash), counts);
      counts.changes++;
    }
  }
  expectCodes(decoded);
}

function expectSummary(summary: StateSummary, full: FullAccount | undefined, counts: StateCounts): void {
  const { status, balance } = summary;
  const hashes = [summary.codeHash, summary.dataHash, summary.frozenHash].map((hash) =>
    hash?.toString('hex'),
  );
  expect({ status, balance }).toEqual({ status: full?.status ?? 'nonexist', balance: full?.balance ?? 0n });
  expect(hashes).toEqual([full?.codeHash, full?.dataHash, full?.frozenHash]);
  if (full !== undefined) expect(summary.hash.toString('hex')).toBe(full.hash);
  if (summary.extraIsHidden) {
    counts.hiddenExtra++;
    expect(summary.balanceExtra).toBeUndefined();
    expect(full?.extra).toBeDefined();
  } else expect(summary.balanceExtra).toBe(full?.extra);
}

function expectCells(
  { code, codeHash, data, dataHash, dataIsWhole }: AccountChange,
  full: FullAccount | undefined,
  { codes }: DecodedSeqno,
  counts: StateCounts,
): void {
  if (code !== undefined) {
    counts.codes++;
    expect(code.equals(full!.code!)).toBe(true);
    expect(codes.filter(({ hash }) => hash.equals(codeHash!)).map(({ boc }) => boc)).toEqual([code]);
  }
  expect(data === undefined).toBe(full?.data === undefined);
  if (data === undefined) expect(dataIsWhole).toBe(true);
  else if (dataIsWhole) {
    counts.wholeData++;
    expect(data.equals(full!.data!)).toBe(true);
  } else {
    counts.partialData++;
    const bag = readBoc(data);
    expect(bag.hash(bag.root, 0)).toEqual(dataHash);
    expect(bag.levelMask(bag.root)).not.toBe(0);
  }
}

function expectCodes({ codes }: DecodedSeqno): void {
  for (const { hash, boc, methods } of codes) {
    const cell = Cell.fromBoc(boc)[0]!;
    expect(cell.hash()).toEqual(hash);
    const hasMethods = !cell.isExotic && cell.bits.toString().startsWith('FF00F4A413');
    expect(methods !== undefined).toBe(hasMethods);
    if (hasMethods) {
      const key = Dictionary.Keys.Uint(19);
      const value = { serialize: () => {}, parse: () => null };
      expect(methods).toEqual(Dictionary.loadDirect(key, value, cell.refs[0]!).keys());
    }
  }
}

/** Compares the states in the pages: shown after the last transaction of an account in a block and before the first one. */
export function expectShownStates(seqnos: readonly DecodedSeqno[]): void {
  for (const decoded of seqnos) {
    const after = new Map<string, AccountChange>();
    const before = new Map<string, AccountChange>();
    for (const change of decoded.accounts) {
      const account = change.account.toString('hex');
      after.set(`${account} ${change.lastTransLt}`, change);
      before.set(`${account} ${change.prevTransLt}`, change);
    }
    for (const { place, states, transaction } of readSlots(decoded)) {
      const account = accountKey(place.workchain, transaction.account.hash).toString('hex');
      const last = after.get(`${account} ${transaction.lt}`);
      const first = before.get(`${account} ${transaction.prevTransLt}`);
      expect(states).toEqual({
        after: last && shownOf(last),
        before: first?.before && shownOf(first.before),
      });
      if (last !== undefined) expect(transaction.newStateHash).toEqual(last.hash);
      if (first !== undefined) expect(transaction.prevTransHash).toEqual(first.prevTransHash);
      after.delete(`${account} ${transaction.lt}`);
      before.delete(`${account} ${transaction.prevTransLt}`);
    }
    expect([after.size, before.size]).toEqual([0, 0]);
  }
}

function shownOf(state: StateSummary): ShownState {
  const { status, balance, balanceExtra, extraIsHidden, codeHash, dataHash, frozenHash } = state;
  return { status, balance, balanceExtra, extraIsHidden, codeHash, dataHash, frozenHash };
}

/** An account of a complete state. */
interface FullAccount {
  readonly hash: string;
  readonly status: string;
  readonly balance: bigint;
  readonly extra: string | undefined;
  readonly codeHash: string | undefined;
  readonly dataHash: string | undefined;
  readonly frozenHash: string | undefined;
  readonly code: Buffer | undefined;
  readonly data: Buffer | undefined;
  readonly lastTransLt: bigint;
  readonly lastTransHash: string;
}

/** Finds an account by its id; undefined if it is missing. */
type FullState = (id: Buffer) => FullAccount | undefined;

/** The states of a chain, followed block by block from its zero states. */
export class FollowedStates {
  readonly #arena = new CellArena();

  constructor(zeroStates: readonly Buffer[]) {
    for (const bytes of zeroStates) {
      const bag = readBoc(bytes);
      this.#arena.add(bag, bag.root);
    }
  }

  /** The states before and after a block; blocks must be passed in order. */
  apply(block: Buffer): { readonly before: FullState; readonly after: FullState } {
    const bag = readBoc(block);
    const { stateUpdate } = readBlockRoot(bag, bag.root);
    const { oldHash } = openMerkleUpdate(bag, stateUpdate);
    const before = this.#arena.find(oldHash);
    const after = applyMerkleUpdate(this.#arena, oldHash, bag, stateUpdate);
    return { before: fullState(this.#arena, before), after: fullState(this.#arena, after) };
  }
}

/** The accounts of a complete state. */
export function fullState(cells: Cells, root: number): FullState {
  const { accounts } = readShardState(cells, root);
  return (id) => {
    const entry = lookUpShardAccount(cells, accounts, id);
    const account = entry && readAccount(cells, entry.account);
    if (entry === undefined || account === undefined) return undefined;
    const { state, balance } = account;
    const extra = readExtraCurrencies(cells, balance).map((one) => `"${one.id}":"${one.amount}"`);
    const { code, data } = state.kind === 'active' ? state.init : { code: -1, data: -1 };
    return {
      hash: cells.hash(entry.account).toString('hex'),
      status: state.kind,
      balance: balance.grams,
      extra: extra.length === 0 ? undefined : `{${extra.join()}}`,
      codeHash: codeHash(cells, account)?.toString('hex'),
      dataHash: dataHash(cells, account)?.toString('hex'),
      frozenHash: state.kind === 'frozen' ? state.stateHash.toString('hex') : undefined,
      code: bocOf(cells, code),
      data: bocOf(cells, data),
      lastTransLt: entry.lastTransLt,
      lastTransHash: entry.lastTransHash.toString('hex'),
    };
  };
}

function bocOf(cells: Cells, cell: number): Buffer | undefined {
  return cell < 0 ? undefined : writeBoc({ cells, roots: [cell] }, { order: 'tonlib', crc: false });
}
