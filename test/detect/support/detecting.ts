import { readFile } from 'node:fs/promises';
import { Address, beginCell, Cell } from '@ton/core';
import { accountKey } from '../../../src/chain/address.ts';
import { accountCells, type ContractCode } from '../../../src/chain/contracts/account-cells.ts';
import { readMethodIds } from '../../../src/chain/contracts/method-ids.ts';
import { readAccount } from '../../../src/chain/tlb/account.ts';
import {
  type CountedDetection,
  createDetection,
  type DetectionOptions,
} from '../../../src/detect/create-detection.ts';
import type {
  DetectionBatch,
  DetectionSession,
  DetectionState,
  Detector,
} from '../../../src/detect/detection.ts';
import type { DetectionResult } from '../../../src/index/write/write-contracts.ts';
import { getAccountState } from '../../../src/lite/methods/accounts.ts';
import { chainPaths } from '../../../src/localnet/chain/chain-folder.ts';
import type { Vm } from '../../../src/vm/vm.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import { type FaultyServers, openFaultyServers } from '../../v2/support/faulty-servers.ts';

/** The inputs of detection: a demo chain with a lite server, an empty index and a VM. */
export interface DetectionTestContext extends FaultyServers {
  readonly vm: Vm;
  readonly base: TestDatabase;
  /** The address of a demo contract. */
  place(name: string): Address;
  detection(detectors: readonly Detector[], options?: Partial<DetectionOptions>): CountedDetection;
  /** The state of an account at the head of the chain, and its code. */
  onChain(address: Address): Promise<{ readonly state: DetectionState; readonly code: ContractCode }>;
  /** Writes a latest state to the database. */
  keep(state: DetectionState, code: ContractCode, mcSeqno?: number): Promise<void>;
}

export const TIMESTAMP = 1_800_000_000;

/** Opens everything. */
export async function openDetectionTestContext(): Promise<DetectionTestContext> {
  const [chain, base] = await Promise.all([openFaultyServers({ demo: true }), createTestDatabase()]);
  const log = createQuietLog();
  // Long enough for a busy machine.
  const vm = sharedVm();
  const db = base.database.primary;
  const demo = JSON.parse(await readFile(chainPaths(chain.folder).demo, 'utf8'));
  const check = { verify: true };
  return Object.assign(Object.create(chain) as FaultyServers, {
    vm,
    base,
    place: (name: string) => Address.parse(demo.contracts[name] ?? demo.wallets[name].address),
    detection: (detectors: readonly Detector[], options: Partial<DetectionOptions> = {}) =>
      createDetection({
        vm,
        db,
        pool: chain.pool,
        check,
        detectors,
        log,
        known: { zones: [], poolFactory: undefined },
        ...options,
      }),
    async onChain({ workChain, hash }: Address) {
      const session = await chain.pool.session();
      const id = { workchain: workChain, hash };
      const found = await session.run(({ query, reference }) => getAccountState(query, reference, id, check));
      const { code, data } = accountCells(found.account!);
      const account = readAccount(found.account!.cells, found.account!.cell)!;
      const made = stateOf({ account: accountKey(workChain, hash), balance: account.balance.grams });
      return {
        state: { ...made, codeHash: code!.hash, data, dataHash: Cell.fromBoc(data!)[0]!.hash() },
        code: code!,
      };
    },
    async keep(state: DetectionState, code: ContractCode, mcSeqno = 1) {
      await db
        .insertInto('contract_codes')
        .values({ hash: code.hash, boc: code.boc, methods: code.methods ?? null })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const row = {
        account: state.account,
        hash: Buffer.alloc(32),
        status: 'active' as const,
        balance: state.balance,
        code_hash: state.codeHash ?? null,
        data_hash: state.dataHash ?? null,
        last_trans_lt: state.lastTransLt,
        last_trans_hash: Buffer.alloc(32),
        timestamp: TIMESTAMP,
        mc_seqno: mcSeqno,
      };
      await db
        .insertInto('latest_account_states')
        .values(row)
        .onConflict((conflict) => conflict.column('account').doUpdateSet(changeOf(row)))
        .execute();
      if (state.data === undefined) return;
      const data = { account: state.account, hash: state.dataHash!, boc: state.data };
      await db
        .insertInto('account_data')
        .values(data)
        .onConflict((conflict) => conflict.column('account').doUpdateSet(changeOf(data)))
        .execute();
    },
    async close() {
      await vm.close();
      await chain.close();
      await base.drop();
    },
  });
}

/** What changes of a row: on a cluster its key cannot. */
function changeOf<Row extends { readonly account: Buffer }>({ account: _, ...change }: Row) {
  return change;
}

/** A code as returned by decoders. */
export function codeOf(cell: Cell): ContractCode {
  const boc = cell.toBoc({ idx: false, crc32: false });
  return { hash: cell.hash(), boc, methods: readMethodIds(boc) };
}

/** Account data with a number. */
export function numbered(value: number): Cell {
  return beginCell().storeUint(value, 64).endCell();
}

interface MadeState extends Partial<Omit<DetectionState, 'data' | 'account'>> {
  readonly account: Buffer | number;
  readonly code?: Cell;
  readonly data?: Cell;
}

/** An input state; a number stands for the account with that number in its address. */
export function stateOf({ account, code, data, ...rest }: MadeState): DetectionState {
  return {
    account: typeof account === 'number' ? madeAccount(account) : account,
    lastTransLt: 1000n,
    timestamp: TIMESTAMP,
    balance: 10n ** 9n,
    codeHash: code?.hash(),
    dataHash: data?.hash(),
    data: data?.toBoc({ idx: false, crc32: false }),
    isMissing: false,
    mayHaveChangedCode: false,
    ...rest,
  };
}

/** An account that does not exist. */
export function madeAccount(number: number): Buffer {
  const hash = Buffer.alloc(32, 0xa5);
  hash.writeUInt32BE(number);
  return accountKey(0, hash);
}

/** Runs detection on states. */
export function runDetection(
  session: DetectionSession,
  states: readonly DetectionState[],
  batch: Partial<DetectionBatch> = {},
): Promise<DetectionResult> {
  return session.detect({
    states,
    codes: [],
    hasKeyBlock: false,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    ...batch,
  });
}
