import type { CompiledCode } from '../compiled-code.ts';

/** nft-marketplace.tolk, compiled by test/localnet/contracts/compile-contracts.ts. */
export const NFT_MARKETPLACE_CODE: CompiledCode = {
  hash: 'l1j1YxycpX1qvvn3Ib6Tb2Kt/dl/lVaNhFrXBHjToMY=',
  boc: 'te6ccgECBwEAAS8AART/APSkE/S88sgLAQIC0gIDAec+JHyQCDXLCAonGyMjtwx0z/6SNIAAZPXTNDeXPAB+JeCEAX14QC+sJEx4w34J28Q+JehcvsC+JJtggiYloCLBMjPkX8w9FIXyz8U+lIU+lQT9AAB+gISzsnIz4UIEvpScc8LbszJgwb7AOAwhA8BxwDy9IAQAJwg10nBIJIwcODXCx+CEGxpc3S6gAf4w7UTQ+kjTENTR+JIE1ywjY0ubpPK/+gD6SNMQ0fgj+CgHyPpSE/pSFcsQFMsQFfpSEssfySTIz4EU+lIT+lJQA/oCcM8LX8zPgcmCCcnDgMjPiQgBUyPIz4TQzMz5Fs8L/wH6AoEAjM8LcCLPFCHPFMlx+wAByM+E0MzM+RbIBQEOic8Wy//PUAYAA4AQ',
};
