import type { GasPrices } from '../tlb/config-gas-prices.ts';
import { priceOf } from './price-of.ts';

/** What an amount of gas costs, in nanotons. */
export function gasFee(gas: bigint, { flatGasLimit, flatGasPrice, gasPrice }: GasPrices): bigint {
  return gas <= flatGasLimit ? flatGasPrice : flatGasPrice + priceOf(gasPrice * (gas - flatGasLimit));
}

/** How much gas an amount of nanotons buys, up to the limit of a transaction. */
export function gasBought(nanotons: bigint, prices: GasPrices): bigint {
  const { flatGasLimit, flatGasPrice, gasPrice, gasLimit } = prices;
  if (nanotons >= gasFee(gasLimit, prices)) return gasLimit;
  if (nanotons < flatGasPrice) return 0n;
  return ((nanotons - flatGasPrice) << 16n) / gasPrice + flatGasLimit;
}
