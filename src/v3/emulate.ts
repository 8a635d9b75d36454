import Type from 'typebox';
import type { AccountId, ParsedAddress } from '../chain/address.ts';
import type { CellBag } from '../chain/boc/bag.ts';
import { CellError } from '../chain/boc/cells.ts';
import { writeCellBoc } from '../chain/boc/writer.ts';
import {
  buildUnsignedTransfer,
  readWallet,
  type TransferMessage,
  walletCodeOf,
} from '../chain/contracts/wallets.ts';
import { writeExternalMessage } from '../chain/tlb/message.ts';
import { readUnindexedState } from '../chain/tlb/placed-transaction.ts';
import type { Parameter } from '../http/operation.ts';
import { Failure } from '../lib/errors.ts';
import { shownValue } from '../lib/wrong-value.ts';
import { shardAccountBoc } from '../live/emulation.ts';
import { type EmulateCall, emulationSchema, runEmulation, toEmulationJson, viewParams } from './emulation.ts';
import { defineV3Operation } from './operation.ts';
import { booleanParam, parseAccountAddress, readBase64Boc, uint64Param } from './parameter-kinds.ts';
import { invalidParameter, MAX_UINT32, parseDecimal } from './parameters.ts';

export function createEmulateTrace() {
  return defineV3Operation({
    name: 'emulateTrace',
    methods: ['POST'],
    tag: 'emulate',
    summary: 'Emulate an external message',
    description:
      'Runs the message and everything that follows from it on top of the newest block, or of an older one. Nothing is sent. The header `X-Actions-Version` selects the action types that the client supports; without it, the latest.',
    parameters: {
      boc: messageParam(),
      ignore_chksig: booleanParam('Let every signature check succeed.', { fallback: false }),
      ...viewParams(),
    },
    ignoreUnknownProperties: true,
    requestName: 'EmulateRequest',
    result: emulationSchema,
    cache: 'none',
    handler: async ({ boc: message, ignore_chksig, ...view }, call: EmulateCall) => {
      const seqno = view.mc_block_seqno;
      const trace = await runEmulation(call, { message, ignoreSignature: ignore_chksig, seqno });
      return toEmulationJson(call, trace, { ...view, version: call.options.actionsVersion ?? 'latest' });
    },
  });
}

const VALID_SECONDS = 300;

export function createEmulateTonConnect() {
  return defineV3Operation({
    name: 'emulateTonConnect',
    methods: ['POST'],
    tag: 'emulate',
    summary: 'Emulate a TON Connect request',
    description:
      'Builds the external message that makes the wallet (v1 to v4, v5 r1) send up to four messages, and emulates it without checking signatures. The header `X-Actions-Version` selects the action types that the client supports; without it, those of `v1`.',
    parameters: {
      from: senderParam(),
      messages: messagesParam(),
      valid_until: uint64Param(
        'Unix time after which the wallet rejects the message, in seconds or a smaller unit.',
      ),
      ...viewParams(),
    },
    ignoreUnknownProperties: true,
    requestName: 'TonConnectEmulateRequest',
    result: emulationSchema,
    errors: [{ code: 500, when: 'The account is not a known wallet, or it rejects the message' }],
    cache: 'none',
    handler: async ({ from, messages, valid_until, ...view }, call: EmulateCall) => {
      const { emulation, caller, deadlineMs, signal } = call;
      const seqno = view.mc_block_seqno;
      const budgetMs = Math.max(1, deadlineMs - performance.now());
      const snapshot = await emulation.context.open({ seqno, group: caller.group, budgetMs, signal });
      const { utime } = await snapshot.config();
      const shardAccount = shardAccountBoc(await snapshot.account(from));
      const validUntil = valid_until === undefined ? utime + VALID_SECONDS : toSeconds(valid_until);
      const message = composeTransfer(shardAccount, { from, messages, validUntil });
      const trace = await runEmulation(call, { message, ignoreSignature: true, seqno });
      return toEmulationJson(call, trace, { ...view, version: call.options.actionsVersion ?? 'v1' });
    },
  });
}

/** Some dApps send milliseconds, microseconds or nanoseconds. A wallet stores 32 bits of seconds. */
function toSeconds(time: bigint): number {
  let seconds = time;
  for (let steps = 0; steps < 3 && seconds >= 10n ** 12n; steps++) seconds /= 1000n;
  return Number(seconds > MAX_UINT32 ? MAX_UINT32 : seconds);
}

interface Transfer {
  readonly from: AccountId;
  readonly messages: readonly TransferMessage[];
  readonly validUntil: number;
}

