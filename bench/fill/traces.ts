import type { Account } from './accounts.ts';
import type { BodyBuilder } from './bodies.ts';
import { type Population, WALLET_RESERVE } from './population.ts';
import type { Random } from './random.ts';

/** A message that a contract sends, and what its receiver does. */
export interface Sending {
  readonly to: Account;
  readonly value: number;
  /** A cell of the arena, -1 for an empty body. */
  readonly body: number;
  /** Whether it comes back if it fails; left out for true. */
  readonly bounce?: boolean;
  readonly handler?: Handler;
}

/** A running contract. */
export interface Call {
  readonly account: Account;
  /** Sends what is left of the received value, or the given value. */
  send(sending: Omit<Sending, 'value'> & { readonly value?: number }): void;
  /** Fails; the message bounces. */
  fail(exitCode: number, bounced: number): void;
}

/** What a contract does with a message; without one it only takes the value. */
export type Handler = (call: Call) => void;

/** What traces are made of. */
export interface TraceContext {
  readonly random: Random;
  readonly accounts: Population;
  readonly bodies: BodyBuilder;
}

/** A wallet that receives an external message. */
interface TraceStart {
  readonly account: Account;
  readonly handler: Handler;
}

/** A kind of traces with its share, in per cent of all traces. */
export interface TraceKind {
  readonly name: string;
  readonly share: number;
  readonly transactions: number;
  start(context: TraceContext): TraceStart;
}

const TON = 1_000_000_000;
/** What users send along with a request to a contract. */
const GAS_VALUE = TON / 4;
const MAX_QUERY_ID = 2 ** 48;
const FAILURE = 0xffff;

/** The smallest one fills up what is left of a run. */
export const PLAIN_TRACE: TraceKind = {
  name: 'external message alone',
  share: 11,
  transactions: 1,
  start: ({ accounts }) => ({ account: accounts.anyWallet(), handler: () => {} }),
};

/** All kinds of traces. docs/operate/scale.md shows the table. */
export const TRACE_KINDS: readonly TraceKind[] = [
  { name: 'payment', share: 36, transactions: 2, start: payment },
  PLAIN_TRACE,
  { name: 'payout to four', share: 3, transactions: 5, start: payout },
  { name: 'jetton transfer', share: 26, transactions: 5, start: jettonTransfer },
  { name: 'swap', share: 10, transactions: 11, start: swap },
  { name: 'NFT transfer', share: 6, transactions: 4, start: nftTransfer },
  { name: 'failed call', share: 3, transactions: 3, start: failedCall },
  { name: 'jetton mint', share: 2, transactions: 4, start: jettonMint },
  { name: 'jetton burn', share: 1.5, transactions: 4, start: jettonBurn },
  { name: 'DNS record', share: 1.5, transactions: 3, start: dnsRecord },
];

function payment({ accounts, random, bodies }: TraceContext): TraceStart {
  const account = accounts.anyWallet();
  const to = accounts.anyWallet();
  const body = random.fraction() < 0.4 ? bodies.comment(`Order ${random.below(1e9)}`) : -1;
  return {
    account,
    handler: (call) => call.send({ to, value: amountOf(random, account), body, bounce: false }),
  };
}

/** An exchange pays four users at once. */
function payout({ accounts, random, bodies }: TraceContext): TraceStart {
  const account = accounts.exchange();
  const receivers = Array.from({ length: 4 }, () => accounts.anyWallet());
  return {
    account,
    handler: (call) => {
      for (const to of receivers)
        call.send({
          to,
          value: amountOf(random, account),
          body: bodies.comment(`Withdrawal ${random.below(1e9)}`),
          bounce: false,
        });
    },
  };
}

