import { LIBRARY_REFERENCE } from '../../chain/boc/cell-kind.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import { type Account, readAccount } from '../../chain/tlb/account.ts';
import { readExtraCurrencies } from '../../chain/tlb/currency.ts';
import type { ProvenAccount } from '../../lite/proofs/account-state.ts';
import { proving, refuse } from '../../lite/proofs/proof-scope.ts';
import type { GetMethodRun } from '../../vm/get-method-run.ts';
import type { CodeTexts } from '../code-texts.ts';

/** An account that has code, ready to be run. */
export interface Contract {
  readonly account: AccountId;
  readonly run: Pick<GetMethodRun, 'code' | 'data' | 'address' | 'balance' | 'extraCurrencies' | 'utime'>;
  /** Hashes of the libraries that the code names, as far as it was looked through. */
  readonly libraries: readonly Buffer[];
}

/** Contracts that were made already; undefined for an account without code. */
export type Contracts = WeakMap<ProvenAccount, Contract | undefined>;

/** A bag of cells with an empty cell, for an account without data. */
const EMPTY_CELL = 'te6ccgEBAQEAAgAAAA==';

/** How far code is looked through for libraries; those found no sooner than in a run are asked for then. */
const MAX_SEARCH_DEPTH = 24;
const MAX_LIBRARIES = 32;
const MAX_SEARCHED_CELLS = 256;

/** What runs need of an account, made once for as long as the account is remembered; undefined without code. */
export function contractOf(
  { contracts, codeTexts }: { readonly contracts: Contracts; readonly codeTexts: CodeTexts },
  proven: ProvenAccount,
): Contract | undefined {
  if (contracts.has(proven)) return contracts.get(proven);
  const contract = readContract(proven, codeTexts);
  contracts.set(proven, contract);
  return contract;
}

function readContract(
  { account: found, genUtime }: ProvenAccount,
  codeTexts: CodeTexts,
): Contract | undefined {
  if (found === undefined) return undefined;
  return proving('VALIDATE_ACCOUNT_STATE', () => {
    const { cells } = found;
    const account = readAccount(cells, found.cell);
    if (account?.state.kind !== 'active' || account.state.init.code < 0) return undefined;
    const { code, data } = account.state.init;
    const { workchain, hash } = placeOf(account);
    return {
      account: { workchain, hash },
      run: {
        code: codeTexts.textOf({ cells, cell: code }),
        data: data < 0 ? EMPTY_CELL : bocText(cells, data),
        address: `${workchain}:${hash.toString('hex')}`,
        balance: account.balance.grams,
        extraCurrencies: readExtraCurrencies(cells, account.balance),
        utime: genUtime,
      },
      libraries: librariesIn(cells, code),
    };
  });
}

function placeOf({ address }: Account): AccountId {
  return address.kind === 'std' ? address : refuse('an account with an address of another length');
}

function bocText(cells: Cells, cell: number): string {
  return writeBoc({ cells, roots: [cell] }, { order: 'core', crc: false }).toString('base64');
}

/** Hashes of the libraries that a tree of cells names, looking at no more than a part of a large one. */
export function librariesIn(cells: Cells, root: number): Buffer[] {
  const found = new Map<string, Buffer>();
  const seen = new Set<number>();
  const search = (cell: number, depth: number): void => {
    if (depth === 0 || found.size >= MAX_LIBRARIES || seen.size >= MAX_SEARCHED_CELLS || seen.has(cell))
      return;
    seen.add(cell);
    if (cells.isExotic(cell)) {
      if (cells.kind(cell) !== LIBRARY_REFERENCE) return;
      const start = cells.starts[cell]! + 1;
      const hash = Buffer.from(cells.bytes.subarray(start, start + 32));
      found.set(hash.toString('hex'), hash);
      return;
    }
    for (let i = 0; i < cells.refCount(cell); i++) search(cells.ref(cell, i), depth - 1);
  };
  search(root, MAX_SEARCH_DEPTH);
  return [...found.values()];
}
