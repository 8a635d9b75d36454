import { type Builder, beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readComplaintElection, readValidatorEvent } from '../../../src/chain/messages/elector-messages.ts';
import { MadeChain, type TransactionParts } from '../../support/made-chain.ts';
import { adnlOf, holderOf, keyOf } from '../../support/made-elector.ts';

const ELECTOR_ID = Buffer.alloc(32, 0x33);
const ELECTOR = Buffer.concat([Buffer.of(0xff), ELECTOR_ID]);
const HOLDER = Buffer.concat([Buffer.of(0xff), holderOf(1)]);
const TON = 1_000_000_000n;

const chain = new MadeChain();

interface Sent {
  readonly from?: Buffer;
  readonly to?: Buffer;
  readonly value?: bigint;
  readonly body: Builder;
}

const message = ({ from = HOLDER, to = ELECTOR, value = 50n * TON, body }: Sent) =>
  chain.internal({ from, to, value, lt: 5n, at: 7, body: body.endCell().toBoc() });

/** A transaction that received a message and sent others. */
function received(sent: Sent, out: readonly Sent[] = [], parts: Partial<TransactionParts> = {}) {
  const account = sent.to ?? ELECTOR;
  const answers = out.map(message);
  const made = chain.transaction({
    account,
    lt: 10n,
    now: 7,
    mcSeqno: 1,
    in: message(sent),
    out: answers,
    ...parts,
  });
  return made.transaction;
}

const op = (opcode: number, queryId: bigint) => beginCell().storeUint(opcode, 32).storeUint(queryId, 64);
const newStake = (queryId: bigint) =>
  op(0x4e73744b, queryId)
    .storeBuffer(keyOf(1))
    .storeUint(1_790_010_000, 32)
    .storeUint(65_536, 32)
    .storeBuffer(adnlOf(1));
const answer = (body: Builder, value = TON): Sent => ({ from: ELECTOR, to: HOLDER, value, body });
const stake = { publicKey: keyOf(1), electionId: 1_790_010_000, adnlAddress: adnlOf(1) };

describe('an event of a stake', () => {
  const read = (...args: Parameters<typeof received>) => readValidatorEvent(received(...args), ELECTOR_ID);

  it('is an accepted stake without the fee of 1 TON', () => {
    const accepted = { type: 'stake_accepted', holder: HOLDER, stake, reason: undefined };
    const ok = answer(op(0xf374484c, 9n).storeUint(0, 32));
    expect(read({ body: newStake(9n) }, [ok])).toEqual({ ...accepted, queryId: 9n, amount: 49n * TON });
    expect(read({ body: newStake(9n), value: 5n }, [ok])).toMatchObject({ amount: 0n });
  });

  it('is accepted without an answer if it has no query id, and nothing otherwise', () => {
    expect(read({ body: newStake(0n) })).toMatchObject({ type: 'stake_accepted', queryId: 0n });
    expect(read({ body: newStake(9n) })).toBeUndefined();
    expect(read({ body: newStake(9n) }, [answer(op(0xf374484c, 8n))])).toBeUndefined();
  });

  it.each([0, 1, 2, 3, 4, 5, 6, -1])('is a rejected stake with reason %i and what was returned', (reason) => {
    const other = answer(op(0xee6f454c, 8n).storeInt(3, 32));
    const refused = answer(op(0xee6f454c, 9n).storeInt(reason, 32), 48n * TON);
    expect(read({ body: newStake(9n) }, [other, refused])).toEqual({
      type: 'stake_rejected',
      holder: HOLDER,
      queryId: 9n,
      amount: 48n * TON,
      stake,
      reason,
    });
  });

  it('is a request to recover, and its outcome at the holder', () => {
    const common = { holder: HOLDER, queryId: 3n, stake: undefined, reason: undefined };
    expect(read({ body: op(0x47657424, 3n), value: TON })).toEqual({
      type: 'recover_requested',
      ...common,
      amount: TON,
    });
    const returned = (opcode: number) => answer(op(opcode, 3n).storeUint(0, 32), 77n);
    expect(read(returned(0xf96f7324))).toEqual({ type: 'stake_recovered', ...common, amount: 77n });
    expect(read(returned(0xfffffffe))).toEqual({ type: 'recover_failed', ...common, amount: 77n });
  });

  it('is nothing if the transaction failed', () => {
    for (const parts of [{ aborted: true }, { exitCode: 9 }, { aborted: true, skipped: 'no_gas' as const }]) {
      expect(read({ body: newStake(0n) }, [], parts)).toBeUndefined();
      expect(read(answer(op(0xf96f7324, 3n)), [], parts)).toBeUndefined();
    }
  });

  it('is nothing for other accounts, senders and bodies', () => {
    expect(read({ to: HOLDER, body: newStake(0n) })).toBeUndefined();
    const basechain = Buffer.concat([Buffer.of(0), ELECTOR_ID]);
    expect(read({ to: basechain, body: newStake(0n) })).toBeUndefined();
    expect(read({ from: basechain, to: HOLDER, body: op(0xf96f7324, 3n) })).toBeUndefined();
    expect(read({ body: beginCell().storeUint(0x47657424, 32).storeUint(0, 32) })).toBeUndefined();
    expect(read({ body: op(0x4e73744b, 0n) })).toBeUndefined();
    expect(read(answer(op(0xffffffff, 3n)))).toBeUndefined();
  });
});

describe('the election of a complaint', () => {
  const read = (sent: Sent) => readComplaintElection(received(sent), ELECTOR_ID);

  it('is named by complaints and votes to the elector', () => {
    const vote = op(0x56744370, 1n).storeBuffer(Buffer.alloc(64)).storeUint(0x56744350, 32).storeUint(3, 16);
    expect(read({ body: op(0x52674370, 1n).storeUint(77, 32) })).toBe(77);
    expect(read({ body: vote.storeUint(78, 32) })).toBe(78);
  });

  it('is unknown for other messages', () => {
    expect(read({ body: newStake(1n) })).toBeUndefined();
    expect(read({ body: op(0x52674370, 1n) })).toBeUndefined();
    expect(read({ to: HOLDER, body: op(0x52674370, 1n).storeUint(77, 32) })).toBeUndefined();
  });
});
