import { beginCell, type Cell, contractAddress } from '@ton/core';
import { codeCell } from '../contracts/compiled-code.ts';
import type { GenesisAccount } from './genesis-accounts.ts';
import { CONFIG_CONTRACT_CODE } from './tolk/config-contract-code.ts';
import { ELECTOR_CODE } from './tolk/elector-code.ts';
import { TICK_TOCK_CODE } from './tolk/tick-tock-code.ts';

/** The account of the configuration contract, in the masterchain as all here. */
export const CONFIG_ID: Buffer = Buffer.alloc(32, 0x55);

/** The account of the elector. */
export const ELECTOR_ID: Buffer = Buffer.alloc(32, 0x33);

const MASTERCHAIN = -1;
const TON = 10n ** 9n;

/** The configuration contract; `config` is the root of the dictionary of parameters. */
export function configAccount(config: Cell, adminPublicKey: Buffer): GenesisAccount {
  // Nodes take the configuration from the first reference.
  const data = beginCell().storeRef(config).storeUint(0, 32).storeBuffer(adminPublicKey, 32).endCell();
  return {
    workchain: MASTERCHAIN,
    id: CONFIG_ID,
    balance: 10n * TON,
    code: codeCell(CONFIG_CONTRACT_CODE),
    data,
    special: { tick: false, tock: true },
  };
}

/** What stands in for the elector. */
export function electorAccount(): GenesisAccount {
  return {
    workchain: MASTERCHAIN,
    id: ELECTOR_ID,
    balance: 10n * TON,
    code: codeCell(ELECTOR_CODE),
    data: beginCell().endCell(),
    special: { tick: true, tock: false },
  };
}

/** A contract that counts ticks and tocks. */
export function tickTockAccount(): GenesisAccount {
  const init = {
    code: codeCell(TICK_TOCK_CODE),
    data: beginCell().storeUint(0, 64).storeUint(0, 64).endCell(),
    special: { tick: true, tock: true },
  };
  return { workchain: MASTERCHAIN, id: contractAddress(MASTERCHAIN, init).hash, balance: TON, ...init };
}
