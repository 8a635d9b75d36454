import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PartialBlockProof } from '../../../src/chain/tl/block-proofs.ts';
import { decodeAnswer } from '../../../src/chain/tl/lite-codec.ts';
import { ProofFailure } from '../../../src/lite/errors.ts';
import { createHeadProver } from '../../../src/lite/proofs/head-prover.ts';
import { createMutator } from '../../support/fuzz/mutate-bytes.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { missingNetwork, RECORDED_NETWORK } from '../../support/recorded-network.ts';

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

/** Proves what a recorded answer proves, through a prover that trusts its start. */
async function prove(bytes: Buffer, { from, to }: PartialBlockProof): Promise<void> {
  const log = createQuietLog();
  const memory = { load: async () => undefined, save: async () => undefined };
  const prover = await createHeadProver({ anchor: from, memory, log });
  await prover.prove(async () => bytes, to);
}

describe.skipIf(missingNetwork !== '')(`block proofs of a recorded network${missingNetwork}`, () => {
  it.each(NAMES)('%s holds', async (name) => {
    const proof = decodeAnswer('getBlockProof', recorded(name));
    expect(proof.steps.length).toBeGreaterThan(0);
    await prove(recorded(name), proof);
  });

  it.each(NAMES)('%s fails when any bit of it is changed', async (name) => {
    const bytes = recorded(name);
    const honest = decodeAnswer('getBlockProof', bytes);
    const chance = createMutator(name.length);
    let refused = 0;
    for (let round = 0; round < 300; round++) {
      const bit = chance.below(bytes.length * 8);
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      const failure = await prove(flipped, honest).catch((error: unknown) => error);
      // Only padding between the fields may change.
      if (failure === undefined) expect(decodeAnswer('getBlockProof', flipped)).toEqual(honest);
      else expect(failure, `bit ${bit}`).toBeInstanceOf(ProofFailure);
      if (failure !== undefined) refused++;
    }
    expect(refused).toBeGreaterThan(250);
  });
});
