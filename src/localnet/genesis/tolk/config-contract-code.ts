import type { CompiledCode } from '../../contracts/compiled-code.ts';

/** config-contract.tolk, compiled by test/localnet/genesis/compile-contracts.ts. */
export const CONFIG_CONTRACT_CODE: CompiledCode = {
  hash: 'uyzmjrdLGyAAblKadBCSSBaaewCXYRcJGQN9Vds4/VY=',
  boc: 'te6ccgECDAEAARoAART/APSkE/S88sgLAQIBIAIDAgFIBAUCAvEKCwICzwYHAgEgCAkACww+JHyQIADRCGCEENmZ0S6lGwh1NHgUSGCEENmUCG6mzEB0h/U0QKAIPQVjj6EDwKCEENmZ3O6EvL0AfQE0SCAIPSEb6WQjiAB9ATRIG6YMFIDgCD0WjCXVCAEgCD0FeJRIYAg9HhvpehfA+IgbvJogABu+ZL9qJoahjpj+n/mOjAA1v01PaiaGppj5jp/5jowBB6BjfQyWpoyRg28UAAMMIACbIMI1xggyM75FgHTH9Mf0x/4I1i78qPtRNDU0x/T/9FRQbryoVQVY/kQ8qL4AASkI8jMIc8LHyLPC//J7VT4D0M08AHIzBLLH8v/ye1Ug',
};
