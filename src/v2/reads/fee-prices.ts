import { configParam } from '../../chain/tlb/config.ts';
import { type ForwardPrices, readForwardPrices } from '../../chain/tlb/config-forward-prices.ts';
import { type GasPrices, readGasPrices } from '../../chain/tlb/config-gas-prices.ts';
import { readStoragePrices, type StoragePrices } from '../../chain/tlb/config-storage-prices.ts';
import type { FoundCell } from '../../lite/proofs/open-proof.ts';
import { internalFault } from './internal-fault.ts';

/** What things cost. */
export interface FeePrices {
  readonly storage: readonly StoragePrices[];
  /** For an account of the masterchain, or of any other workchain. */
  readonly gas: GasPrices;
  /** For a message that stays out of the masterchain. */
  readonly forward: ForwardPrices;
  /** For a message to or from the masterchain. */
  readonly masterchainForward: ForwardPrices;
  /** The one of the two for a message from outside to the account. */
  readonly importing: ForwardPrices;
}

/** Reads the prices that a configuration sets for an account. */
export function readFeePrices({ cells, cell }: FoundCell, isMasterchain: boolean): FeePrices {
  const param = (index: number): number => {
    const found = configParam(cells, cell, index);
    if (found < 0) throw internalFault(`configuration parameter ${index} is absent`);
    return found;
  };
  const forward = readForwardPrices(cells, param(25));
  const masterchainForward = readForwardPrices(cells, param(24));
  return {
    storage: readStoragePrices(cells, param(18)),
    gas: readGasPrices(cells, param(isMasterchain ? 20 : 21)),
    forward,
    masterchainForward,
    importing: isMasterchain ? masterchainForward : forward,
  };
}
