import { writeBoc } from '../../chain/boc/write-boc.ts';
import { readMethodIds } from '../../chain/contracts/method-ids.ts';
import { readAccount } from '../../chain/tlb/account.ts';
import type { FoundCell } from '../../lite/proofs/open-proof.ts';
import type { ContractCode } from '../decode/decoded-seqno.ts';
import { extraJson } from '../decode/extra-json.ts';

/** What blocks may leave out of the state of an account; each undefined where it has none. */
export interface AccountCells {
  readonly code: ContractCode | undefined;
  readonly data: Buffer | undefined;
  /** Extra currencies as JSON. */
  readonly balanceExtra: string | undefined;
}

/** Takes that out of an Account cell that has everything. */
export function accountCells({ cells, cell }: FoundCell): AccountCells {
  const account = readAccount(cells, cell);
  const balanceExtra = account && extraJson(cells, account.balance.extra);
  if (account?.state.kind !== 'active') return { code: undefined, data: undefined, balanceExtra };
  const { code, data } = account.state.init;
  const bocOf = (root: number) => writeBoc({ cells, roots: [root] }, { order: 'tonlib', crc: false });
  return {
    ...{ code: code < 0 ? undefined : contractCode(code), data: data < 0 ? undefined : bocOf(data) },
    balanceExtra,
  };

  function contractCode(root: number): ContractCode {
    const boc = bocOf(root);
    return { hash: Buffer.from(cells.hash(root, 0)), boc, methods: readMethodIds(boc) };
  }
}
