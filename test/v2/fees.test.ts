import { beginCell, Cell, external, internal, storeMessage, toNano } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTransaction } from '../../src/chain/tlb/transaction.ts';
import { getTransactions } from '../../src/lite/methods/transactions.ts';
import { messageCell } from '../../src/localnet/contracts/contract.ts';
import { wallet, walletTransfer } from '../../src/localnet/contracts/wallets.ts';
import { recordedAnswer, recordedNames } from '../chain/support/recorded-network.ts';
import { missingNetwork } from '../support/recorded-network.ts';
import { codeOf, deployCodes } from './support/deploy.ts';
import { openLocalnetApp, openReplayApp } from './support/v2-app.ts';

const FLAT_GAS_PRICE = 40_000;
const base64 = (cell: Cell): string => cell.toBoc().toString('base64');

describe('estimateFee', () => {
  let context: Awaited<ReturnType<typeof openLocalnetApp>>;
  let at: Record<'setter' | 'sender' | 'twentyOne', string>;
  beforeAll(async () => {
    context = await openLocalnetApp({ ports: { requestMs: 60_000 } });
    // DROP, ACCEPT, PLDREF, PUSHINT n, CONT { DUP, PUSHINT 0, SENDRAWMSG }, REPEAT: sends the first reference n times.
    const sends = (n: string) => codeOf(`30F800D74C80${n}942070FB00E4`);
    // ACCEPT, NEWC, ENDC, SETCODE
    at = await deployCodes(context, {
      setter: codeOf('F800C8C9FB04'),
      sender: sends('14'),
      twentyOne: sends('15'),
    });
  });
  afterAll(() => context.close());

  const estimate = async (params: Record<string, unknown>) =>
    (await context.call('estimateFee', params)).body;
  const feesOf = async (params: Record<string, unknown>) => (await estimate(params)).result.source_fees;

  /** The body of a small transfer from the funded wallet to itself. */
  function transfer(seqno: number, secretKey = context.running.wallets.basechain.secretKey) {
    const { address, version } = context.running.wallets.basechain;
    const messages = [internal({ to: address, value: toNano('0.1'), body: 'a comment' })];
    const validUntil = context.running.localnet.now() + 600;
    return walletTransfer({ version, secretKey, seqno, messages, validUntil });
  }

  async function seqnoOf(address: string): Promise<number> {
    const { body } = await context.call('runGetMethod', { address, method: 'seqno', stack: [] });
    return Number(body.result.stack[0][1]);
  }

  it('estimates what the transaction costs afterwards', async () => {
    const { address: to } = context.running.wallets.basechain;
    const address = to.toRawString();
    const body = transfer(await seqnoOf(address));
    const { result } = await estimate({ address, body: base64(body), ignore_chksig: false });
    expect(result).toMatchObject({ '@type': 'query.fees', destination_fees: [] });

    const { localnet } = context.running;
    const message = beginCell()
      .store(storeMessage(external({ to, body })))
      .endCell();
    const { end } = await localnet.send(message.toBoc());
    await end;
    const { seqno } = await localnet.drain();
    await context.pool.waitForSeqno(seqno, { timeoutMs: 120_000 });
    const { body: information } = await context.call('getAddressInformation', { address });
    const { lt, hash } = information.result.last_transaction_id;
    const session = await context.pool.session({ budgetMs: 30_000 });
    const account = { workchain: 0, hash: to.hash };
    const last = { lt: BigInt(lt), hash: Buffer.from(hash, 'base64') };
    const found = await getTransactions(session.query, account, last, 2, { verify: true });
    // The last transaction receives what the previous one sent.
    const { cells, cell } = found[1]!;
    const { description } = readTransaction(cells, cell, 0);
    if (description.kind !== 'ord' || description.compute.skipped) throw new Error('not run');
    const { gas_fee, fwd_fee, in_fwd_fee } = result.source_fees;
    expect(gas_fee).toBe(Number(description.compute.gasFees));
    expect(fwd_fee).toBe(Number(description.action?.totalFwdFees));
    expect(in_fwd_fee).toBeGreaterThan(0);
  });

  it('returns 0 for gas and forwarding if the message is not accepted', async () => {
    const address = context.running.wallets.basechain.address.toRawString();
    const wrong = await feesOf({ address, body: base64(transfer(999)) });
    expect(wrong).toMatchObject({ gas_fee: 0, fwd_fee: 0 });
    const stranger = keyPairFromSeed(Buffer.alloc(32, 5)).secretKey;
    const body = base64(transfer(await seqnoOf(address), stranger));
    expect(await feesOf({ address, body, ignore_chksig: false })).toMatchObject({ gas_fee: 0, fwd_fee: 0 });
    expect((await feesOf({ address, body })).gas_fee).toBeGreaterThan(0);
  });

  it('returns the same for cells as objects', async () => {
    const address = context.running.faucet.address.toRawString();
    const body = beginCell().storeUint(1, 8).storeRef(beginCell().storeUint(5, 16).endCell()).endCell();
    const inner = { data: { b64: 'AAU=', len: 16 }, refs: [], special: false };
    const object = { data: { b64: 'AQ==', len: 8 }, refs: [inner] };
    const simple = await context.call('estimateFeeSimple', { address, body: object });
    // The storage fee grows with time.
    const { storage_fee: _, ...fees } = simple.body.result.source_fees;
    expect(await feesOf({ address, body: base64(body) })).toMatchObject(fees);
    const wrong = await context.call('estimateFeeSimple', { address, body: { refs: [] } });
    expect(wrong.body).toMatchObject({ code: 400, error: 'Error while parsing cell object' });
  });

  it('bounds the gas by what the account can pay', async () => {
    const address = `-1:${'33'.repeat(32)}`;
    const { result: balance } = (await context.call('getAddressBalance', { address })).body;
    // SETCP 0, ACCEPT, AGAINEND, NEWC, ENDC, DROP
    const code = beginCell().storeBuffer(Buffer.from('FF00F800EBC8C930', 'hex')).endCell();
    const state = { init_code: base64(code), init_data: base64(Cell.EMPTY) };
    const { gas_fee } = await feesOf({ address, body: base64(Cell.EMPTY), ...state });
    // The elector of a local chain has 10 TON, which is a million gas; for the chain it is a special account.
    expect(Number(balance) - gas_fee).toBeGreaterThanOrEqual(0);
    expect(gas_fee).toBe(10_000_000_000);
  });

  it('runs the code of the init of the message', async () => {
    const { publicKey, secretKey } = keyPairFromSeed(Buffer.alloc(32, 6));
    const { address: to, init } = wallet({ version: 'v4r2', publicKey });
    const messages = [internal({ to, value: 1n })];
    const validUntil = context.running.localnet.now() + 600;
    const body = base64(walletTransfer({ version: 'v4r2', secretKey, seqno: 0, messages, validUntil }));
    const address = to.toRawString();
    const state = { init_code: base64(init.code), init_data: base64(init.data) };
    // An account without balance has no credit: the message counts as accepted without a step.
    expect(await feesOf({ address, body, ...state })).toMatchObject({ gas_fee: FLAT_GAS_PRICE, fwd_fee: 0 });
    const { seqno } = await context.running.faucet.fund(to, toNano(1));
    await context.running.localnet.drain();
    await context.pool.waitForSeqno(seqno + 1, { timeoutMs: 120_000 });
    const without = await feesOf({ address, body });
    expect(without).toMatchObject({ gas_fee: 0, fwd_fee: 0 });
    const fees = await feesOf({ address, body, ...state });
    expect(fees.gas_fee).toBeGreaterThan(FLAT_GAS_PRICE);
    expect(fees.fwd_fee).toBe(400_000);
    expect(fees.in_fwd_fee).toBeGreaterThan(without.in_fwd_fee);
  });

  it('uses masterchain prices for messages to and from the masterchain', async () => {
    const { masterchain, basechain } = context.running.wallets;
    const bodyTo = (to: typeof masterchain.address) =>
      base64(
        beginCell()
          .storeRef(messageCell(internal({ to, value: 1n })))
          .endCell(),
      );
    const fees = await feesOf({ address: at.sender, body: bodyTo(masterchain.address) });
    expect(fees.fwd_fee).toBe(20 * 10_000_000);
    const inside = await feesOf({ address: at.sender, body: bodyTo(basechain.address) });
    expect(inside.fwd_fee).toBe(20 * 400_000);
    const from = await feesOf({ address: masterchain.address.toRawString(), body: base64(new Cell()) });
    expect(from.in_fwd_fee).toBe(10_000_000);
  });

  it('fails with the reason if fees cannot be estimated', async () => {
    const body = base64(new Cell());
    const address = at.setter;
    const prefix = 'INVALID_BAG_OF_CELLS: ';
    const short = 'cannot deserialize bag-of-cells: not enough bytes (0 present, 10 required)';
    const faults: [Record<string, unknown>, number, string][] = [
      [{ address, body }, 500, 'INTERNALestimate_fee: action_set_code unsupported'],
      [
        { address: at.twentyOne, body: base64(beginCell().storeRef(new Cell()).endCell()) },
        500,
        'INTERNALaction list too long: more than 20 actions',
      ],
      [
        { address: at.sender, body: base64(beginCell().storeRef(new Cell()).endCell()) },
        500,
        "INTERNALestimate_fee: can't parse send_msg",
      ],
      [{ address, body: '' }, 500, `${prefix}body${short}`],
      [{ address, body, init_code: body }, 500, `${prefix}init_data${short}`],
      [
        { address, body: '!' },
        422,
        "failed to parse post request: Error at path 'body': invalid base64 encoded bytes: Wrong character in the string",
      ],
      [{ address }, 422, "failed to parse post request: Field 'body' is missing"],
      [
        { address, body, ignore_chksig: 1 },
        422,
        "failed to parse post request: Error at path 'ignore_chksig': must be a boolean",
      ],
    ];
    for (const [params, code, error] of faults)
      expect(await estimate(params), JSON.stringify(params)).toMatchObject({ code, error });
  });
});

