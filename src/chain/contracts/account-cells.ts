import type { CellRef, Cells } from '../boc/cells.ts';
import { writeBoc } from '../boc/writer.ts';
import { readAccount } from '../tlb/account.ts';
import { readExtraCurrencies } from '../tlb/currency.ts';
import { readMethodIds } from './method-ids.ts';

/** A complete contract code as a bag of cells in tonlib order, without a checksum. */
export interface ContractCode {
  readonly hash: Buffer;
  readonly boc: Buffer;
  /** Ids of its get-methods; undefined when the code has no method dictionary. */
  readonly methods: readonly number[] | undefined;
}

/** The parts of an account state that blocks may leave out; undefined where the account has none. */
export interface AccountCells {
  readonly code: ContractCode | undefined;
  readonly data: Buffer | undefined;
  /** Extra currencies as JSON. */
  readonly balanceExtra: string | undefined;
}

/** Reads these parts from a complete Account cell. */
export function accountCells({ cells, cell }: CellRef): AccountCells {
  const account = readAccount(cells, cell);
  const balanceExtra = account && extraJson(cells, account.balance.extra);
  if (account?.state.kind !== 'active') return { code: undefined, data: undefined, balanceExtra };
  const { code, data } = account.state.init;
  const bocOf = (root: number) => writeBoc({ cells, roots: [root] }, { order: 'tonlib', crc: false });
  return {
    code: code < 0 ? undefined : contractCode(code),
    data: data < 0 ? undefined : bocOf(data),
    balanceExtra,
  };

  function contractCode(root: number): ContractCode {
    const boc = bocOf(root);
    return { hash: Buffer.from(cells.hash(root, 0)), boc, methods: readMethodIds(boc) };
  }
}

/** Extra currencies as JSON `{"<id>":"<amount>"}`, from the root of their dictionary (-1 for none); undefined without any. */
export function extraJson(cells: Cells, extra: number): string | undefined {
  if (extra < 0) return undefined;
  const entries = readExtraCurrencies(cells, { grams: 0n, extra }).map(
    (one) => `"${one.id}":"${one.amount}"`,
  );
  return entries.length === 0 ? undefined : `{${entries.join()}}`;
}
