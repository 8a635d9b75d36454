import { readAccount } from '../../chain/tlb/account.ts';
import type { StorageInfo } from '../../chain/tlb/storage-info.ts';
import type { ExternalParts } from '../../chain/tlb-write/external-message.ts';
import type { ProvenAccount } from '../../lite/proofs/account-state.ts';
import type { FoundCell } from '../../lite/proofs/open-proof.ts';
import { proving } from '../../lite/proofs/proof-scope.ts';

/** What an estimate needs of an account. */
export interface FeePayer {
  readonly code: FoundCell | undefined;
  readonly data: FoundCell | undefined;
  readonly balance: bigint;
  /** The root of a dictionary. */
  readonly extraCurrencies: FoundCell | undefined;
  readonly storage: Pick<StorageInfo, 'usedCells' | 'usedBits' | 'lastPaid'>;
  /** When the block was made that the account was read from, in unix seconds. */
  readonly utime: number;
}

const NOBODY = {
  ...{ code: undefined, data: undefined, balance: 0n, extraCurrencies: undefined },
  storage: { usedCells: 0, usedBits: 0, lastPaid: 0 },
};

/** Reads who would pay for a message. Its init takes the place of code and data, whatever the account has. */
export function readFeePayer(proven: ProvenAccount, init: ExternalParts['init']): FeePayer {
  return {
    ...readExisting(proven),
    ...(init && {
      code: { cells: init.code, cell: init.code.root },
      data: { cells: init.data, cell: init.data.root },
    }),
    utime: proven.genUtime,
  };
}

function readExisting({ account: found }: ProvenAccount): Omit<FeePayer, 'utime'> {
  if (found === undefined) return NOBODY;
  const { cells } = found;
  return proving('VALIDATE_ACCOUNT_STATE', () => {
    const account = readAccount(cells, found.cell);
    if (account === undefined) return NOBODY;
    const { balance, state, storageInfo: storage } = account;
    const at = (cell: number): FoundCell | undefined => (cell < 0 ? undefined : { cells, cell });
    return {
      code: state.kind === 'active' ? at(state.init.code) : undefined,
      data: state.kind === 'active' ? at(state.init.data) : undefined,
      balance: balance.grams,
      extraCurrencies: at(balance.extra),
      storage,
    };
  });
}
