import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BlockId, sameBlock } from '../../src/chain/block-id.ts';
import { LiteServerError } from '../../src/lite/errors.ts';
import { createHeadProofStore, createHeadProver } from '../../src/lite/head-proof.ts';
import type { PartialBlockProof } from '../../src/lite/methods/block-proofs.ts';
import { encodeResponse } from '../../src/lite/methods/codec.ts';
import { ProofFailure, type QueryServer } from '../../src/lite/methods/proofs.ts';
import { decodeRequest } from '../support/lite-server.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import {
  createSignedChain,
  type SignedChain,
  signBlock,
  type TestValidator,
  testValidator,
} from '../support/signed-chain.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';

const OLD = ['anna', 'boris', 'clara'].map((name, i) => testValidator(name, BigInt(10 + i)));
const NEW = ['dora', 'emil', 'frieda', 'georg'].map((name, i) => testValidator(name, BigInt(20 + i)));
const LATEST = ['hanna', 'igor'].map((name) => testValidator(name, 5n));

/** A chain whose validators change twice; the head is a few blocks after the second change. */
function grow(chain: SignedChain): BlockId {
  for (let i = 0; i < 3; i++) chain.addBlock();
  chain.addBlock({ validators: NEW });
  for (let i = 0; i < 3; i++) chain.addBlock();
  chain.addBlock({ validators: LATEST });
  chain.addBlock();
  return chain.addBlock();
}