describe.skipIf(missingNetwork !== '')(`estimateFee on a recorded network${missingNetwork}`, () => {
  it('returns the fees that tonlib returned', async () => {
    const context = await openReplayApp();
    const names = recordedNames('tonlib').filter((name) => name.startsWith('estimateFees.'));
    for (const name of names) {
      const { request, response } = recordedAnswer(`tonlib/${name}`);
      const { destination, body, init_code, init_data } = request[0].function;
      const { ignore_chksig } = request[1];
      const params = { address: destination.account_address, body, init_code, init_data, ignore_chksig };
      expect((await context.call('estimateFee', params)).body.result, name).toEqual(response);
    }
    expect(names).toHaveLength(8);
    await context.close();
  });

  it('counts the init of the message, whatever state the account has', async () => {
    const context = await openReplayApp();
    const { init } = wallet({ version: 'v2r2', publicKey: Buffer.alloc(32, 3) });
    const state = { init_code: base64(init.code), init_data: base64(init.data) };
    const body = 'te6ccgEBAQEABgAACAAAAAA=';
    const { accounts } = recordedAnswer('scenario');
    for (const name of ['uninit0', 'uninit1', 'ghost1', 'frozen', 'bad_state', 'probe_destroyed', 'alice']) {
      const { address } = accounts[name];
      const importFee = async (parts: object) =>
        (await context.call('estimateFee', { address, body, ...parts })).body.result.source_fees.in_fwd_fee;
      expect(await importFee({}), name).toBe(400_000);
      // Two cells of 776 and 288 bits.
      expect(await importFee(state), name).toBe(905_600);
    }
    await context.close();
  });
});
