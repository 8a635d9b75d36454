import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MASTERCHAIN } from '../../../src/chain/block-id.ts';
import { toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import { buildValidatorSet } from '../../../src/chain/tlb/validators.ts';
import { findPacks } from '../../../src/ingest/fetch/packs/pack-folder.ts';
import { createPackIndex } from '../../../src/ingest/fetch/packs/pack-index.ts';
import { validatorKeys } from '../../../src/localnet/genesis/keys.ts';
import { configChangeMessage } from '../../../src/localnet/genesis/special-accounts.ts';
import type { ChainStep } from '../../../src/localnet/store/chain-store.ts';
import { exportSteps } from '../../localnet/support/export-steps.ts';
import {
  faucetOf,
  type LocalChain,
  payment,
  startLocalChain,
  TestWallet,
  TON,
} from '../../localnet/support/local-chain.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { writeGlobalConfig } from '../../support/global-config-file.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { runTongateHere } from '../../support/tongate-process.ts';

const TIMEOUT_MS = 120_000;
const VALIDATORS = 4;
const folder = makeTemporaryDirectory('refused-fork');
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database?.drop();
  await removeTemporaryDirectory(folder);
});

/** Puts several validators of equal weight in the place of the one. */
function manyValidators({ genesis, now }: LocalChain) {
  const validators = Array.from({ length: VALIDATORS }, (_, i) => ({
    publicKey: validatorKeys(i + 1).publicKey,
    weight: 1n,
    adnlAddress: Buffer.alloc(32, i + 1),
  }));
  const arena = new BuildingArena();
  const set = {
    since: now,
    until: 0xffffffff,
    main: VALIDATORS,
    validators,
    totalWeight: BigInt(VALIDATORS),
  };
  const change = new Map([[34, toCoreCell(arena, buildValidatorSet(arena, set))]]);
  return configChangeMessage({ admin: genesis.admin, seqno: 0, validUntil: 0xffffffff, change });
}

/** A step of which only some validators signed the masterchain block. */
function signedBy(count: number, { shards, masterchain }: ChainStep): ChainStep {
  const all = masterchain.signatures!()!;
  const signatures = () => ({ ...all, signatures: all.signatures.slice(0, count) });
  return { shards, masterchain: { ...masterchain, signatures } };
}

describe('a fork that half of the validators signed', () => {
  it(
    'is refused with its places, and nothing of it is indexed; the chain beside it is',
    async () => {
      const common: ChainStep[] = [];
      const honest: ChainStep[] = [];
      const forked: ChainStep[] = [];
      const chain = await startLocalChain({}, ({ step }) => void common.push(step));
      await chain.step([manyValidators(chain)]);
      await chain.steps(2);
      const fork = await startLocalChain({}, ({ step }) => void forked.push(step));
      for (const step of common) fork.store.append(step);
      fork.now = chain.now;
      const shared = common.length;
      const pay = (target: LocalChain, to: TestWallet) =>
        target.step([faucetOf(target.genesis)([payment(to.address, TON)])]);
      const [paid, stolen] = [new TestWallet(1), new TestWallet(2)];
      await pay(chain, paid);
      await chain.steps(1);
      honest.push(...common.splice(shared));
      await pay(fork, stolen);
      await fork.steps(1);
      await Promise.all([chain.close(), fork.close()]);
      expect(honest.at(-1)!.masterchain.signatures!()!.signatures).toHaveLength(VALIDATORS);

      const { genesis } = chain;
      const [honestPacks, forkPacks] = [join(folder, 'honest'), join(folder, 'fork')];
      const few = forked.map((step) => signedBy(VALIDATORS / 2, step));
      await exportSteps({ genesis, steps: [...common, ...honest], to: honestPacks });
      await exportSteps({ genesis, steps: [...common, ...few], to: forkPacks });
      const config = join(folder, 'config.json');
      const server = { host: '127.0.0.1', port: 9, publicKey: Buffer.alloc(32, 1) };
      writeGlobalConfig(config, { zeroState: genesis.zeroStateId, servers: [server] });
      const run = (...args: string[]) =>
        runTongateHere(args, {
          DATABASE_URL: database.url,
          DATA_DIR: join(folder, 'data'),
          INDEX_THREADS: '1',
          NETWORK: 'custom',
          TON_CONFIG: config,
        });

      const refused = await run('import', '--packs', forkPacks, '--offline');
      expect(refused.code).toBe(1);
      const index = createPackIndex(await findPacks([forkPacks]), ({ reason }) => expect.fail(reason));
      for (const seqno of [shared + 1, shared + 2]) {
        const [proof] = await index.proofs(seqno);
        expect(refused.output).toContain(
          `Damaged: ${proof!.path} at byte ${proof!.dataAt}: proof of block (-1,8000000000000000,${seqno}) refused: `,
        );
      }
      expect(refused.output).toContain('too small sig weight');
      expect(refused.output).toContain(`Missing: masterchain seqnos ${shared + 1} to ${shared + 2}: `);
      const db = database.database.primary;
      const newest = () =>
        db
          .selectFrom('blocks')
          .select(['mc_seqno', 'root_hash'])
          .where('workchain', '=', MASTERCHAIN)
          .orderBy('mc_seqno', 'desc')
          .executeTakeFirst();
      const accounts = async () =>
        (await db.selectFrom('latest_account_states').select('account').execute()).map(({ account }) =>
          account.subarray(1).toString('hex'),
        );
      expect(await newest()).toMatchObject({ mc_seqno: shared });
      expect(await accounts()).not.toContain(stolen.address.hash.toString('hex'));

      const imported = await run('import', '--packs', forkPacks, '--packs', honestPacks, '--offline');
      expect(imported.output).toContain('too small sig weight');
      expect(imported.output).toContain(`${shared + 2} of ${shared + 2} masterchain seqnos are indexed`);
      expect(await newest()).toEqual({ mc_seqno: shared + 2, root_hash: chain.store.head.rootHash });
      const found = await accounts();
      expect(found).toContain(paid.address.hash.toString('hex'));
      expect(found).not.toContain(stolen.address.hash.toString('hex'));
    },
    TIMEOUT_MS,
  );
});