/** Builds the unsigned external message that makes a wallet send messages; its state is a ShardAccount. */
function composeTransfer(shardAccount: Uint8Array, { from, messages, validUntil }: Transfer): Buffer {
  const { state, cells, code, data } = readUnindexedState(shardAccount);
  if (state.known === undefined)
    throw new Failure('lite_server', 'Failed to fetch account state: Account not found in accounts_dict');
  if (code < 0 || data < 0) throw new Failure('lite_server', 'Account state no code or no data');
  const wallet = walletCodeOf(state.known.codeHash!);
  const walletData = wallet && readWallet(wallet.layout, cells, data);
  if (wallet?.type === undefined || walletData?.seqno === undefined)
    throw new Failure('lite_server', 'Account is not a known wallet');
  try {
    const { seqno, walletId } = walletData;
    const body = buildUnsignedTransfer({ type: wallet.type, seqno, walletId, validUntil, messages });
    if (body === undefined)
      throw new Failure(
        'lite_server',
        `Unsupported wallet type: ${wallet.type} with ${messages.length} messages`,
      );
    const message = writeExternalMessage({ to: from, body });
    return writeCellBoc(message, message.root);
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    throw invalidParameter('messages', `messages cannot be put into cells: ${error.message}`);
  }
}

function messageParam(): Parameter<Buffer> {
  return {
    schema: Type.String(),
    description: 'External message as a bag of cells in base64.',
    required: true,
    read: ({ name, values }) => {
      const value = values.at(-1);
      if (value === undefined || value === '') throw invalidParameter(name, 'boc is required');
      const bag = readBoc(value, { name, what: 'invalid boc' });
      return writeCellBoc(bag, bag.root);
    },
  };
}

const MAX_MESSAGES = 4;
const MAX_AMOUNT = 2n ** 64n - 1n;

function senderParam(): Parameter<ParsedAddress> {
  return {
    schema: Type.String(),
    description: 'Address of the wallet.',
    required: true,
    read: ({ name, values }) => {
      const value = values.at(-1);
      if (value === undefined || value === '')
        throw invalidParameter(name, 'from address is required for emulation');
      const address = typeof value === 'string' ? parseAccountAddress(value) : undefined;
      if (address === undefined)
        throw invalidParameter(name, `invalid from address: expected an address, not ${shownValue(value)}`);
      return address;
    },
  };
}

const messageSchema = Type.Object(
  {
    address: Type.String({ description: 'A friendly address also decides whether the message may bounce.' }),
    amount: Type.String({ description: 'Nanotons as a decimal string.' }),
    payload: Type.Optional(Type.String({ description: 'Message body as a bag of cells in base64.' })),
    stateInit: Type.Optional(Type.String({ description: 'StateInit as a bag of cells in base64.' })),
  },
  { title: 'TonConnectMessage' },
);

function messagesParam(): Parameter<readonly TransferMessage[]> {
  return {
    schema: Type.Array(messageSchema, { minItems: 1, maxItems: MAX_MESSAGES }),
    description: 'Messages that the wallet should send.',
    required: true,
    read: ({ name, values }) => {
      const given = values.at(-1) ?? [];
      if (!Array.isArray(given))
        throw invalidParameter(name, `messages must be an array, not ${shownValue(given)}`);
      if (given.length === 0) throw invalidParameter(name, 'messages array cannot be empty');
      if (given.length > MAX_MESSAGES)
        throw invalidParameter(name, `messages array cannot contain more than ${MAX_MESSAGES} messages`);
      return given.map((message, index) => toMessage(name, message, index));
    },
  };
}

function toMessage(name: string, given: unknown, index: number): TransferMessage {
  const { address, amount, payload, stateInit } = (given ?? {}) as Record<string, unknown>;
  const where = `message at index ${index}`;
  const refusal = (text: string) => invalidParameter(name, text);
  if (isEmpty(address)) throw refusal(`${where} cannot be empty`);
  if (isEmpty(amount)) throw refusal(`amount in ${where} cannot be empty`);
  const value = typeof amount === 'string' ? parseDecimal(amount, 0n, MAX_AMOUNT) : undefined;
  if (value === undefined)
    throw refusal(
      `invalid amount in ${where}: expected nanotons as a decimal text, not ${shownValue(amount)}`,
    );
  const to = typeof address === 'string' ? parseAccountAddress(address) : undefined;
  if (to === undefined)
    throw refusal(`invalid address in ${where}: expected an address, not ${shownValue(address)}`);
  return {
    to,
    bounce: to.bounceable,
    value,
    body: readOptionalBoc(payload, { name, what: `invalid message payload at index ${index}` }),
    init: readOptionalBoc(stateInit, { name, what: `invalid message stateInit at index ${index}` }),
  };
}

function readOptionalBoc(value: unknown, refusal: BocRefusal): CellBag | undefined {
  return value === undefined || value === null ? undefined : readBoc(value, refusal);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Validators accept far smaller messages. */
const MAX_BOC_CHARS = 256 * 1024;

/** The parameter that an error names, and how its text starts. */
interface BocRefusal {
  readonly name: string;
  readonly what: string;
}

function readBoc(value: unknown, { name, what }: BocRefusal): CellBag {
  const expected = () => `expected a bag of cells in base64, not ${shownValue(value)}`;
  if (typeof value !== 'string') throw invalidParameter(name, `${what}: ${expected()}`);
  try {
    if (value.length > MAX_BOC_CHARS) throw new CellError('it is too large');
    const bag = readBase64Boc(value);
    if (bag.levelMask(bag.root) !== 0) throw new CellError('it is a part of a proof');
    return bag;
  } catch (error) {
    if (error instanceof CellError || error instanceof Failure)
      throw invalidParameter(name, `${what}: ${error.message}: ${expected()}`);
    throw error;
  }
}