function jettonTransfer(context: TraceContext): TraceStart {
  const { accounts, random, bodies } = context;
  const account = accounts.anyWallet();
  const to = accounts.anyWallet();
  const payload = random.fraction() < 0.3 ? bodies.comment(`Invoice ${random.below(1e9)}`) : -1;
  return {
    account,
    handler: (call) =>
      sendJettons(context, call, { to, jetton: accounts.anyJetton(), payload, onNotified: () => {} }),
  };
}

interface JettonOrder {
  readonly to: Account;
  readonly jetton: Account;
  readonly payload: number;
  /** What the receiver does when it is notified. */
  readonly onNotified: Handler;
  readonly amount?: number;
  readonly queryId?: number;
  /** Who gets what is left of the value; the sender if left out. */
  readonly response?: Account;
  /** The value for the first message; null for what is left of the received one. */
  readonly value?: number | null;
  readonly notifiedValue?: number;
}

/** Four transactions: the wallets of sender and receiver, the notification, and the return of what is left of the value. */
function sendJettons({ accounts, random, bodies }: TraceContext, call: Call, order: JettonOrder): void {
  const { account: from } = call;
  const { to, jetton, payload, onNotified, value = GAS_VALUE, notifiedValue = TON / 100 } = order;
  const { response = from, queryId = random.below(MAX_QUERY_ID) } = order;
  const source = accounts.jettonWallet(from, jetton);
  const destination = accounts.jettonWallet(to, jetton);
  const amount = order.amount ?? jettonsOf(random, source);
  const transfer = { queryId, amount, payload, response };
  call.send({
    to: source,
    ...(value !== null && { value }),
    body: bodies.jettonTransfer({ ...transfer, to }),
    handler: (inSource) => {
      source.amount -= amount;
      inSource.send({
        to: destination,
        body: bodies.jettonInternalTransfer({ ...transfer, from }),
        handler: (inDestination) => {
          destination.amount += amount;
          const body = bodies.jettonNotification({ queryId, amount, payload, from });
          inDestination.send({ to, value: notifiedValue, body, bounce: false, handler: onNotified });
          inDestination.send({ to: response, body: bodies.excesses(queryId), bounce: false });
        },
      });
    },
  });
}

/** What a swap continues with. */
const SWAP_VALUE = 180_000_000;

/** A jetton for another one, through the router and a pool of the DEX. */
function swap(context: TraceContext): TraceStart {
  const { accounts, random, bodies } = context;
  const user = accounts.anyWallet();
  const [jetton, wanted] = accounts.twoJettons();
  const { router } = accounts;
  const given = jettonsOf(random, accounts.jettonWallet(user, jetton));
  const details = {
    queryId: random.below(MAX_QUERY_ID),
    user,
    givenWallet: accounts.jettonWallet(router, jetton),
    wantedWallet: accounts.jettonWallet(router, wanted),
    given,
    taken: Math.ceil(given * (0.5 + random.fraction())),
  };
  const { queryId, taken: amount } = details;
  const pay: Handler = (inRouter) => {
    const payment = { to: user, jetton: wanted, payload: -1, onNotified: () => {} };
    sendJettons(context, inRouter, { ...payment, amount, queryId, response: user, value: null });
  };
  const trade: Handler = (inPool) => {
    inPool.account.amount++;
    inPool.send({ to: router, body: bodies.swapPayment(details), handler: pay });
  };
  const onNotified: Handler = (inRouter) =>
    inRouter.send({ to: accounts.pool(jetton, wanted), body: bodies.swap(details), handler: trade });
  return {
    account: user,
    handler: (call) => {
      const payload = bodies.swapRequest(details);
      const order = { to: router, jetton, payload, amount: given, queryId, onNotified };
      sendJettons(context, call, { ...order, notifiedValue: SWAP_VALUE });
    },
  };
}

