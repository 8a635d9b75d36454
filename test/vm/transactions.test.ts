import { Address, beginCell, Cell, Dictionary, loadShardAccount, loadTransaction, toNano } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TransactionOutcome, TransactionRun } from '../../src/vm/runs.ts';
import { shareBoc, writePrevBlocks } from '../../src/vm/shared-inputs.ts';
import type { Vm } from '../../src/vm/vm.ts';
import { NO_LIBRARIES, NO_PREVIOUS_BLOCKS } from '../../src/vm/worker/runner.ts';
import { sharedVm } from '../support/shared-vm.ts';
import {
  boc,
  config,
  hexCell,
  internalMessage,
  NO_ACCOUNT,
  payment,
  RAND_SEED,
  shardAccount,
  UTIME,
  wallet,
} from './built-data.ts';

type Done = Extract<TransactionOutcome, { kind: 'done' }>;
type Cause = Pick<
  TransactionRun,
  'shardAccount' | 'libraries' | 'prevBlocks' | 'ignoreSignature' | 'verbosity'
>;

const LT = 1_000_000n;
const limits = { timeoutMs: 60_000 };
const surroundings = { config, lt: LT, utime: UTIME, randSeed: RAND_SEED };
const funded = shardAccount(wallet.address, toNano(10));

let vm: Vm;
beforeAll(() => {
  vm = sharedVm();
});
afterAll(() => vm.close());

const onMessage = (message: Buffer, more: Cause = {}): TransactionRun => ({
  ...surroundings,
  message,
  ...more,
});

async function done(run: TransactionRun): Promise<Done> {
  const outcome = await vm.runTransaction(run, limits);
  expect(outcome).toMatchObject({ kind: 'done' });
  return outcome as Done;
}

const transactionOf = ({ transaction }: Done) => loadTransaction(Cell.fromBoc(transaction)[0]!.beginParse());
const accountOf = (account: Buffer) => loadShardAccount(Cell.fromBoc(account)[0]!.beginParse());

