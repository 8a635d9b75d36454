import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, beginCell } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountKey } from '../../../src/chain/address.ts';
import { FETCH_LIMITS } from '../../../src/metadata/fetch-document.ts';
import { createMetadataFetcher } from '../../../src/metadata/metadata-fetcher.ts';
import { METADATA_SETTINGS } from '../../../src/metadata/metadata-settings.ts';
import { createMintlessFiller } from '../../../src/metadata/mintless/mintless-filler.ts';
import { address, cell, int } from '../../detect/support/stack-items.ts';
import {
  changeCode,
  changingContract,
  deployment,
  type LiveChain,
  startLiveChain,
} from '../../ingest/contracts/support/live-chain.ts';
import {
  type Indexer,
  openTestIndexer,
  type TestIndexer,
  until,
  untilNothingIsMissing,
} from '../../ingest/support/test-indexer.ts';
import { offChainContent } from '../../localnet/support/contract-messages.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { buildV3App, NO_INDEX } from '../../v3/support/build-app.ts';
import {
  createDocumentServer,
  createTestNames,
  type DocumentServer,
  isPublicHere,
} from '../support/document-server.ts';
import { airdropCell, dumpOf, hashNumber } from './support/airdrop-dump.ts';

type MetadataFetcher = ReturnType<typeof createMetadataFetcher>;

type MintlessFiller = ReturnType<typeof createMintlessFiller>;

const TIMEOUT_MS = 300_000;
const MAX_BYTES = 100_000;
const CODE = cell(beginCell().storeUint(5, 8).endCell());
const API = 'https://claim.test/api';

let live: LiveChain;
let context: TestIndexer;
let indexer: Indexer;
let app: FastifyInstance;
let server: DocumentServer;
let metadata: MetadataFetcher;
let filler: MintlessFiller;
let folder: string;

beforeAll(async () => {
  server = await createDocumentServer();
  folder = makeTemporaryDirectory('mintless');
  live = await startLiveChain();
  context = await openTestIndexer();
  const { log } = context;
  const db = context.database.primary;
  indexer = context.indexer(live.pool, { detection: context.detection(live.pool), lanes: 0 });
  indexer.start();
  const environment = { names: createTestNames(), isPublic: isPublicHere };
  metadata = createMetadataFetcher({ db, log, settings: METADATA_SETTINGS, environment, pollMs: 20 });
  metadata.start();
  filler = createMintlessFiller({
    db,
    log,
    folder,
    maxBytes: MAX_BYTES,
    gateways: METADATA_SETTINGS,
    environment: { ...environment, limits: { ...FETCH_LIMITS, minSpeed: { bytes: 1000, ms: 2000 } } },
    pollMs: 20,
  });
  filler.start();
  app = await buildV3App({ ports: { ...NO_INDEX, database: context.database } });
}, TIMEOUT_MS);
afterAll(async () => {
  await Promise.all([filler?.close(), metadata?.close(), app?.close()]);
  await context?.close();
  await live?.close();
  await server?.close();
  await removeTemporaryDirectory(folder);
});

/** A mintless jetton with one wallet, neither deployed. */
interface Mintless {
  readonly master: ReturnType<typeof changingContract>;
  readonly wallet: ReturnType<typeof changingContract>;
  readonly owner: Address;
}

let contracts = 0;

/** A jetton whose document is at a path and has these fields. */
function mintless(
  path: string,
  owner: Address,
  { root, fields }: { readonly root: bigint; readonly fields: Readonly<Record<string, unknown>> },
): Mintless {
  server.serve(path, { name: path, symbol: 'FREE', ...fields });
  const wallet = changingContract(++contracts);
  const master = changingContract(++contracts, {
    get_wallet_address: [address(wallet.address)],
    get_jetton_data: [int(1), int(-1), address(null), cell(offChainContent(server.at(path))), CODE],
    get_mintless_airdrop_hashmap_root: [int(root)],
  });
  return { master, wallet, owner };
}

