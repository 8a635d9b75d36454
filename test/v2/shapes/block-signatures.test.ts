import { describe, expect, it } from 'vitest';
import { compileSerializer } from '../../../src/http/serializer.ts';
import { BlockSignatures, blockSignatures } from '../../../src/v2/shapes/block-signatures.ts';
import { createSignedChain, testValidator } from '../../support/masterchain/signed-chain.ts';
import { blockJson } from '../support/block-json.ts';

const VALIDATOR = testValidator('anna', 10n);
const write = compileSerializer(BlockSignatures);

describe('the signatures of a block in an answer', () => {
  it.each(['ordinary', 'simplex'] as const)('are those of its consensus: %s', (form) => {
    const chain = createSignedChain([VALIDATOR], { form });
    const block = chain.addBlock();
    const [step] = chain.proof(chain.zeroState, block).steps;
    if (step?.kind !== 'forward') throw new Error('the chain goes forward');
    const set = step.signatures;
    const [{ nodeIdShort, signature }] = set.signatures as [(typeof set.signatures)[0]];
    const shared = {
      id: blockJson(block),
      signatures: [
        {
          '@type': 'blocks.signature',
          node_id_short: nodeIdShort.toString('base64'),
          signature: signature.toString('base64'),
        },
      ],
    };
    expect(JSON.parse(write(blockSignatures(block, set)))).toEqual(
      set.kind === 'ordinary'
        ? { '@type': 'blocks.blockSignatures', ...shared }
        : {
            '@type': 'blocks.blockSignatures.simplex',
            ...shared,
            session_id: set.sessionId.toString('base64'),
            slot: set.slot,
            candidate: set.candidate.toString('base64'),
          },
    );
  });
});
