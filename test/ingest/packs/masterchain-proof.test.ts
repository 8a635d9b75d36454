import { readFileSync } from 'node:fs';
import { beginCell, Cell, Dictionary, type Slice } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { createMasterchainProver } from '../../../src/ingest/fetch/packs/masterchain-proof.ts';
import { findBag, findPacks } from '../../../src/ingest/fetch/packs/pack-folder.ts';
import { createPackIndex } from '../../../src/ingest/fetch/packs/pack-index.ts';
import { createEntryReader } from '../../../src/ingest/fetch/packs/package-file.ts';
import { MAINNET_PACKS, missingPacks, REAL_CONFIG, REAL_PACKS } from '../../support/pack-files.ts';

const NOBODY = async () => false;

function zeroStateOf(rootHash: Buffer, fileHash: Buffer): BlockId {
  return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 0, rootHash, fileHash };
}

const mainnet = () =>
  zeroStateOf(
    Buffer.from('F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=', 'base64'),
    Buffer.from('5E994FCF4D425C0A6CE6A792594B7173205F740A39CD56F537DEFD28B48A0F6E', 'hex'),
  );

function realNetwork(): BlockId {
  const { root_hash, file_hash } = JSON.parse(readFileSync(REAL_CONFIG, 'utf8')).validator.zero_state;
  return zeroStateOf(Buffer.from(root_hash, 'base64'), Buffer.from(file_hash, 'base64'));
}

interface Knowledge {
  readonly hasZeroState?: boolean;
  readonly trusted?: readonly BlockId[];
  /** Seqnos without a proof. */
  readonly without?: readonly number[];
}

async function open(folder: string, zeroState: BlockId, knowledge: Knowledge = {}) {
  const { hasZeroState = true, trusted = [], without = [] } = knowledge;
  const packs = await findPacks([folder]);
  const index = createPackIndex(packs, ({ reason }) => expect.fail(reason));
  const proofOf = async (seqno: number) => {
    const reader = createEntryReader();
    const [entry] = await index.proofs(seqno);
    const proof = { id: entry!.id, bytes: await reader.read(entry!) };
    await reader.close();
    return proof;
  };
  const root = readBoc((await findBag(packs, zeroState.fileHash))!);
  const prover = createMasterchainProver({
    zeroState,
    zeroStateRoot: hasZeroState ? { cells: root, cell: root.root } : undefined,
    trusted,
    isIndexed: NOBODY,
    readProofs: async (seqno) => (without.includes(seqno) ? [] : [(await proofOf(seqno)).bytes]),
    readBlocks: async () => [],
  });
  return { prover, proofOf };
}

const PAIR_BITS = 256 + 4 + 512;

/** A proof with other signatures. */
function withSignatures(proof: Buffer, change: (pairs: Slice[]) => Slice[]): Buffer {
  const [root] = Cell.fromBoc(proof);
  const [shown, signatures] = root!.refs as [Cell, Cell];
  const slice = signatures.beginParse();
  const head = slice.loadBits(8 + 32 + 32);
  slice.skip(32);
  const weight = slice.loadBits(64);
  const value = {
    parse: (pair: Slice) => beginCell().storeBits(pair.loadBits(PAIR_BITS)).asSlice(),
    serialize: (pair: Slice, builder: ReturnType<typeof beginCell>) => void builder.storeSlice(pair),
  };
  const list = slice.loadDict(Dictionary.Keys.Uint(16), value);
  const pairs = change([...list].map(([, pair]) => pair));
  const changed = Dictionary.empty(Dictionary.Keys.Uint(16), value);
  for (const [i, pair] of pairs.entries()) changed.set(i, pair);
  const rest = beginCell()
    .storeBits(head)
    .storeUint(pairs.length, 32)
    .storeBits(weight)
    .storeDict(changed)
    .storeSlice(slice);
  return beginCell().storeBits(root!.bits).storeRef(shown).storeRef(rest.endCell()).endCell().toBoc();
}

describe.skipIf(missingPacks !== '')(`proofs of masterchain blocks in packs${missingPacks}`, () => {
  it('are right with the signatures of the validators of the zero state', async () => {
    const { prover, proofOf } = await open(MAINNET_PACKS, mainnet());
    for (const seqno of [1, 50, 99]) {
      const { id, bytes } = await proofOf(seqno);
      await prover.prove(id, bytes);
      await prover.prove(
        id,
        withSignatures(bytes, (pairs) => pairs),
      );
    }
  });

  it('are refused when too few signed, a signature is wrong, or they are of another block', async () => {
    const { prover, proofOf } = await open(MAINNET_PACKS, mainnet());
    const { id, bytes } = await proofOf(99);
    const few = withSignatures(bytes, (pairs) => pairs.slice(0, 2));
    await expect(prover.prove(id, few)).rejects.toThrow('too small sig weight');
    const twice = withSignatures(bytes, ([first, ...others]) => [first!, first!, ...others]);
    await expect(prover.prove(id, twice)).rejects.toThrow('duplicate node');
    const other = await proofOf(98);
    const foreign = withSignatures(bytes, () => {
      let pairs: Slice[] = [];
      withSignatures(other.bytes, (found) => {
        pairs = found;
        return found;
      });
      return pairs;
    });
    await expect(prover.prove(id, foreign)).rejects.toThrow('bad signature');
    await expect(prover.prove(id, other.bytes)).rejects.toThrow('the proof is that of');
    await expect(prover.prove({ ...id, fileHash: Buffer.alloc(32) }, bytes)).rejects.toThrow(
      'proof is that of',
    );
    await expect(prover.prove(id, bytes.subarray(1))).rejects.toThrow('not a bag of cells');
  });

  it('are refused for a block of another network', async () => {
    const { prover } = await open(MAINNET_PACKS, mainnet());
    const { proofOf } = await open(REAL_PACKS, realNetwork());
    const { id, bytes } = await proofOf(99);
    await expect(prover.prove(id, bytes)).rejects.toThrow('another validator set');
  });

  it('are right with simplex signatures, also after another key block', async () => {
    const { prover, proofOf } = await open(REAL_PACKS, realNetwork());
    for (const seqno of [1, 437, 438, 536]) {
      const { id, bytes } = await proofOf(seqno);
      await prover.prove(id, bytes);
      await expect(
        prover.prove(
          id,
          withSignatures(bytes, () => []),
        ),
      ).rejects.toThrow('too small sig weight');
    }
  });

  it('need the key block before them, which the zero state or a trusted block proves', async () => {
    const network = realNetwork();
    const { proofOf } = await open(REAL_PACKS, network);
    const { id, bytes } = await proofOf(500);
    const lost = await open(REAL_PACKS, network, { without: [437] });
    await expect(lost.prover.prove(id, bytes)).rejects.toThrow('no pack has a proof of key block 437');
    const blind = await open(REAL_PACKS, network, { hasZeroState: false });
    await expect(blind.prover.prove(id, bytes)).rejects.toThrow('the zero state of the masterchain');
    const trusting = await open(REAL_PACKS, network, {
      hasZeroState: false,
      trusted: [(await proofOf(437)).id],
    });
    await trusting.prover.prove(id, bytes);
  });
});
