import { sql } from 'kysely';
import { readRows, skipLocked } from '../../db/driver.ts';
import { createQueue, inSeconds } from '../../db/queue.ts';
import type { Db } from '../../db/tables/tables.ts';
import type { Log } from '../../lib/log.ts';
import { createNameResolver, OutboundError } from '../../lib/outbound-http.ts';
import { isPublicAddress } from '../../lib/public-address.ts';
import { createThrottledLog, retryUntilDone } from '../../lib/retry.ts';
import { pause, waitAtMost } from '../../lib/wait.ts';
import { FETCH_LIMITS, type FetchEnvironment } from '../fetch-document.ts';
import { cleanText } from '../token-fields.ts';
import type { Airdrop, AirdropFile } from './airdrop-file.ts';
import { type AirdropStoreOptions, createAirdropStore, type DumpSource } from './airdrop-store.ts';

/** Outcome of fetching a dump; `refused` dumps may not be fetched. */
type DumpOutcome = 'fetched' | 'failed' | 'refused';

export interface MintlessFillerOptions extends Pick<AirdropStoreOptions, 'folder' | 'maxBytes' | 'gateways'> {
  readonly db: Db;
  readonly log: Log;
  /** Called when a dump was fetched, or could not be. */
  readonly onDump?: (outcome: DumpOutcome) => void;
  /** Overrides how dumps are reached. */
  readonly environment?: Partial<FetchEnvironment>;
  readonly pollMs?: number;
}

/** Limits of fetching a dump: they are large, and nothing waits for them. */
const DUMP_LIMITS: FetchEnvironment['limits'] = {
  ...FETCH_LIMITS,
  totalMs: 30 * 60_000,
  minSpeed: { bytes: 1024 * 1024, ms: 30_000 },
};

const POLL_MS = 10_000;
const JETTONS_PER_ROUND = 100;
const WALLETS_PER_BATCH = 500;
const RENEW_MS = 30_000;
const CLOSE_MS = 5000;

/**
 * Creates a filler of what owners of jetton wallets get from airdrops of mintless jettons (TEP-177), which does nothing
 * before `start`. Dumps are fetched one at a time.
 */
export function createMintlessFiller(options: MintlessFillerOptions) {
  const { db, onDump = () => {}, pollMs = POLL_MS } = options;
  const log = createThrottledLog(options.log, () => performance.now());
  const names = options.environment?.names ?? createNameResolver();
  const environment = { isPublic: isPublicAddress, limits: DUMP_LIMITS, ...options.environment, names };
  const { folder, maxBytes, gateways } = options;
  const store = createAirdropStore({
    folder,
    maxBytes,
    gateways,
    environment,
    log,
    onFetched: () => onDump('fetched'),
  });
  const closed = new AbortController();
  const { signal } = closed;
  let loop: Promise<void> | undefined;
  let lastId = '0';

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await round();
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'Mintless jettons not completed, retrying');
      }
      await pause(pollMs, signal);
    }
  }

  /** Looks at the next jettons; at the first ones again after the last. */
  async function round(): Promise<void> {
    const jettons = await readMintlessJettons(db, { afterId: lastId, max: JETTONS_PER_ROUND });
    for (const jetton of jettons) {
      signal.throwIfAborted();
      lastId = jetton.id;
      const wallets = await readUnclaimedWallets(db, jetton, 1);
      const taken = wallets.length === 0 ? undefined : await takeJetton(db, jetton);
      if (taken !== undefined) await fillTaken(taken);
    }
    if (jettons.length < JETTONS_PER_ROUND) lastId = '0';
  }

  async function fillTaken(jetton: TakenJetton): Promise<void> {
    const renewing = setInterval(() => void renewJetton(db, jetton).catch(() => {}), RENEW_MS);
    let isComplete = false;
    try {
      const file = await openOrPostpone(jetton);
      if (file === undefined) return;
      try {
        await fill(jetton, file);
        isComplete = true;
      } finally {
        await file.close();
      }
      await releaseJetton(db, jetton, isComplete);
    } catch (error) {
      await waitAtMost(
        CLOSE_MS,
        releaseJetton(db, jetton, isComplete).catch(() => {}),
      );
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  /** Undefined if the dump cannot be had now. */
  async function openOrPostpone(jetton: TakenJetton): Promise<AirdropFile | undefined> {
    try {
      return await store.open(jetton, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OutboundError)) throw error;
      onDump(error.kind === 'refused' ? 'refused' : 'failed');
      await postponeJetton(db, jetton, error);
      return undefined;
    }
  }

  /** Looks up the owners of all wallets that wait. */
  async function fill(jetton: MintlessJetton, file: AirdropFile): Promise<void> {
    for (let wasFull = true; wasFull; ) {
      signal.throwIfAborted();
      const wallets = await readUnclaimedWallets(db, jetton, WALLETS_PER_BATCH);
      const found: (readonly [UnclaimedWallet, Airdrop | undefined])[] = [];
      for (const wallet of wallets) found.push([wallet, await file.find(wallet.owner)]);
      if (found.length > 0)
        await retryUntilDone(() => saveAirdrops(db, jetton.root, found), {
          log,
          signal,
          task: 'store airdrops',
        });
      wasFull = wallets.length === WALLETS_PER_BATCH;
    }
  }

  return {
    start(): void {
      if (!signal.aborted) loop ??= run();
    },
    async close(): Promise<void> {
      closed.abort();
      names.close();
      await waitAtMost(CLOSE_MS, loop);
    },
  };
}

