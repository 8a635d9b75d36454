import type { CellRef, Cells } from '../boc/cells.ts';
import { writeBoc } from '../boc/writer.ts';
import { readAccount } from '../tlb/account.ts';
import { readExtraCurrencies } from '../tlb/currency.ts';
import { readMethodIds } from './method-ids.ts';

/** The parts of an account state that blocks may leave out; undefined where the account has none. */
export type AccountCells = Readonly<ReturnType<typeof accountCells>>;

/** A complete contract code as a bag of cells in tonlib order, without a checksum. */
export interface ContractCode {
  readonly hash: Buffer;
  readonly boc: Buffer;
  /** Ids of its get-methods; undefined when the code has no method dictionary. */
  readonly methods: readonly number[] | undefined;
}

/** Reads these parts from a complete Account cell. */
export function accountCells({ cells, cell }: CellRef) {
  const account = readAccount(cells, cell);
  const balanceExtra = account && extraJson(cells, account.balance.extra);
  const { code, data } = account?.state.kind === 'active' ? account.state.init : { code: -1, data: -1 };
  return {
    code: code < 0 ? undefined : contractCode(cells, code),
    data: data < 0 ? undefined : bocOf(cells, data),
    balanceExtra,
  };
}

/** Reads a code with its methods. */
export function contractCode(cells: Cells, root: number): ContractCode {
  const boc = bocOf(cells, root);
  return { hash: Buffer.from(cells.hash(root, 0)), boc, methods: readMethodIds(boc) };
}

function bocOf(cells: Cells, root: number): Buffer {
  return writeBoc({ cells, roots: [root] }, { order: 'tonlib', crc: false });
}

/** Extra currencies as JSON `{"<id>":"<amount>"}`, from the root of their dictionary (-1 for none); undefined without any. */
export function extraJson(cells: Cells, extra: number): string | undefined {
  if (extra < 0) return undefined;
  const entries = readExtraCurrencies(cells, { grams: 0n, extra }).map(
    (one) => `"${one.id}":"${one.amount}"`,
  );
  return entries.length === 0 ? undefined : `{${entries.join()}}`;
}
