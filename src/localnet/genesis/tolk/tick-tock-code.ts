import type { CompiledCode } from '../../contracts/compiled-code.ts';

/** tick-tock.tolk, compiled by test/localnet/genesis/compile-contracts.ts. */
export const TICK_TOCK_CODE: CompiledCode = {
  hash: 'FE2C6lVMSXmYHY/z3Tce3pT0GZOr4Q5v+cFgAnvyGNc=',
  boc: 'te6ccgEBCAEAXgABFP8A9KQT9LzyyAsBAgEgAgMCAUgEBQA5pf//dqJoaZ/pn+iBSQDSSVIA8QDkZZ/ln+T2qkAACtAw+JHcAgFmBgcAF7RUfaiaGmfmOmf6MAAXtKddqJoaZ/pn5jow',
};
