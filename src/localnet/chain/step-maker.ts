import type { BlockId } from '../../chain/block-id.ts';
import { type SignatureSet, writeSignatureSet } from '../../chain/tl/signature-sets.ts';
import { TlWriter } from '../../chain/tl/tl-writer.ts';
import type { Log } from '../../lib/log.ts';
import type { Collated, Collator } from '../collate/create-collator.ts';
import type { External } from '../collate/external-messages.ts';
import { headState } from '../lite-server/head-state.ts';
import { parseBlock } from '../store/new-block.ts';
import type { Mempool } from './mempool.ts';
import { type OpenChain, type PlacedStep, storedStep } from './open-chain.ts';
import type { StepHead } from './record.ts';
import { writeCheckpoint } from './state-checkpoint.ts';

export interface StepMakerOptions {
  readonly chain: OpenChain;
  readonly collator: Collator;
  readonly mempool: Mempool;
  /** The chain's clock in unix seconds. */
  readonly now: () => number;
  readonly log: Log;
  /** Where whole states are kept, and after how many steps they are written. */
  readonly checkpoints: { readonly folder: string; readonly every: number };
}

/** What a step was. */
export interface MadeStep {
  readonly id: BlockId;
  readonly transactions: number;
  /** External messages that are in its blocks, or that it turned away. */
  readonly settled: number;
}

/**
 * Makes the chain longer, one step at a time: blocks are made, then written to the disk, then seen by others. Whoever
 * saw a block will find it again whatever happens.
 */
export class StepMaker {
  readonly #options: StepMakerOptions;
  #last: PlacedStep | undefined;

  constructor(options: StepMakerOptions) {
    this.#options = options;
    this.#last = options.chain.lastStep;
  }

  /** Makes one step. If that fails the chain is as it was, and no message is lost. */
  async step(): Promise<MadeStep> {
    const { chain, mempool } = this.#options;
    const { file, store } = chain;
    const externals = mempool.next();
    const collated = await this.#collate(externals);
    const { shards, masterchain } = collated.step;
    const blocks = [...shards, masterchain];
    const bytes = blocks.map(({ load }) => load());
    const record = await file.append(headOf(bytes.at(-1)!, masterchain.signatures), bytes);
    const placed = { ...record, head: record.head as StepHead };
    try {
      store.append(
        storedStep(
          file,
          placed,
          blocks.map(({ state }) => state),
        ),
      );
    } catch (error) {
      await file.cut(record);
      mempool.blame(externals);
      throw error;
    }
    this.#last = placed;
    mempool.settle(collated.externals);
    await this.#checkpoint(bytes);
    const settled = collated.externals.filter(({ outcome }) => outcome !== 'postponed').length;
    return { id: store.head, transactions: collated.transactions, settled };
  }

  /** Writes the states at the head to a folder. */
  async writeStates(folder: string): Promise<void> {
    if (this.#last === undefined) return;
    const { store, file } = this.#options.chain;
    const blocks = this.#last.parts.map((place) => file.read(place));
    await writeCheckpoint(folder, store, this.#last.head, blocks);
  }

  async #collate(externals: readonly External[]): Promise<Collated> {
    const { chain, collator, mempool, now } = this.#options;
    // The machine's clock may have been put back, the chain's time may not.
    const time = Math.max(now(), headState(chain.store).state.genUtime);
    try {
      return await collator.collate({ now: time, externals });
    } catch (error) {
      mempool.blame(externals);
      throw error;
    }
  }

  /** States on the disk only make the next start faster, so a failure is no fault of the step. */
  async #checkpoint(blocks: readonly Buffer[]): Promise<void> {
    const { chain, checkpoints, log } = this.#options;
    const { head } = this.#last!;
    if (head.seqno % checkpoints.every !== 0) return;
    try {
      await writeCheckpoint(checkpoints.folder, chain.store, head, blocks);
    } catch (error) {
      log.warn({ err: error, seqno: head.seqno }, 'The states of the local chain could not be written');
    }
  }
}

function headOf(masterchain: Buffer, signatures: SignatureSet | undefined): StepHead {
  const { id } = parseBlock(masterchain);
  return {
    kind: 'step',
    seqno: id.seqno,
    rootHash: id.rootHash.toString('hex'),
    signatures: tlOf(signatures),
  };
}

function tlOf(signatures: SignatureSet | undefined): string | undefined {
  if (signatures === undefined) return undefined;
  const writer = new TlWriter();
  writeSignatureSet(writer, signatures);
  return writer.finish().toString('base64');
}
