import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type BlockId, shortBlockName } from '../../../src/chain/block-id.ts';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { StartError } from '../../../src/lib/errors.ts';
import { openRecording } from '../../../src/localnet/store/recording.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { RECORDING } from '../support/recorded-network.ts';
import { type UpdatingChain, updatingChain } from '../support/updating-chain.ts';

function fileName({ workchain, shard, seqno }: BlockId): string {
  return `${workchain}_${BigInt.asUintN(64, shard).toString(16).padStart(16, '0')}_${seqno}.boc`;
}

/** A folder with a built network as it would be recorded. */
function recordBuilt({ blocks, zeroStates }: UpdatingChain): string {
  const folder = makeTemporaryDirectory('recording');
  onTestFinished(() => removeTemporaryDirectory(folder));
  for (const part of ['blocks', 'states']) mkdirSync(join(folder, part));
  for (const { id, bytes } of blocks) writeFileSync(join(folder, 'blocks', fileName(id)), bytes);
  writeFileSync(join(folder, 'states', '-1_8000000000000000_0.boc'), zeroStates[0]!);
  writeFileSync(join(folder, 'states', '0_8000000000000000_0.boc'), zeroStates[1]!);
  return folder;
}

describe('a recording', () => {
  const chain = updatingChain();

  it('loads up to its last block, with all states', () => {
    const store = openRecording(recordBuilt(chain));
    expect(store.head).toEqual(chain.blocks.at(-1)!.id);
    for (const { id, bytes, state } of chain.blocks) {
      expect(store.open(store.block(id)!).bytes.equals(bytes)).toBe(true);
      const kept = store.state(id);
      if (typeof kept !== 'object') throw new Error(`no state after ${shortBlockName(id)}`);
      expect(kept.cells.hash(kept.cell)).toEqual(state.hash());
    }
  });

  it('with a missing part is rejected with an error that names it', () => {
    expect(() => openRecording('/nowhere')).toThrow(StartError);
    const folder = recordBuilt(chain);
    const lost = join(folder, 'blocks', '0_c000000000000000_2.boc');
    rmSync(lost);
    expect(() => openRecording(folder)).toThrow(
      `The recording in ${folder} cannot be replayed: block (0,c000000000000000,2) is missing`,
    );
    writeFileSync(lost, 'not a block');
    expect(() => openRecording(folder)).toThrow(`The recording in ${folder} cannot be replayed: `);
    rmSync(join(folder, 'states', '-1_8000000000000000_0.boc'));
    expect(() => openRecording(folder)).toThrow('needs the zero state of its masterchain');
  });
});

describe.skipIf(missingNetwork !== '')(`the recorded network${missingNetwork}`, () => {
  it('leads from its zero states to the recorded states at its last block', () => {
    const store = openRecording(RECORDING);
    expect(shortBlockName(store.head)).toBe('(-1,8000000000000000,125)');
    for (const name of readdirSync(join(RECORDING, 'states'))) {
      const [workchain, shard, seqno] = name.replace('.boc', '').split('_') as [string, string, string];
      const prefix = BigInt.asIntN(64, BigInt(`0x${shard}`));
      const block = store.find({ workchain: Number(workchain), prefix }, 'seqno', BigInt(seqno));
      if (block === undefined) continue;
      const recorded = readBoc(readFileSync(join(RECORDING, 'states', name)));
      const state = store.state(block.id);
      if (typeof state !== 'object') throw new Error(`no state after ${name}`);
      expect(state.cells.hash(state.cell)).toEqual(recorded.hash(recorded.root));
    }
  });

  it('has all its blocks and the recorded signatures', () => {
    const store = openRecording(RECORDING);
    const signed = [];
    for (let seqno = 1; seqno <= 125; seqno++) {
      const block = store.masterchainBlock(seqno);
      if (block === undefined) throw new Error(`no block ${seqno}`);
      if (store.signatures(block.id) !== undefined) signed.push(seqno);
    }
    expect(signed).toEqual([10, 22, 23, 27, 65, 100, 125]);
  });
});