describe('transactions', () => {
  it('deploy a wallet and send a payment', async () => {
    const deployed = await done(onMessage(payment(0, { deploy: true }), { shardAccount: funded }));
    const first = transactionOf(deployed);
    expect(first).toMatchObject({ lt: LT, now: UTIME, oldStatus: 'uninitialized', endStatus: 'active' });
    expect(first.outMessagesCount).toBe(1);
    expect(deployed.actions).toBeInstanceOf(Buffer);
    expect(deployed.elapsedSeconds).toBeGreaterThan(0);
    expect(deployed.log).toBeUndefined();

    const after = accountOf(deployed.shardAccount);
    expect(after.lastTransactionHash).toBe(
      BigInt(`0x${Cell.fromBoc(deployed.transaction)[0]!.hash().toString('hex')}`),
    );
    const second = await done(onMessage(payment(1), { shardAccount: deployed.shardAccount, verbosity: 1 }));
    // As late as it has to be: the first ended after its message.
    expect(transactionOf(second).lt).toBe(LT + 2n);
    expect(second.log).toContain('execute SENDRAWMSG');
  });

  it('in a list run one after another on one account', async () => {
    const runs = [
      onMessage(payment(0, { deploy: true }), { shardAccount: funded }),
      onMessage(payment(1)),
      // A number that was used: not accepted, and the account stays as it is.
      onMessage(payment(1)),
      onMessage(payment(2)),
      onMessage(payment(0, { deploy: true }), { shardAccount: funded }),
    ];
    const outcomes = await vm.runTransactions(runs, limits);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done', 'not_accepted', 'done', 'done']);
    const [first, second, , third, again] = outcomes as Done[];
    expect(transactionOf(second!).prevTransactionLt).toBe(LT);
    expect(transactionOf(third!).prevTransactionLt).toBe(LT + 2n);
    expect(again!.transaction).toEqual(first!.transaction);
    expect(await vm.runTransactions([], limits)).toEqual([]);
  });

  it('return why an external message was not accepted', async () => {
    const { secretKey } = keyPairFromSeed(Buffer.alloc(32, 1));
    const forged = onMessage(payment(0, { deploy: true, secretKey }), { shardAccount: funded });
    const outcome = await vm.runTransaction(forged, limits);
    expect(outcome).toMatchObject({
      kind: 'not_accepted',
      exitCode: 35,
      text: 'External message not accepted by smart contract',
    });
    expect(outcome.kind === 'not_accepted' && outcome.log).toContain('execute CHKSIGNU');
    await done({ ...forged, ignoreSignature: true });
    expect(await vm.runTransaction(forged, limits)).toEqual(
      expect.objectContaining({ kind: 'not_accepted' }),
    );
  });

  it('accept messages to accounts that do not exist', async () => {
    const to = Address.parse(`0:${'44'.repeat(32)}`);
    const created = await done(onMessage(internalMessage(to, toNano(1)), { shardAccount: NO_ACCOUNT }));
    expect(transactionOf(created)).toMatchObject({ oldStatus: 'non-existing', outMessagesCount: 1 });
    const external = onMessage(payment(0), { shardAccount: NO_ACCOUNT });
    const refused = await vm.runTransaction(external, limits);
    expect(refused).toMatchObject({ kind: 'refused' });
    expect(refused.kind === 'refused' && refused.text).toContain('rejected by account');
  });

  it('run special accounts on tick and tock', async () => {
    // The elector of the configuration: an account that ticks. Its code returns at once.
    const elector = Address.parse(`-1:${'33'.repeat(32)}`);
    const init = { code: hexCell('FF00'), data: new Cell(), special: { tick: true, tock: true } };
    const account = shardAccount(elector, toNano(1), init);
    for (const tickTock of ['tick', 'tock'] as const) {
      const { description } = transactionOf(await done({ ...surroundings, tickTock, shardAccount: account }));
      expect(description).toMatchObject({ type: 'tick-tock', isTock: tickTock === 'tock', aborted: false });
    }
  });

  it('see the given libraries and previous blocks, and no others', async () => {
    const library = hexCell('FF00');
    const code = beginCell().storeUint(2, 8).storeBuffer(library.hash()).endCell({ exotic: true });
    const all = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell()).set(
      library.hash(),
      library,
    );
    const libraries = shareBoc(boc(beginCell().storeDictDirect(all).endCell()));
    const exitCode = async (account: Cell, more: Cause): Promise<number> => {
      const to = Address.parse(`0:${'55'.repeat(32)}`);
      const state = shardAccount(to, toNano(1), { code: account, data: new Cell() });
      const made = await done(onMessage(internalMessage(to, toNano(1)), { shardAccount: state, ...more }));
      const { description } = transactionOf(made);
      const phase = description.type === 'generic' ? description.computePhase : undefined;
      return phase?.type === 'vm' ? phase.exitCode : Number.NaN;
    };
    expect([await exitCode(code, {}), await exitCode(code, { libraries })]).toEqual([9, 0]);
    expect([await exitCode(code, { libraries }), await exitCode(code, {})]).toEqual([0, 9]);

    // PREVKEYBLOCK fails when there is nothing.
    const asking = hexCell('FF00F83401');
    const hash = Buffer.alloc(32);
    const block = { workchain: -1, shard: -(2n ** 63n), seqno: 1, rootHash: hash, fileHash: hash };
    const prevBlocks = writePrevBlocks({ last: [block], keyBlock: block, every100: [] });
    expect([await exitCode(asking, {}), await exitCode(asking, { prevBlocks })]).toEqual([7, 0]);
    expect([await exitCode(asking, { prevBlocks }), await exitCode(asking, {})]).toEqual([0, 7]);
  });

  it('are rejected if malformed, without effect on the next run', async () => {
    const good = onMessage(payment(0, { deploy: true }), { shardAccount: funded });
    // The emulator throws over this one.
    const exotic = beginCell().storeUint(2, 8).storeUint(0, 256).endCell({ exotic: true });
    const bad: TransactionRun[] = [
      { ...good, message: Buffer.from('nonsense') },
      { ...good, message: boc(exotic) },
      { ...good, shardAccount: Buffer.from('nonsense') },
      { ...good, randSeed: Buffer.alloc(3) },
      { ...good, libraries: shareBoc(Buffer.from('nonsense')) },
      { ...good, prevBlocks: shareBoc(boc(new Cell())) },
      { ...good, utime: -1 },
      onMessage(payment(0)),
    ];
    const { transaction } = await done(good);
    for (const run of bad) {
      expect(await vm.runTransaction(run, limits)).toMatchObject({ kind: 'refused' });
      expect((await done(good)).transaction).toEqual(transaction);
    }
  });

  it('use valid constants for no libraries and no previous blocks', () => {
    const empty = { serialize: () => {}, parse: () => null };
    const unreachable = Dictionary.empty(Dictionary.Keys.BigUint(256), empty).set(0n, null);
    expect(boc(beginCell().storeDictDirect(unreachable).endCell()).toString('base64')).toBe(NO_LIBRARIES);
    expect(boc(beginCell().storeUint(0, 8).endCell()).toString('base64')).toBe(NO_PREVIOUS_BLOCKS);
  });
});