function nftTransfer({ accounts, random, bodies }: TraceContext): TraceStart {
  const item = accounts.anyItem();
  const owner = item.owner!;
  const to = accounts.anyWallet();
  const queryId = random.below(MAX_QUERY_ID);
  const handler: Handler = (inItem) => {
    item.owner = to;
    const body = bodies.nftAssigned(queryId, owner);
    inItem.send({ to, value: TON / 100, body, bounce: false });
    inItem.send({ to: owner, body: bodies.excesses(queryId), bounce: false });
  };
  const body = bodies.nftTransfer(queryId, to, owner);
  return { account: owner, handler: (call) => call.send({ to: item, value: GAS_VALUE, body, handler }) };
}

/** A request that its receiver does not understand. */
function failedCall({ accounts, random, bodies }: TraceContext): TraceStart {
  const account = accounts.anyWallet();
  const to = accounts.anyJetton();
  const opcode = random.uint32();
  const queryId = random.below(MAX_QUERY_ID);
  const handler: Handler = (call) => call.fail(FAILURE, bodies.bounced(opcode, queryId));
  const body = bodies.plain(opcode, queryId);
  return { account, handler: (call) => call.send({ to, value: GAS_VALUE, body, handler }) };
}

function jettonMint({ accounts, random, bodies }: TraceContext): TraceStart {
  const jetton = accounts.anyJetton();
  const admin = jetton.owner!;
  const to = accounts.anyWallet();
  const wallet = accounts.jettonWallet(to, jetton);
  const queryId = random.below(MAX_QUERY_ID);
  const amount = 1 + random.below(1e9);
  const transfer = bodies.jettonInternalTransfer({
    queryId,
    amount,
    payload: -1,
    from: undefined,
    response: admin,
  });
  const handler: Handler = (inJetton) => {
    jetton.amount += amount;
    const receive: Handler = (inWallet) => {
      wallet.amount += amount;
      inWallet.send({ to: admin, body: bodies.excesses(queryId), bounce: false });
    };
    inJetton.send({ to: wallet, body: transfer, handler: receive });
  };
  const body = bodies.jettonMint(queryId, to, transfer);
  return { account: admin, handler: (call) => call.send({ to: jetton, value: GAS_VALUE, body, handler }) };
}

function jettonBurn({ accounts, random, bodies }: TraceContext): TraceStart {
  const account = accounts.anyWallet();
  const jetton = accounts.anyJetton();
  const wallet = accounts.jettonWallet(account, jetton);
  const queryId = random.below(MAX_QUERY_ID);
  const amount = jettonsOf(random, wallet);
  const handler: Handler = (inWallet) => {
    wallet.amount -= amount;
    const burn: Handler = (inJetton) => {
      jetton.amount -= amount;
      inJetton.send({ to: account, body: bodies.excesses(queryId), bounce: false });
    };
    inWallet.send({
      to: jetton,
      body: bodies.jettonBurnNotification(queryId, amount, account),
      handler: burn,
    });
  };
  const body = bodies.jettonBurn(queryId, amount, account);
  return { account, handler: (call) => call.send({ to: wallet, value: GAS_VALUE, body, handler }) };
}

function dnsRecord({ accounts, random, bodies }: TraceContext): TraceStart {
  const domain = accounts.anyDomain();
  const owner = domain.owner!;
  const queryId = random.below(MAX_QUERY_ID);
  const handler: Handler = (call) => call.send({ to: owner, body: bodies.excesses(queryId), bounce: false });
  const body = bodies.dnsRecord(queryId, random.bytes(32), owner);
  return { account: owner, handler: (call) => call.send({ to: domain, value: GAS_VALUE, body, handler }) };
}

/** Mostly small, and at most a hundredth of what the sender has above its reserve. */
function amountOf(random: Random, { balance }: Account): number {
  const most = Math.max(0, balance - WALLET_RESERVE) / 100;
  return 1 + Math.floor(Math.min(most, 100 * TON * random.fraction() ** 4));
}

/** A small part of the jettons in a wallet: several transfers may be under way at the same time. */
function jettonsOf(random: Random, wallet: Account): number {
  return 1 + random.skewed(wallet.amount / 1000, 3);
}
