import { Address, beginCell, Cell, external, storeMessage } from '@ton/core';
import { type BlockId, WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { createLocalnet, type Localnet, type LocalnetOptions } from '../../../src/localnet/chain/localnet.ts';
import type { CollatedStep, Collator } from '../../../src/localnet/collate/collator.ts';
import type { External } from '../../../src/localnet/collate/external-messages.ts';
import type { ChainStore } from '../../../src/localnet/store/chain-store.ts';
import { type BlockParts, type BuiltBlock, buildBlock, nameOf } from '../../support/chain-builder/block.ts';
import { bagOf, prunedBranch } from '../../support/chain-builder/cells.ts';
import { buildShardState } from '../../support/chain-builder/states.ts';
import { createQuietLog } from '../../support/quiet-log.ts';

interface PlainOptions extends Partial<Omit<LocalnetOptions, 'settings'>> {
  readonly folder: string;
  readonly settings?: Partial<LocalnetOptions['settings']>;
  readonly judge?: (message: External) => 'included' | 'rejected' | 'postponed' | 'broken';
}

/** A chain of blocks without transactions in a folder; it makes blocks when it is told to. */
export async function openPlainChain({
  folder,
  settings,
  judge,
  ...others
}: PlainOptions): Promise<Localnet & { readonly log: ReturnType<typeof createQuietLog> }> {
  const log = createQuietLog();
  const localnet = await createLocalnet({
    folder,
    settings: { blockMs: 1000, mine: 'interval', shards: 1, ...settings },
    makeZeroStates: plainZeroStates,
    createCollator: (store) => createPlainCollator(store, judge),
    log,
    ...others,
  });
  return Object.assign(localnet, { log });
}

type Earlier = Pick<BuiltBlock, 'id' | 'endLt' | 'startLt' | 'utime' | 'state'>;
type Verdict = 'included' | 'rejected' | 'postponed' | 'broken';

const CONFIG = new Map([[0, beginCell().storeUint(0, 256).endCell()]]);
const SIGNATURES = {
  kind: 'ordinary',
  validatorSetHash: 1,
  catchainSeqno: 2,
  signatures: [{ nodeIdShort: Buffer.alloc(32, 3), signature: Buffer.alloc(64, 4) }],
} as const;

/** The zero states of a chain that knows nothing of accounts. */
async function plainZeroStates({ now }: { now: number }): Promise<Buffer[]> {
  const basechain = zeroState(0, now, undefined);
  return [bagOf(zeroState(-1, now, basechain).state), bagOf(basechain.state)];
}

/** Makes blocks without transactions: a masterchain and one shard. `judge` says what becomes of messages. */
export function createPlainCollator(
  store: ChainStore,
  judge: (message: External) => Verdict = () => 'included',
): Collator {
  return {
    async collate({ now, externals }): Promise<CollatedStep> {
      const verdicts = externals.map((message) => ({ id: message.id, verdict: judge(message) }));
      if (verdicts.some(({ verdict }) => verdict === 'broken'))
        throw new Error('a message broke the collator');
      const { masterchain, shard } = nextBlocks(store, now);
      return {
        step: {
          shards: [{ load: () => shard.bytes }],
          masterchain: { load: () => masterchain.bytes, signatures: () => SIGNATURES },
        },
        externals: verdicts.map(({ id, verdict }) =>
          verdict === 'rejected'
            ? { id, outcome: verdict, text: 'no' }
            : { id, outcome: verdict as 'included', block: shard.id },
        ),
        transactions: 0,
      };
    },
  };
}

/** An external message to an account, as bytes; `number` makes it unlike others. */
export function plainMessage(account: number, number: number): Buffer {
  const message = external({
    to: new Address(0, Buffer.alloc(32, account)),
    body: beginCell().storeUint(number, 32).endCell(),
  });
  return beginCell().store(storeMessage(message)).endCell().toBoc();
}

function nextBlocks(store: ChainStore, utime: number): { masterchain: BuiltBlock; shard: BuiltBlock } {
  const previous = earlier(store, store.head);
  const seqno = previous.id.seqno + 1;
  const shardBefore = earlier(store, shardId(store, previous));
  const times = { utime, startLt: BigInt(seqno) * 1000n, endLt: BigInt(seqno) * 1000n + 10n, seqno };
  const inShard = { workchain: 0, shard: WHOLE_SHARD, ...times };
  const shard = withWholeUpdate({
    ...inShard,
    prev: [shardBefore],
    masterRef: previous,
    oldState: shardBefore.state,
    newState: buildShardState({ ...inShard, lt: times.endLt, queueSize: 0n, masterRef: previous }),
  });
  const inMasterchain = { workchain: -1, shard: WHOLE_SHARD, ...times };
  const masterchain = { shards: [shard], config: CONFIG };
  const newState = buildShardState({
    ...inMasterchain,
    lt: times.endLt,
    queueSize: 0n,
    masterchain: { ...masterchain, oldBlocks: [] },
  });
  return {
    shard,
    masterchain: withWholeUpdate({
      ...inMasterchain,
      prev: [previous],
      oldState: previous.state,
      newState,
      masterchain,
    }),
  };
}

function shardId(store: ChainStore, masterchain: Earlier): BlockId {
  const place = { workchain: 0, prefix: 0n };
  const found = store.find(place, 'seqno', BigInt(masterchain.id.seqno));
  return found?.id ?? zeroState(0, masterchain.utime, undefined).id;
}

function earlier(store: ChainStore, id: BlockId): Earlier {
  const tree = store.state(id);
  if (typeof tree !== 'object') throw new Error('a state is missing');
  const state = toCoreCell(tree.cells, tree.cell);
  const block = store.block(id);
  const utime = block?.genUtime ?? zeroTime(state);
  return { id, startLt: 0n, endLt: block?.endLt ?? 0n, utime, state };
}

/** The time in a zero state: after tag, network, shard and two numbers. */
function zeroTime(state: Cell): number {
  return state
    .beginParse()
    .skip(32 + 32 + 104 + 64)
    .loadUint(32);
}

/** A block whose update holds the whole new state. */
function withWholeUpdate(parts: BlockParts): BuiltBlock {
  const block = buildBlock(parts);
  const [info, valueFlow, update, extra] = block.root.refs as [Cell, Cell, Cell, Cell];
  const refs = [prunedBranch(parts.oldState), parts.newState];
  const whole = new Cell({ exotic: true, bits: update.bits, refs });
  const root = new Cell({ bits: block.root.bits, refs: [info, valueFlow, whole, extra] });
  const bytes = bagOf(root);
  return { ...block, root, bytes, id: nameOf(block.id, root, bytes) };
}

function zeroState(workchain: number, utime: number, shard: Earlier | undefined): Earlier {
  const place = { workchain, shard: WHOLE_SHARD, seqno: 0 };
  const masterchain = shard && { shards: [shard], config: CONFIG, oldBlocks: [] };
  const state = buildShardState({ ...place, utime, lt: 0n, ...(masterchain && { masterchain }) });
  return { id: nameOf(place, state, bagOf(state)), startLt: 0n, endLt: 0n, utime, state };
}
