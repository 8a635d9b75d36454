import type { Cells } from '../../chain/boc/cells.ts';
import { librariesIn } from '../../chain/boc/libraries-in.ts';
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