async function send(messages: Parameters<LiveChain['send']>[1]): Promise<void> {
  const to = await live.send(live.people[0]!, messages);
  await until(indexer, ({ followed }) => (followed ?? 0) >= to);
  await untilNothingIsMissing(context);
}

/** Gives a wallet its get-methods. */
function walletMethods({ wallet, owner, master }: Mintless, balance: bigint, isClaimed: boolean) {
  return changeCode(wallet.address, {
    get_wallet_data: [int(balance), address(owner), address(master.address), CODE],
    is_claimed: [int(isClaimed ? -1 : 0)],
  });
}

async function deploy(jettons: readonly Mintless[]): Promise<void> {
  await send(jettons.flatMap(({ master, wallet }) => [deployment(master), deployment(wallet)]));
  await send(jettons.map((jetton) => walletMethods(jetton, 0n, false)));
}

/** The wallets of jettons, in the order of the jettons. */
async function walletsOf(jettons: readonly Mintless[], query = '') {
  const addresses = jettons.map(
    ({ wallet }) => `address=${encodeURIComponent(wallet.address.toRawString())}`,
  );
  const { jetton_wallets: rows } = (
    await app.inject(`/api/v3/jetton/wallets?${addresses.join('&')}&limit=100${query}`)
  ).json();
  type Row = { readonly address: string; readonly balance: string; readonly mintless_info?: unknown };
  return jettons.map(({ wallet }) =>
    (rows as Row[]).find((row) => row.address === wallet.address.toRawString().toUpperCase()),
  );
}

const keyOf = ({ workChain, hash }: Address) => accountKey(workChain, hash);

/** Waits until an attempt to fetch the dump of each jetton failed; returns the errors. */
async function errorsOf(jettons: readonly Mintless[]): Promise<(string | null)[]> {
  for (;;) {
    const rows = await context.database.primary.selectFrom('mintless_dumps').selectAll().execute();
    const found = jettons.map(({ master }) =>
      rows.find(({ jetton }) => jetton.equals(keyOf(master.address))),
    );
    if (found.every((row) => row !== undefined && row.error !== null)) return found.map((row) => row!.error);
    await sleep(20);
  }
}

/** Waits until the wallet of each jetton was looked up. */
async function untilLookedUp(jettons: readonly Mintless[]): Promise<void> {
  const accounts = jettons.map(({ wallet }) => keyOf(wallet.address));
  for (;;) {
    const { rows } = await sql`
      select from jetton_wallets where account = any(${accounts}::bytea[]) and mintless_root is not null`.execute(
      context.database.primary,
    );
    if (rows.length === jettons.length) return;
    await sleep(20);
  }
}

