import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createHeadProver } from '../../../src/lite/head-proof.ts';
import { getBlockLinks, type PartialBlockProof } from '../../../src/lite/methods/block-proofs.ts';
import { type BlockLinkForward, decodeResponse, encodeResponse } from '../../../src/lite/methods/codec.ts';
import { ProofFailure, type QueryServer } from '../../../src/lite/methods/proofs.ts';
import { createSignersCache } from '../../../src/lite/methods/signatures.ts';
import { createMutator } from '../../support/fuzz/fuzz-decoder.ts';
import { decodeRequest } from '../../support/lite-server.ts';
import { sampled } from '../../support/long-run.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { missingNetwork, RECORDED_NETWORK } from '../../support/recorded-network.ts';
import { createSignedChain, type SignedChain, testValidator } from '../../support/signed-chain.ts';

const VALIDATORS = ['anna', 'boris', 'clara'].map((name, i) => testValidator(name, BigInt(10 + i)));
const checked = () => ({ verify: true, signersOf: createSignersCache() });
const unchecked = () => ({ verify: false, signersOf: createSignersCache() });

/** A server of a chain, whose proofs may be changed on the way. */
function serverOf(chain: SignedChain, change = (proof: PartialBlockProof) => proof): QueryServer {
  return async (bytes) => {
    const request = decodeRequest(bytes);
    if (request.method !== 'getBlockProof') throw new Error(`unexpected ${request.method}`);
    expect(request.mode).toBe(0x1001);
    return encodeResponse('getBlockProof', change(chain.proof(request.knownBlock, request.targetBlock!)));
  };
}

/** Two blocks after the zero state, the second without changes in between. */
function smallChain(form: 'ordinary' | 'simplex'): SignedChain {
  const chain = createSignedChain(VALIDATORS, { form });
  chain.addBlock();
  chain.addBlock();
  return chain;
}

/** Changed bits of each proof. */
const FLIPS = sampled(60, 300);

describe('getBlockLinks', () => {
  it.each(['ordinary', 'simplex'] as const)('returns steps with %s signatures', async (form) => {
    const chain = smallChain(form);
    const steps = await getBlockLinks(serverOf(chain), chain.zeroState, chain.head, checked());
    expect(steps).toMatchObject([{ kind: 'forward', to: chain.head, signatures: { kind: form } }]);
    expect((steps[0] as BlockLinkForward).signatures.signatures).toHaveLength(VALIDATORS.length);
  });

  it('checks each step, unless verify is off', async () => {
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

  it('refuses an incomplete proof', async () => {
    const chain = createSignedChain(VALIDATORS, { form: 'simplex', maxLinks: 1 });
    chain.addBlock({ validators: VALIDATORS });
    chain.addBlock();
    await expect(getBlockLinks(serverOf(chain), chain.zeroState, chain.head, checked())).rejects.toThrow(
      'VALIDATE_BLOCK_PROOFgot invalid proof chain',
    );
  });

  it('refuses steps that start or end at other blocks', async () => {
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

const NAMES = [
  'getBlockProof_30_to_100_0',
  'getBlockProof_F_to_10_0',
  'getBlockProof_F_to_zero_0',
  'getBlockProof_mode_0x1001_27_to_65',
  'getBlockProof_zero_to_F_0',
  'getBlockProof_zero_to_head_0',
];

function recorded(name: string): Buffer {
  const file = JSON.parse(readFileSync(new URL(`lite/${name}.json`, RECORDED_NETWORK), 'utf8'));
  return Buffer.from(file.response.tl_hex, 'hex');
}

/** Proves what a recorded response proves, through a prover that trusts its start. */
async function prove(bytes: Buffer, { from, to }: PartialBlockProof): Promise<void> {
  const log = createQuietLog();
  const memory = { load: async () => undefined, save: async () => undefined };
  const prover = await createHeadProver({ anchor: from, store: memory, log });
  await prover.prove(async () => bytes, to);
}

describe.skipIf(missingNetwork !== '')(`block proofs of a recorded network${missingNetwork}`, () => {
  it.each(NAMES)('%s is accepted', async (name) => {
    const proof = decodeResponse('getBlockProof', recorded(name));
    expect(proof.steps.length).toBeGreaterThan(0);
    await prove(recorded(name), proof);
  });

  it.each(NAMES)('%s is refused with any changed bit', async (name) => {
    const bytes = recorded(name);
    const honest = decodeResponse('getBlockProof', bytes);
    const chance = createMutator(name.length);
    let refused = 0;
    for (let round = 0; round < FLIPS; round++) {
      const bit = chance.below(bytes.length * 8);
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      const failure = await prove(flipped, honest).catch((error: unknown) => error);
      // Only padding between the fields may change.
      if (failure === undefined) expect(decodeResponse('getBlockProof', flipped)).toEqual(honest);
      else expect(failure, `bit ${bit}`).toBeInstanceOf(ProofFailure);
      if (failure !== undefined) refused++;
    }
    expect(refused).toBeGreaterThan((FLIPS * 5) / 6);
  });
});
