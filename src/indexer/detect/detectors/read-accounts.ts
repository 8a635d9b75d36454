import { accountKey } from '../../../chain/address/account-key.ts';
import { orNotThat, refuse } from '../../../chain/contracts/not-that.ts';
import type { CellEntry } from '../../../chain/stack/stack-entry.ts';
import { walkDictionary } from '../../../chain/tlb/dictionary.ts';
import { readMsgAddress } from '../../../chain/tlb/msg-address.ts';

const INDEX_BITS = 8;

/** The accounts of a dictionary by numbers of 8 bits, in the order of the numbers; none for no dictionary. */
export function readAccounts(dictionary: CellEntry | undefined): Buffer[] {
  const accounts: Buffer[] = [];
  if (dictionary === undefined) return accounts;
  orNotThat(() =>
    walkDictionary(dictionary.cells, dictionary.cell, INDEX_BITS, (_, value) => {
      const address = readMsgAddress(value);
      if (address.kind !== 'std' || address.anycast !== undefined) refuse('an account expected');
      else accounts.push(accountKey(address.workchain, address.hash));
      value.end();
    }),
  );
  return accounts;
}
