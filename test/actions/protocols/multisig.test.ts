import { type Address, beginCell, type Cell, internal, toNano } from '@ton/core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ContractState, textComment } from '../../../src/localnet/contracts/contract.ts';
import {
  approveOrder,
  multisigOrder,
  multisigWallet,
  newOrder,
  packOrder,
} from '../../../src/localnet/contracts/multisig.ts';
import { type Person, type SmallChain, startSmallChain } from '../../localnet/support/small-chain.ts';
import { actionsOf, summarizeActions, typesOf, withNames } from '../support/action-summaries.ts';
import type { KnownContracts } from '../support/known-contracts.ts';
import { account, op, sent, text } from '../support/trace-builder.ts';
import { raw, traceOfRun } from '../support/trace-of-run.ts';

let net: SmallChain;
let ann: Person;
let ben: Person;
let dan: Person;
let wallet: ContractState;
let order: Address;
let pay: Cell;
let known: KnownContracts;

beforeAll(async () => {
  net = await startSmallChain();
  [ann, ben, dan] = await net.people('ann', 'ben', 'dan');
  wallet = multisigWallet({ threshold: 2, signers: [ann.address, ben.address], proposers: [dan.address] });
  await net.send(ann, wallet.address, toNano('100'), undefined, wallet.init);
  order = multisigOrder(wallet.address, 0n).address;
  const message = internal({ to: dan.address, value: toNano('7') });
  pay = packOrder([{ kind: 'send', mode: 1, message }]);
  const signers = [raw(ann.address), raw(ben.address)];
  known = { multisigOrders: { [raw(order)]: { multisig: raw(wallet.address), signers } } };
  net.save();
});

beforeEach(() => net.reset());

type Run = Awaited<ReturnType<SmallChain['send']>>;

const named = (run: Run) => {
  const people = { ann: raw(ann.address), ben: raw(ben.address), dan: raw(dan.address) };
  const actions = summarizeActions(traceOfRun(run), known);
  return withNames(actions, { ...people, multisig: raw(wallet.address), order: raw(order) });
};

const propose = (who: Person, by: 'signer' | 'proposer') =>
  net.send(
    who,
    wallet.address,
    toNano('0.2'),
    newOrder({ by, index: 0, expiration: net.chain.now! + 3600, order: pay, queryId: 9n, seqno: 0n }),
  );

describe('a new multisig order', () => {
  it('of a signer has the approval of the signer', async () => {
    const actions = named(await propose(ann, 'signer'));
    expect(typesOf(actions)).toEqual([
      'multisig_create_order',
      'multisig_create_order/call_contract',
      'multisig_create_order/call_contract',
      'contract_deploy',
    ]);
    expect(actions[0]).toEqual({
      type: 'multisig_create_order',
      success: true,
      txs: 'tx0 tx1 tx2',
      source: 'ann',
      destination: 'multisig',
      destination_secondary: 'order',
      multisig_create_order_data: {
        query_id: 9n,
        order_seqno: 0n,
        creator_index: 0,
        expiration_date: BigInt(net.chain.now! + 3600),
        is_created_by_signer: true,
        is_signed_by_creator: true,
        order_boc: pay.toBoc({ idx: false, crc32: false }).toString('base64'),
      },
    });
  });

  it('of a proposer has no approval', async () => {
    expect(named(await propose(dan, 'proposer'))[0]).toMatchObject({
      source: 'dan',
      multisig_create_order_data: { is_created_by_signer: false, is_signed_by_creator: false },
    });
  });

  it('involves all signers', async () => {
    const [action] = actionsOf(traceOfRun(await propose(dan, 'proposer')), known);
    expect(action?.accounts).toEqual(expect.arrayContaining([raw(ann.address), raw(ben.address)]));
  });

  it('is a contract call if it is not in the index', async () => {
    const actions = summarizeActions(traceOfRun(await propose(ann, 'signer')));
    expect(typesOf(actions)).toEqual(['call_contract', 'call_contract', 'contract_deploy']);
  });
});

describe('a multisig approval', () => {
  beforeEach(async () => void (await propose(ann, 'signer')));

  it('may execute the order', async () => {
    const actions = named(await net.send(ben, order, toNano('0.1'), approveOrder(1, 5n)));
    expect(actions.filter(({ within }) => !within)).toEqual([
      {
        type: 'multisig_approve',
        success: true,
        source: 'ben',
        destination: 'order',
        txs: 'tx0 tx1 tx2',
        multisig_approve_data: { signer_index: 1, exit_code: 0 },
      },
      {
        type: 'multisig_execute',
        success: true,
        source: 'order',
        destination: 'multisig',
        txs: 'tx1 tx3',
        multisig_execute_data: {
          query_id: 5n,
          order_seqno: 0n,
          approvals_num: 2,
          expiration_date: BigInt(net.chain.now! + 3600),
          signers_hash: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
          order_boc: pay.toBoc({ idx: false, crc32: false }).toString('base64'),
        },
      },
      expect.objectContaining({ type: 'ton_transfer', source: 'multisig', destination: 'dan' }),
    ]);
  });

  it('may be given by comment', async () => {
    const [approval] = named(await net.send(ben, order, toNano('0.1'), textComment('approve')));
    expect(approval).toMatchObject({
      type: 'multisig_approve',
      success: true,
      source: 'ben',
      multisig_approve_data: { signer_index: -1, exit_code: 0 },
    });
  });

  it('may be rejected', async () => {
    const actions = named(await net.send(ann, order, toNano('0.1'), approveOrder(0, 5n)));
    expect(actions[0]).toMatchObject({
      type: 'multisig_approve',
      success: false,
      source: 'ann',
      destination: 'order',
      multisig_approve_data: { signer_index: 0, exit_code: 107 },
    });
  });
});

describe('a contract call instead of a multisig action', () => {
  const [ALICE, SOMETHING] = [account('alice'), account('something')];
  const orders = { multisigOrders: { [SOMETHING]: { multisig: account('multisig'), signers: [] } } };
  const accepted = { to: ALICE, body: op(0x82609bf6, 1n) };

  it('results from an approval of an account that is not an order', () => {
    const approval = { to: SOMETHING, body: op(0xa762230f, 1n).storeUint(0, 8), sends: [accepted] };
    expect(typesOf(summarizeActions(sent(ALICE, approval)))).toEqual(['call_contract', 'call_contract']);
    expect(typesOf(summarizeActions(sent(ALICE, approval), orders))).toContain('multisig_approve');
    const comment = { to: SOMETHING, body: text('approve'), sends: [accepted] };
    expect(typesOf(summarizeActions(sent(ALICE, comment)))).toEqual(['ton_transfer', 'call_contract']);
  });

  it('results from an approval without a complete response', () => {
    const approval = { to: SOMETHING, body: op(0xa762230f, 1n).storeUint(0, 8) };
    const rejected = { to: ALICE, body: op(0xafaf283e, 1n) };
    expect(typesOf(summarizeActions(sent(ALICE, approval), orders))).toEqual(['call_contract']);
    expect(typesOf(summarizeActions(sent(ALICE, { ...approval, sends: [rejected] }), orders))).toEqual([
      'call_contract',
      'call_contract',
    ]);
  });

  it('results from a truncated order', () => {
    const execute = { to: ALICE, body: op(0x75097f5d, 1n).storeUint(0, 256).storeRef(beginCell()) };
    expect(typesOf(summarizeActions(sent(SOMETHING, execute), orders))).toEqual(['call_contract']);
  });
});
