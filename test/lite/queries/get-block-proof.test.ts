import { describe, expect, it } from 'vitest';
import type { BlockLinkForward, PartialBlockProof } from '../../../src/chain/tl/block-proofs.ts';
import { decodeRequest, encodeAnswer } from '../../../src/chain/tl/lite-codec.ts';
import { createSignersCache } from '../../../src/lite/proofs/signers-cache.ts';
import type { Ask } from '../../../src/lite/queries/ask.ts';
import { getBlockLinks } from '../../../src/lite/queries/get-block-proof.ts';
import {
  createSignedChain,
  type SignedChain,
  testValidator,
} from '../../support/masterchain/signed-chain.ts';

const VALIDATORS = ['anna', 'boris', 'clara'].map((name, i) => testValidator(name, BigInt(10 + i)));
const checked = () => ({ verify: true, signersOf: createSignersCache() });
const unchecked = () => ({ verify: false, signersOf: createSignersCache() });

/** A server of a chain, whose proofs may be changed on the way. */
function serverOf(chain: SignedChain, change = (proof: PartialBlockProof) => proof): Ask {
  return async (bytes) => {
    const request = decodeRequest(bytes);
    if (request.method !== 'getBlockProof') throw new Error(`unexpected ${request.method}`);
    expect(request.mode).toBe(0x1001);
    return encodeAnswer('getBlockProof', change(chain.proof(request.knownBlock, request.targetBlock!)));
  };
}

/** Two blocks after the zero state, the second without changes in between. */
function smallChain(form: 'ordinary' | 'simplex'): SignedChain {
  const chain = createSignedChain(VALIDATORS, { form });
  chain.addBlock();
  chain.addBlock();
  return chain;
}

describe('all steps between two masterchain blocks', () => {
  it.each(['ordinary', 'simplex'] as const)('end with %s signatures', async (form) => {
    const chain = smallChain(form);
    const steps = await getBlockLinks(serverOf(chain), chain.zeroState, chain.head, checked());
    expect(steps).toMatchObject([{ kind: 'forward', to: chain.head, signatures: { kind: form } }]);
    expect((steps[0] as BlockLinkForward).signatures.signatures).toHaveLength(VALIDATORS.length);
  });

  it('are each checked, unless nothing is', async () => {
    const chain = smallChain('ordinary');
    const server = serverOf(chain, (proof) => {
      const [step] = proof.steps as BlockLinkForward[];
      const signatures = step!.signatures.signatures.map((one) => ({ ...one, signature: Buffer.alloc(64) }));
      return { ...proof, steps: [{ ...step!, signatures: { ...step!.signatures, signatures } }] };
    });
    await expect(getBlockLinks(server, chain.zeroState, chain.head, checked())).rejects.toThrow(
      'VALIDATE_BLOCK_PROOFbad signature',
    );
    expect(await getBlockLinks(server, chain.zeroState, chain.head, unchecked())).toHaveLength(1);
  });

  it('must be all of them', async () => {
    const chain = createSignedChain(VALIDATORS, { form: 'simplex', linksPerAnswer: 1 });
    chain.addBlock({ validators: VALIDATORS });
    chain.addBlock();
    await expect(getBlockLinks(serverOf(chain), chain.zeroState, chain.head, checked())).rejects.toThrow(
      'VALIDATE_BLOCK_PROOFgot invalid proof chain',
    );
  });

  it('must begin and end at those blocks', async () => {
    const chain = smallChain('simplex');
    const elsewhere = serverOf(chain, (proof) => ({ ...proof, from: chain.head }));
    await expect(getBlockLinks(elsewhere, chain.zeroState, chain.head, unchecked())).rejects.toThrow(
      'block proof chain starts from block (-1,8000000000000000,2), not from requested block',
    );
    const short = serverOf(chain, () => chain.proof(chain.zeroState, chain.block(1)));
    await expect(getBlockLinks(short, chain.zeroState, chain.head, unchecked())).rejects.toThrow(
      'complete block proof chain ends at another block than the requested one',
    );
    const empty = serverOf(chain, (proof) => ({ ...proof, to: proof.from, complete: false, steps: [] }));
    await expect(getBlockLinks(empty, chain.zeroState, chain.head, unchecked())).rejects.toThrow(
      'empty proof chain',
    );
  });
});