it('mintless_info is there while an airdrop is known and not claimed, whatever other servers send', {
  timeout: TIMEOUT_MS,
}, async () => {
  const [alice, bob, carol] = live.people.map((person) => person.address) as [Address, Address, Address];
  const airdrops = airdropCell([
    { owner: alice, amount: 12_345n, startFrom: 1_700_000_000, expireAt: 1_900_000_000 },
    { owner: carol, amount: 678n, startFrom: 0, expireAt: 2 ** 48 - 1 },
  ]);
  const root = hashNumber(airdrops);
  const dump = dumpOf(airdrops);
  const mine = mintless('/mine.json', alice, {
    root,
    fields: { mintless_merkle_dump_uri: server.at('/dump.boc'), custom_payload_api_uri: API },
  });
  const dumpAt = (path: string, number = root) => {
    const fields = { mintless_merkle_dump_uri: server.at(path) };
    return mintless(`${path}.json`, alice, { root: number, fields });
  };

  // Servers that harm nobody.
  const other = airdropCell([{ owner: alice, amount: 1n, startFrom: 0, expireAt: 1 }]);
  const noDictionary = beginCell().storeUint(1, 32).endCell();
  server.on('/huge', (_, response) => {
    const chunk = Buffer.alloc(16_384);
    const write = () => {
      while (!response.destroyed && response.write(chunk)) {}
    };
    response.on('drain', write);
    write();
  });
  server.on('/slow', (_, response) => {
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  });
  server.on('/moved', (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/dump' }).end());
  server.on('/malformed', (_, response) => response.end('<html>not a dump, whatever its name</html>'));
  server.on('/other', (_, response) => response.end(dumpOf(other)));
  server.on('/odd', (_, response) => response.end(dumpOf(noDictionary)));
  const hostile = [
    dumpAt('/huge'),
    dumpAt('/slow'),
    dumpAt('/moved'),
    dumpAt('/malformed'),
    dumpAt('/other'),
    dumpAt('/odd', hashNumber(noDictionary)),
    mintless('/private.json', alice, {
      root,
      fields: { mintless_merkle_dump_uri: 'http://192.168.0.1/dump' },
    }),
    mintless('/list.json', alice, { root, fields: { mintless_merkle_dump_uri: [server.at('/dump.boc')] } }),
  ];

  await deploy([mine, ...hostile]);
  expect(await errorsOf([mine, ...hostile])).toEqual([
    'responded with status 404',
    `longer than ${MAX_BYTES} bytes`,
    'too slow',
    'the address is not public',
    'not a dictionary of airdrops',
    expect.stringContaining('another hash'),
    expect.stringMatching(/./),
    'the address is not public',
    'not a link',
  ]);
  const rows = await walletsOf([mine, ...hostile]);
  expect(rows.map((row) => row?.balance)).toEqual(Array(9).fill('0'));
  expect(rows.filter((row) => row !== undefined && 'mintless_info' in row)).toEqual([]);
  expect(await walletsOf([mine, ...hostile], '&exclude_zero_balance=true')).toEqual(Array(9).fill(undefined));

  // The dump is there at the next attempt.
  server.on('/dump.boc', (_, response) => response.end(dump));
  await sql`update mintless_dumps set next_try = now() where jetton = ${keyOf(mine.master.address)}`.execute(
    context.database.primary,
  );
  await untilLookedUp([mine]);
  const info = {
    amount: '12345',
    start_from: 1_700_000_000,
    expire_at: 1_900_000_000,
    custom_payload_api_uri: [API],
  };
  expect(await walletsOf([mine])).toMatchObject([{ balance: '0', mintless_info: info }]);
  for (const sort of ['', '&sort=asc', '&sort=desc'])
    expect(await walletsOf([mine, hostile[5]!], `&exclude_zero_balance=true${sort}`)).toMatchObject([
      { mintless_info: info },
      undefined,
    ]);

  // Later wallets are looked up without another download, also with the spelling of TEP-177.
  const requests = server.requests.filter((path) => path === '/dump.boc').length;
  const fields = { mintles_merkle_dump_uri: server.at('/dump.boc') };
  const [stranger, hers] = [bob, carol].map((owner, at) =>
    mintless(`/late-${at}.json`, owner, { root, fields }),
  );
  await deploy([stranger!, hers!]);
  await untilLookedUp([stranger!, hers!]);
  const [strange, late] = await walletsOf([stranger!, hers!]);
  expect(strange).not.toHaveProperty('mintless_info');
  expect(late).toMatchObject({
    mintless_info: { amount: '678', start_from: 0, expire_at: 2 ** 48 - 1, custom_payload_api_uri: null },
  });
  expect(server.requests.filter((path) => path === '/dump.boc')).toHaveLength(requests);

  await send([walletMethods(mine, 12_000n, true)]);
  const [claimed] = await walletsOf([mine]);
  expect(claimed).toMatchObject({ balance: '12000' });
  expect(claimed).not.toHaveProperty('mintless_info');
  await send([walletMethods(mine, 0n, true)]);
  expect(await walletsOf([mine], '&exclude_zero_balance=true')).toEqual([undefined]);
});
