import { beginCell, type Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { configParam } from '../../../src/chain/tlb/config.ts';
import { readMcStateExtra, readMcStateInfo } from '../../../src/chain/tlb/masterchain-state.ts';
import { checkBlockBytes, checkZeroState } from '../../../src/lite/methods/blocks.ts';
import { checkConfig } from '../../../src/lite/methods/config.ts';
import { checkLibraries, checkLibrariesWithProof } from '../../../src/lite/methods/libraries.ts';
import { ProofFailure } from '../../../src/lite/methods/proofs.ts';
import { checkQueueSize } from '../../../src/lite/methods/queues.ts';
import { checkAllShards } from '../../../src/lite/methods/shards.ts';
import {
  answerAllShards,
  answerConfig,
  answerLibraries,
  answerQueueSize,
  libraryEntries,
} from '../../support/chain-builder/answers.ts';
import { buildBlock } from '../../support/chain-builder/block.ts';
import { bagOf, merkleProof, proofBag, showHeader } from '../../support/chain-builder/cells.ts';
import { LEFT, RIGHT, sampleChain } from '../../support/chain-builder/sample-chain.ts';
import { buildShardState } from '../../support/chain-builder/states.ts';

const ON = { verify: true };
const OFF = { verify: false };
const chain = sampleChain();
const { masterchain, shardBlocks, library, zeroState } = chain;
const head = masterchain.at(-1)!;
const [early] = masterchain;

/** The masterchain extra of a state, its last reference. */
const extraOf = (state: Cell) => state.refs[3]!;

describe('checkAllShards', () => {
  const beforeMerge = masterchain[4]!.id;

  it('returns the shards of a masterchain block from left to right', () => {
    const shards = checkAllShards(answerAllShards(chain, beforeMerge), beforeMerge, ON);
    expect(shards.map(({ shard, seqno }) => [shard, seqno])).toEqual([
      [LEFT, 5],
      [RIGHT, 5],
    ]);
    expect(checkAllShards(answerAllShards(chain, head.id), head.id, ON)).toMatchObject([
      { shard: WHOLE_SHARD, seqno: 6 },
    ]);
  });

  it('refuses the shards of another block', () => {
    const honest = answerAllShards(chain, beforeMerge);
    const other = answerAllShards(chain, head.id);
    const check = (answer: typeof honest) => () => checkAllShards(answer, beforeMerge, ON);
    expect(check(other)).toThrow('Liteserver responded with wrong block');
    expect(check({ ...honest, data: other.data })).toThrow("Block shards data and proof hashes don't match");
    expect(check({ ...honest, proof: other.proof })).toThrow('has incorrect root hash');
    const none = bagOf(beginCell().storeBit(0).endCell());
    expect(check({ ...honest, data: none })).toThrow('missing root reference');
    const longer = bagOf(beginCell().storeUint(2, 2).storeRef(beginCell()).endCell());
    expect(check({ ...honest, data: longer })).toThrow(ProofFailure);
    expect(checkAllShards({ ...honest, data: other.data }, beforeMerge, OFF)).toHaveLength(1);
    const [block] = shardBlocks;
    expect(() => checkAllShards({ ...honest, id: block!.id }, block!.id, ON)).toThrow(
      'only for a masterchain block',
    );
  });
});

describe('checkConfig', () => {
  const all = answerConfig(chain, head.id, 0);

  it('returns the params at the queried block', () => {
    const version = (at: typeof head) => {
      const { cells, cell } = checkConfig(answerConfig(chain, at.id, 0), { block: at.id, mode: 0 }, ON);
      return cells.bytes.readUInt32BE(cells.starts[configParam(cells, cell, 8)]! + 1);
    };
    expect([version(early!), version(head)]).toEqual([1, 2]);
  });

  it('returns the previous blocks if the mode asks for them', () => {
    const mode = 128;
    const { state } = checkConfig(answerConfig(chain, head.id, mode), { block: head.id, mode }, ON);
    const { lastKeyBlock } = readMcStateInfo(
      state!.cells,
      readMcStateExtra(state!.cells, state!.state.custom).info,
    );
    expect(lastKeyBlock?.seqno).toBe(3);
  });

  it('refuses missing params', () => {
    const some = answerConfig(chain, head.id, 0, [8]);
    const ask = (params?: number[]) => ({ block: head.id, mode: 0, params });
    expect(() => checkConfig(some, { block: head.id, mode: 0 }, ON)).toThrow(
      'VALIDATE_CONFIGa part of the configuration is left out',
    );
    expect(checkConfig(some, { ...ask(), params: [8] }, ON).block).toBe(head.id);
    const cutCell = [...head.parts.masterchain!.config.values()][0]!;
    const cut = merkleProof(head.state, [cutCell, head.state.refs[1]!]);
    const lie = { ...all, configProof: bagOf(cut) };
    expect(() => checkConfig(lie, { ...ask(), params: [0] }, ON)).toThrow('left out');
    const none = { ...all, configProof: bagOf(merkleProof(head.state, [extraOf(head.state)])) };
    expect(() => checkConfig(none, { ...ask(), params: [777] }, ON)).toThrow(
      'VALIDATE_CONFIGthe cell is pruned',
    );
  });

  it('refuses the configuration of another block or shard', () => {
    const other = answerConfig(chain, early!.id, 0);
    const question = { block: head.id, mode: 0 };
    expect(() => checkConfig(other, question, ON)).toThrow('wrong block');
    expect(() => checkConfig({ ...all, configProof: other.configProof }, question, ON)).toThrow(
      'state hash mismatch',
    );
    expect(() => checkConfig({ ...all, stateProof: Buffer.alloc(0) }, question, ON)).toThrow(ProofFailure);
    const [block] = shardBlocks;
    const shard = {
      mode: 0,
      id: block!.id,
      stateProof: proofBag(showHeader(block!.root)),
      configProof: bagOf(merkleProof(block!.state, [])),
    };
    expect(() => checkConfig(shard, { block: block!.id, mode: 0 }, ON)).toThrow(
      'not that of the masterchain',
    );
    expect(checkConfig({ ...all, configProof: other.configProof }, question, OFF).block).toBe(head.id);
  });

  it('accepts the configuration of a key block', () => {
    const key = masterchain[2]!;
    const question = { block: head.id, mode: 0x8000 };
    const answer = (block: typeof key) => ({
      mode: 0x8000,
      id: block.id,
      stateProof: Buffer.alloc(0),
      configProof: bagOf(merkleProof(block.root, [])),
    });
    expect(checkConfig(answer(key), question, ON).block).toEqual(key.id);
    expect(() => checkConfig(answer(head), question, ON)).toThrow('the block is not a key block');
    expect(() => checkConfig(answer(key), { ...question, block: early!.id }, ON)).toThrow('not one before');
    expect(() => checkConfig({ ...answer(key), stateProof: all.stateProof }, question, ON)).toThrow(
      'unexpected',
    );
  });
});

describe('checkLibraries and checkLibrariesWithProof', () => {
  const hash = library.hash();
  const other = Buffer.alloc(32, 9);
  const question = { block: head.id, hashes: [hash, other] };
  const honest = answerLibraries(chain, head.id, 0, question.hashes);

  it('return the libraries that exist', () => {
    expect(checkLibrariesWithProof(honest, question, ON).map((found) => found.hash)).toEqual([hash]);
    const before = answerLibraries(chain, early!.id, 0, [hash]);
    expect(checkLibrariesWithProof(before, { block: early!.id, hashes: [hash] }, ON)).toEqual([]);
    expect(checkLibraries({ result: libraryEntries(chain, [hash]) }, [other, hash], ON)).toHaveLength(1);
  });

  it('refuse a library that is hidden, made up, or another', () => {
    const [entry] = honest.result;
    const made = beginCell().storeUint(1, 8).endCell();
    const check =
      (answer: typeof honest, hashes = question.hashes) =>
      () =>
        checkLibrariesWithProof(answer, { block: head.id, hashes }, ON);
    expect(check({ ...honest, result: [] })).toThrow('library is found in proof but not in response');
    expect(check({ ...honest, result: [{ hash, data: bagOf(made) }] })).toThrow(
      'library hash mismatch data ',
    );
    expect(check({ ...honest, result: [entry!, entry!] })).toThrow('a library comes twice');
    expect(check({ ...honest, result: [{ hash: made.hash(), data: bagOf(made) }] })).toThrow('not requested');
    const asked = [hash, made.hash()];
    const added = {
      ...answerLibraries(chain, head.id, 0, asked),
      result: [entry!, { hash: made.hash(), data: bagOf(made) }],
    };
    expect(check(added, asked)).toThrow("library is included in response but it's not found in proof");
    expect(check({ ...honest, id: early!.id })).toThrow('wrong block');
  });

  it('refuse a library that is too deep', () => {
    let deep = beginCell().endCell();
    for (let i = 0; i <= 512; i++) deep = beginCell().storeRef(deep).endCell();
    const result = [{ hash: deep.hash(), data: deep.toBoc() }];
    expect(() => checkLibraries({ result }, [deep.hash()], ON)).toThrow('library depth is too big');
  });
});

describe('checkQueueSize', () => {
  const block = shardBlocks[4]!;

  it('returns the size in the state', () => {
    expect(checkQueueSize(answerQueueSize(chain, block.id, 1), block.id, ON)).toBe(4);
    expect(checkQueueSize(answerQueueSize(chain, block.id, 0), block.id, OFF)).toBe(4);
  });

  it('refuses another size, another block, and a state without the size', () => {
    const honest = answerQueueSize(chain, block.id, 1);
    expect(() => checkQueueSize({ ...honest, size: 5n }, block.id, ON)).toThrow('queue size mismatch');
    expect(() => checkQueueSize(honest, shardBlocks[5]!.id, ON)).toThrow('wrong block');
    expect(() => checkQueueSize(answerQueueSize(chain, block.id, 0), block.id, ON)).toThrow('no proof');
    const { parts } = block;
    const { workchain, shard, seqno, utime, endLt } = parts;
    const newState = buildShardState({ workchain, shard, seqno, utime, lt: endLt });
    const old = buildBlock({ ...parts, newState });
    const proof = bagOf(merkleProof(old.root, []), merkleProof(newState, []));
    expect(() => checkQueueSize({ mode: 1, id: old.id, size: 0n, proof }, old.id, ON)).toThrow(
      'no out_msg_queue_size in shard state',
    );
  });
});

describe('checkBlockBytes and checkZeroState', () => {
  const block = shardBlocks[0]!;

  it('accept the bytes of a block only if their hash is its file hash', () => {
    expect(checkBlockBytes({ id: block.id, data: block.bytes }, block.id, ON)).toBe(block.bytes);
    const sameCells = { id: block.id, data: block.root.toBoc() };
    expect(() => checkBlockBytes(sameCells, block.id, ON)).toThrow('has incorrect file hash');
    expect(checkBlockBytes(sameCells, block.id, OFF)).toBe(sameCells.data);
    expect(() => checkBlockBytes({ id: head.id, data: block.bytes }, block.id, ON)).toThrow('wrong block');
  });

  it('accept the zero state, and refuse another state', () => {
    const { id, bytes } = zeroState;
    const answer = { id, rootHash: id.rootHash, fileHash: id.fileHash, data: bytes };
    expect(checkZeroState(answer, id, ON).count).toBeGreaterThan(5);
    const other = { ...id, rootHash: Buffer.alloc(32) };
    expect(() => checkZeroState(answer, other, ON)).toThrow(
      'VALIDATE_ZERO_STATE: Masterchain zerostate mismatch',
    );
    expect(() => checkZeroState({ ...answer, data: bagOf(head.state) }, id, ON)).toThrow(
      'VALIDATE_ZERO_STATE: ',
    );
  });
});