export interface MintlessJetton extends DumpSource {
  readonly id: string;
  readonly account: Buffer;
}

/** Reads jettons with a link to a dump, in the order of indexing. TEP-177 spells the name of the link in another way than most jettons. */
export async function readMintlessJettons(
  db: Db,
  { afterId, max }: { readonly afterId: string; readonly max: number },
): Promise<MintlessJetton[]> {
  const rows = await readRows<MintlessJetton>(db)`
    select jetton.id, jetton.account, jetton.mintless_root as root,
      coalesce(token.extra->>'mintless_merkle_dump_uri', token.extra->>'mintles_merkle_dump_uri') as link
    from jetton_masters jetton
    join token_metadata token on token.account = jetton.account and token.kind = 'jetton_masters'
    where jetton.mintless_root is not null and jetton.id > ${afterId}::bigint
      and token.extra ?| array['mintless_merkle_dump_uri', 'mintles_merkle_dump_uri']
    order by jetton.id limit ${max}::integer`;
  return rows.map((row) => ({ ...row, link: row.link ?? '' }));
}

/** Jettons whose dumps are fetched. They are taken one by one, with the dictionary that they have then. */
const QUEUE = createQueue({
  table: 'mintless_dumps',
  key: ['jetton'],
  leaseSeconds: 120,
  pauseSeconds: [60, 7 * 86_400],
});

/** A jetton that this process works on. */
export interface TakenJetton extends MintlessJetton {
  /** Failed attempts so far. */
  readonly tries: number;
}

/** Reserves a jetton that is due, or whose dictionary has changed; undefined if it is not, or another process has it. */
export async function takeJetton(db: Db, jetton: MintlessJetton) {
  const { account, root } = jetton;
  const row = await db
    .insertInto('mintless_dumps')
    .values({ jetton: account, root, next_try: inSeconds(QUEUE.leaseSeconds) })
    .onConflict((conflict) =>
      conflict
        .column('jetton')
        .doUpdateSet({
          root,
          next_try: inSeconds(QUEUE.leaseSeconds),
          tries: sql`case when mintless_dumps.root = excluded.root then mintless_dumps.tries else 0 end`,
        })
        .where(sql<boolean>`mintless_dumps.next_try <= now() or mintless_dumps.root <> excluded.root`),
    )
    .returning('tries')
    .executeTakeFirst();
  return row && { ...jetton, tries: row.tries };
}

/** Reserves a taken jetton for longer. */
export function renewJetton(db: Db, { account }: MintlessJetton): Promise<void> {
  return QUEUE.reserve(db, [{ jetton: account }]);
}

/** Ends the reservation of a jetton whose wallets are complete, or that was not worked on to the end. */
export async function releaseJetton(db: Db, { account }: MintlessJetton, isComplete: boolean) {
  await db
    .updateTable('mintless_dumps')
    .set({ next_try: inSeconds(0), ...(isComplete && { tries: 0, error: null }) })
    .where('jetton', '=', account)
    .execute();
}

/** Keeps why a dump could not be fetched, and tries it again later. */
export async function postponeJetton(
  db: Db,
  { account, tries }: TakenJetton,
  { kind, message }: OutboundError,
): Promise<void> {
  const seconds = kind === 'refused' ? QUEUE.maxPauseSeconds : QUEUE.pauseAfter(tries + 1);
  await db
    .updateTable('mintless_dumps')
    .set({ tries: tries + 1, error: cleanText(message), next_try: inSeconds(seconds) })
    .where('jetton', '=', account)
    .execute();
}

/** A wallet whose owner has to be looked up. */
export interface UnclaimedWallet {
  readonly account: Buffer;
  readonly owner: Buffer;
}

/** Reads wallets of a jetton that are not claimed and whose owners were not looked up in its dictionary. */
export async function readUnclaimedWallets(db: Db, { account, root }: MintlessJetton, max: number) {
  return readRows<UnclaimedWallet>(db)`
    select account, owner from jetton_wallets
    where jetton = ${account} and mintless_is_claimed = false
      and (mintless_root is null or mintless_root < ${root} or mintless_root > ${root})
    limit ${max}::integer`;
}

/** Writes what owners get; wallets that somebody else writes now stay to be looked up. */
export async function saveAirdrops(
  db: Db,
  root: Buffer,
  found: readonly (readonly [UnclaimedWallet, Airdrop | undefined])[],
): Promise<void> {
  await sql`
    with found as (
      select account, one.amount, one.start_from, one.expire_at from jetton_wallets join unnest(
        ${found.map(([{ account }]) => account)}::bytea[], ${found.map(([{ owner }]) => owner)}::bytea[],
        ${found.map(([, airdrop]) => airdrop?.amount.toString() ?? null)}::numeric[],
        ${found.map(([, airdrop]) => airdrop?.startFrom ?? null)}::bigint[],
        ${found.map(([, airdrop]) => airdrop?.expireAt ?? null)}::bigint[]
      ) as one (account, owner, amount, start_from, expire_at) using (account, owner)
      -- The common lock order, against deadlocks.
      order by account ${skipLocked(db, 'jetton_wallets')}
    )
    update jetton_wallets wallet set mintless_root = ${root}, mintless_amount = found.amount,
      mintless_start_from = found.start_from, mintless_expire_at = found.expire_at
    from found where wallet.account = found.account`.execute(db);
}