describe('createHeadProver', () => {
  let folder: string;
  let requests: number;
  const log = createQuietLog();
  beforeEach(async () => {
    requests = 0;
    folder = makeTemporaryDirectory('head');
  });
  afterEach(() => removeTemporaryDirectory(folder));

  const memoryFile = () => join(folder, 'proven', 'head.json');
  const prover = (anchor: BlockId) =>
    createHeadProver({ anchor, store: createHeadProofStore(memoryFile(), log), log });

  /** A server of a chain, whose proofs may be changed on the way. */
  function serverOf(chain: SignedChain, change = (proof: PartialBlockProof) => proof): QueryServer {
    return async (bytes) => {
      requests++;
      const request = decodeRequest(bytes);
      if (request.method !== 'getBlockProof') throw new Error(`unexpected ${request.method}`);
      const answer = change(chain.proof(request.knownBlock, request.targetBlock!));
      return encodeResponse('getBlockProof', answer);
    };
  }

  it.each([
    { form: 'ordinary', shuffle: false },
    { form: 'ordinary', shuffle: true },
    { form: 'simplex', shuffle: false },
    { form: 'simplex', shuffle: true },
  ] as const)('proves a head from the zero state through two changes of validators: %o', async (options) => {
    const chain = createSignedChain(OLD, options);
    const head = grow(chain);
    const subject = await prover(chain.zeroState);
    await subject.prove(serverOf(chain), head);
    expect(subject.keyBlock.seqno).toBe(8);
    expect(requests).toBe(1);
    // And on, with the chain.
    await subject.prove(serverOf(chain), chain.addBlock());
    expect(requests).toBe(2);
  });

  it('uses several partial proofs', async () => {
    const chain = createSignedChain(OLD, { form: 'simplex', maxLinks: 1 });
    const head = grow(chain);
    await (await prover(chain.zeroState)).prove(serverOf(chain), head);
    expect(requests).toBe(3);
  });

  it('continues from the last key block after a restart, for the same anchor only', async () => {
    const chain = createSignedChain(OLD, { form: 'ordinary' });
    const head = grow(chain);
    await (await prover(chain.zeroState)).prove(serverOf(chain), head);
    const again = await prover(chain.zeroState);
    expect(again.keyBlock.seqno).toBe(8);
    const other = createSignedChain(NEW, { form: 'ordinary' });
    expect(sameBlock((await prover(other.zeroState)).keyBlock, other.zeroState)).toBe(true);
  });

  it('starts from the anchor when the stored key block is damaged', async () => {
    const chain = createSignedChain(OLD, { form: 'ordinary' });
    const head = grow(chain);
    await (await prover(chain.zeroState)).prove(serverOf(chain), head);
    await writeFile(memoryFile(), '{"anchor"');
    const again = await prover(chain.zeroState);
    expect(again.keyBlock.seqno).toBe(0);
    await again.prove(serverOf(chain), head);
    expect(again.keyBlock.seqno).toBe(8);
  });

  it('proves a block once for all servers, also concurrently', async () => {
    const chain = createSignedChain(OLD, { form: 'ordinary' });
    const head = grow(chain);
    const subject = await prover(chain.zeroState);
    await Promise.all([1, 2, 3].map(() => subject.prove(serverOf(chain), head)));
    await subject.prove(serverOf(chain), head);
    expect(requests).toBe(1);
  });

  it('proves a block with a second server when the concurrent proof of the first one is wrong', async () => {
    const chain = createSignedChain(OLD, { form: 'ordinary' });
    const head = grow(chain);
    const subject = await prover(chain.zeroState);
    const liar = serverOf(chain, (proof) => ({ ...proof, steps: proof.steps.slice(1) }));
    const [first, second] = await Promise.allSettled([
      subject.prove(liar, head),
      subject.prove(serverOf(chain), head),
    ]);
    expect(first).toMatchObject({ status: 'rejected', reason: { name: 'ProofFailure' } });
    expect(second).toMatchObject({ status: 'fulfilled' });
  });

  it('refuses another block with the seqno of a proven one', async () => {
    const chain = createSignedChain(OLD, { form: 'ordinary' });
    const head = grow(chain);
    const subject = await prover(chain.zeroState);
    await subject.prove(serverOf(chain), head);
    const other = { ...head, fileHash: Buffer.alloc(32, 1) };
    await expect(subject.prove(serverOf(chain), other)).rejects.toThrow(/is proven already/);
  });

  it('throws the refusal of a server unchanged', async () => {
    const chain = createSignedChain(OLD, { form: 'ordinary' });
    const head = grow(chain);
    const refusal = new LiteServerError(651, 'block is not applied');
    const subject = await prover(chain.zeroState);
    await expect(subject.prove(() => Promise.reject(refusal), head)).rejects.toBe(refusal);
  });

  describe('refuses a proof', () => {
    const chain = createSignedChain(OLD, { form: 'simplex' });
    const head = grow(chain);
    const last = chain.proof(chain.zeroState, head).steps.at(-1)!;
    /** Replaces the last step, to the head. */
    const withLast = (change: object) => (proof: PartialBlockProof) => ({
      ...proof,
      steps: [...proof.steps.slice(0, -1), { ...last, ...change }] as PartialBlockProof['steps'],
    });
    const signedBy = (signers: readonly TestValidator[]) => {
      if (last.kind !== 'forward') throw new Error('not a step forward');
      const { catchainSeqno, validatorSetHash } = last.signatures;
      return withLast({ signatures: signBlock('simplex', head, signers, catchainSeqno, validatorSetHash) });
    };
    const lies: [string, RegExp, (proof: PartialBlockProof) => PartialBlockProof][] = [
      ['without a step', /does not begin where/, (p) => ({ ...p, steps: p.steps.slice(1) })],
      ['without its last step', /ends at another block/, (p) => ({ ...p, steps: p.steps.slice(0, -1) })],
      [
        'that ends early and calls itself complete',
        /complete block proof chain/,
        (p) => ({ ...p, to: p.steps[0]!.to, steps: p.steps.slice(0, 1) }),
      ],
      ['without any step', /ends at another block|empty proof chain/, (p) => ({ ...p, steps: [] })],
      ['that starts elsewhere', /starts from block/, (p) => ({ ...p, from: head })],
      ['signed by former validators', /unknown node/, signedBy(NEW)],
      ['signed by half of the weight', /too small sig weight/, signedBy(LATEST.slice(0, 1))],
      ['signed twice by one', /duplicate node/, signedBy([LATEST[0]!, LATEST[0]!])],
      ['not signed at all', /too small sig weight/, signedBy([])],
      ['with a header that calls it no key block', /is_key_block/, withLast({ toKeyBlock: true })],
      [
        'with the configuration of another block',
        /incorrect root hash/,
        withLast({ configProof: last.destProof }),
      ],
      [
        'with the header of another block',
        /incorrect root hash/,
        withLast({ destProof: chain.proof(chain.zeroState, head).steps[0]!.destProof }),
      ],
    ];
    it.each(lies)('%s', async (_, text, change) => {
      const subject = await prover(chain.zeroState);
      const failure = await subject.prove(serverOf(chain, change), head).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ProofFailure);
      expect((failure as Error).message).toMatch(/^VALIDATE_BLOCK_PROOF/);
      expect((failure as Error).message).toMatch(text);
    });

    it('that leaves out a key block, though its validators signed', async () => {
      // The same validators stay over the key block: only the header tells that it was passed over.
      const same = createSignedChain(OLD, { form: 'ordinary' });
      same.addBlock({ validators: OLD });
      const target = same.addBlock();
      const honest = same.proof(same.zeroState, target);
      const direct = {
        ...honest.steps[1]!,
        from: same.zeroState,
        configProof: (honest.steps[0] as { configProof: Buffer }).configProof,
      };
      const subject = await prover(same.zeroState);
      const liar = serverOf(same, (proof) => ({ ...proof, steps: [direct] }));
      await expect(subject.prove(liar, target)).rejects.toThrow(/does not start from the key block before/);
    });
  });
});
