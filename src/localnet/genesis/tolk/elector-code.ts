import type { CompiledCode } from '../../contracts/compiled-code.ts';

/** elector.tolk, compiled by test/localnet/genesis/compile-contracts.ts. */
export const ELECTOR_CODE: CompiledCode = {
  hash: '5Cq+5mqpow1t4KEDNEQr/kzXqjtm/KGRBOmONkGc4N0=',
  boc: 'te6ccgEBFAEAfQABFP8A9KQT9LzyyAsBAgEgAgMCAUgEBQAJpf//GEAACtAw+JHcAgEgBgcCASAICQIBIBARAgFYCgsCAnIMDQAHsKIbYAAHs6WbYAIBag4PAAirLDBwAAW4dwgAEbqnBUcABtUxGAAHuYdW2AIBWBITAAewpVtgAAmz4AwcIA==',
};
