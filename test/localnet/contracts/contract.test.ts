import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { readTokenContent } from '../../../src/chain/contracts/token-content.ts';
import { onChainContent } from '../../../src/localnet/contracts/contract.ts';
import { offChainContent } from '../support/contract-messages.ts';

describe('token content', () => {
  it('is read back as it was written', () => {
    const attributes = { name: 'Demo', description: 'длинно '.repeat(60), decimals: '9' };
    const onChain = fromCoreCell(onChainContent(attributes));
    expect(readTokenContent(onChain, onChain.root)).toEqual({ type: 'onchain', attributes });
    const uri = `https://example.test/${'a'.repeat(300)}`;
    const offChain = fromCoreCell(offChainContent(uri));
    expect(readTokenContent(offChain, offChain.root)).toEqual({ type: 'offchain', uri });
  });
});
