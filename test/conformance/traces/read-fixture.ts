import { readFileSync } from 'node:fs';
import type {
  AccountStatus,
  ClassifierInput,
  Interfaces,
  MessageFacts,
  TransactionFacts,
} from '../../../src/actions/rules/classifier-input.ts';

interface FixtureMessage {
  readonly msg_hash: string;
  readonly source: string | null;
  readonly destination: string | null;
  readonly value: string | null;
  readonly value_extra_currencies: Record<string, string> | null;
  readonly created_lt: string | null;
  readonly created_at: number | null;
  readonly opcode: number | null;
  readonly bounce: boolean | null;
  readonly body_boc: string;
  readonly init_state_boc: string | null;
}

interface FixtureTransaction {
  readonly hash: string;
  readonly account: string;
  readonly lt: string;
  readonly now: number;
  readonly mc_block_seqno: number;
  readonly orig_status: AccountStatus;
  readonly end_status: AccountStatus;
  readonly descr: string;
  readonly aborted: boolean;
  readonly compute_exit_code: number | null;
  readonly in_msg: FixtureMessage | null;
  readonly out_msgs: readonly FixtureMessage[];
}

// biome-ignore lint/suspicious/noExplicitAny: records of many kinds, read field by field below
type Records = Record<string, Record<string, any>>;

/** A trace in the format of the reference's tests. */
export interface TraceFixture {
  readonly trace_id: string;
  readonly trace: {
    readonly external_hash: string | null;
    readonly mc_seqno_end: number;
    readonly start_lt: string;
    readonly end_lt: string;
    readonly start_utime: number;
    readonly end_utime: number;
  };
  readonly transactions: readonly FixtureTransaction[];
  readonly interfaces: Records;
}

/** Reads a trace file. */
export function readTraceFixture(file: string): TraceFixture {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** A fixture as input for the classifier. */
export function fixtureInput({ trace_id, trace, transactions, interfaces }: TraceFixture): ClassifierInput {
  return {
    trace: {
      traceId: trace_id,
      externalHash: trace.external_hash,
      externalHashNorm: null,
      mcSeqnoEnd: trace.mc_seqno_end,
      startLt: BigInt(trace.start_lt),
      endLt: BigInt(trace.end_lt),
      startUtime: trace.start_utime,
      endUtime: trace.end_utime,
      transactions: transactions.map(transactionFacts),
    },
    interfaces: fixtureInterfaces(interfaces),
  };
}

function transactionFacts(one: FixtureTransaction): TransactionFacts {
  return {
    hash: one.hash,
    account: one.account,
    lt: BigInt(one.lt),
    now: one.now,
    mcSeqno: one.mc_block_seqno,
    origStatus: one.orig_status,
    endStatus: one.end_status,
    tickTock: one.descr === 'tick_tock',
    aborted: one.aborted,
    skippedReason: null,
    exitCode: one.compute_exit_code,
    inMessage: one.in_msg ? messageFacts(one.in_msg) : undefined,
    outMessages: one.out_msgs.map(messageFacts),
  };
}

function messageFacts(one: FixtureMessage): MessageFacts {
  return {
    hash: one.msg_hash,
    source: one.source,
    destination: one.destination,
    value: one.value === null ? null : BigInt(one.value),
    extraCurrencies: one.value_extra_currencies ?? {},
    createdLt: one.created_lt === null ? null : BigInt(one.created_lt),
    createdAt: one.created_at,
    opcode: one.opcode === null ? null : one.opcode >>> 0,
    bounce: one.bounce,
    body: Buffer.from(one.body_boc, 'base64'),
    init: one.init_state_boc === null ? undefined : Buffer.from(one.init_state_boc, 'base64'),
  };
}

const big = (value: string | number | null | undefined) => BigInt(value ?? 0);

function fixtureInterfaces(records: Records): Interfaces {
  const find = (address: string, kind: string) => records[address]?.[kind];
  return {
    jettonWallet(address) {
      const one = find(address, 'JettonWallet');
      return one && { address: one.address, owner: one.owner, jetton: one.jetton };
    },
    nftItem(address) {
      const one = find(address, 'NftItem');
      return (
        one && {
          address: one.address,
          index: big(one.index),
          content: one.content,
          collection: one.collection_address,
          codeHash: one.code_hash ?? null,
        }
      );
    },
    nftSale(address) {
      const one = find(address, 'NftSale');
      return (
        one && {
          marketplace: one.marketplace_address,
          nft: one.nft_address,
          nftOwner: one.nft_owner_address,
          fullPrice: big(one.full_price),
          codeHash: one.code_hash ?? null,
        }
      );
    },
    nftAuction(address) {
      const one = find(address, 'NftAuction');
      return (
        one && {
          marketplace: one.mp_addr,
          nft: one.nft_addr,
          nftOwner: one.nft_owner,
          lastBid: big(one.last_bid),
          codeHash: one.code_hash ?? null,
        }
      );
    },
    isNominatorPool: (address) => find(address, 'NominatorPool') !== undefined,
    multisigOrder: () => undefined,
    dedustPool(address) {
      const one = find(address, 'DedustPool');
      // biome-ignore lint/suspicious/noExplicitAny: as above
      const asset = (side: any) => ({ isTon: side.is_ton, address: side.address });
      return one && { assets: [asset(one.assets[0]), asset(one.assets[1])] };
    },
    dataOf(address) {
      const one = find(address, 'data_boc');
      return one && Buffer.from(one.data_boc, 'base64');
    },
    // Fixtures do not have them; only types of our own need them.
    codeHashOf: () => undefined,
    walletCodeHashOf: () => undefined,
  };
}
