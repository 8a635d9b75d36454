import { fromAccountBytes } from '../chain/address.ts';
import { readBoc } from '../chain/boc/bag.ts';
import { Slice } from '../chain/boc/slice.ts';
import { readUnindexedState } from '../chain/tlb/placed-transaction.ts';
import { readShardAccount } from '../chain/tlb/shard-accounts.ts';
import { bytesKey, bytesOf, type HashKey } from '../lib/bytes-key.ts';
import type { Log } from '../lib/log.ts';
import type { SignedBlock, SignedInterest } from '../pending/pending-traces.ts';
import { toAccountState } from '../v3/transaction-json.ts';
import { formatAccount, formatHash } from '../v3/values.ts';
import { type StreamEvent, stateEvent } from './events.ts';
import type { Finality } from './subscription.ts';

/** What somebody wants before the masterchain has it. */
export interface EarlyInterest {
  readonly wantsAccount: (key: HashKey) => boolean;
  readonly wantsTrace: (key: HashKey) => boolean;
  readonly wantsStates: boolean;
}

interface SignedStatesOptions {
  readonly isOpen: () => boolean;
  /** The interest in some accounts, 33 bytes. */
  readonly interestIn: (
    accounts: readonly Buffer[],
  ) => EarlyInterest | undefined | Promise<EarlyInterest | undefined>;
  readonly onEvents: (events: readonly StreamEvent[]) => void;
  readonly log: Log;
}

/**
 * Watches signed blocks for those who are interested: tells the states of their accounts after a block, and tells again
 * what holds if the masterchain goes on without the block. Traces of the accounts become pending traces.
 */
export function watchSignedStates({
  isOpen,
  interestIn,
  onEvents,
  log,
}: SignedStatesOptions): SignedInterest {
  /** The accounts whose state was told, by the block. */
  const told = new Map<SignedBlock, Set<HashKey>>();

  async function tell(block: SignedBlock, key: HashKey): Promise<void> {
    const account = bytesOf(key);
    const last = block.lasts.get(key)!;
    const boc = await block.read(fromAccountBytes(account));
    told.set(block, (told.get(block) ?? new Set()).add(key));
    onEvents([eventOf({ finality: 'confirmed', account, boc, ...last })]);
  }

  async function tellAgain(block: SignedBlock, key: HashKey): Promise<void> {
    const account = bytesOf(key);
    const { lt, hash, now } = block.lasts.get(key)!;
    const boc = await block.readAtHead(fromAccountBytes(account));
    const bag = readBoc(boc);
    const { lastTransLt, lastTransHash } = readShardAccount(new Slice(bag, bag.root));
    const isTaken = lastTransLt > lt || lastTransHash.equals(hash);
    if (!isTaken)
      onEvents([eventOf({ finality: 'finalized', account, boc, lt: lastTransLt, hash: lastTransHash, now })]);
  }

  async function each(
    block: SignedBlock,
    keys: Iterable<HashKey>,
    work: (block: SignedBlock, key: HashKey) => Promise<void>,
  ): Promise<void> {
    for (const key of keys)
      await work(block, key).catch((error: unknown) =>
        log.warn({ err: error }, 'Failed to stream an account of a signed block'),
      );
  }

  return {
    isOpen,
    async seen(block) {
      const wanted = await interestIn(block.accounts);
      if (wanted === undefined) return [];
      const watched = block.accounts.filter((account) => wanted.wantsAccount(bytesKey(account)));
      const changed = watched.map(bytesKey).filter((key) => block.lasts.has(key));
      if (wanted.wantsStates) await each(block, changed, tell);
      const starts = [...block.starts].filter(([hash]) => wanted.wantsTrace(hash));
      return [...watched, ...starts.map(([, account]) => account)];
    },
    async settled(block) {
      const keys = told.get(block) ?? [];
      told.delete(block);
      await each(block, keys, tellAgain);
    },
  };
}

/** The event of a state that is not in the index. */
function eventOf({
  finality,
  account,
  boc,
  lt,
  hash,
  now,
}: {
  readonly finality: Finality;
  readonly account: Buffer;
  readonly boc: Buffer;
  readonly lt: bigint;
  readonly hash: Buffer;
  readonly now: number;
}): StreamEvent {
  const { state } = readUnindexedState(boc);
  const none = { balance: '0', extra_currencies: {}, account_status: 'nonexist' };
  const shown = { ...toAccountState(state), ...(state.known === undefined && none) };
  return stateEvent(
    { finality, at: undefined },
    {
      key: bytesKey(account),
      members: `"account":"${formatAccount(account)}","state":${JSON.stringify(shown)}`,
      extended: `,"last_transaction_lt":"${lt}","last_transaction_hash":"${formatHash(hash)}","utime":${now},"mc_seqno":null`,
    },
  );
}
