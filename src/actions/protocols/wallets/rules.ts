import { createPublicKey, verify } from 'node:crypto';
import { readBoc } from '../../../chain/boc/bag.ts';
import { Slice } from '../../../chain/boc/slice.ts';
import { writeBoc } from '../../../chain/boc/writer.ts';
import { interfaceOfCode } from '../../../chain/contracts/interfaces.ts';
import { lookUp } from '../../../chain/tlb/dictionary.ts';
import type { AdditionalAction, AdditionalRule } from '../../rules/additional.ts';
import type { Block } from '../../rules/block.ts';
import type { Interfaces } from '../../rules/classifier-input.ts';
import { messagesOf } from '../../rules/message-layouts.ts';
import { readAccount, someAccount } from '../../rules/read-body.ts';
import { RuleMismatch } from '../../rules/rule.ts';
import { WALLETS } from './layouts.ts';

const w5 = messagesOf(WALLETS, 'w5_');

const OPCODE_BITS = 32;
const SIGNATURE_BITS = 512;
/** Wallet id, end of validity and seqno of a signed request. */
const SIGNED_HEAD_BITS = 96;
const QUERY_ID_BITS = 64;
const ED25519_DER = Buffer.from('302a300506032b6570032100', 'hex');

/** The wallet of a call, if it is a wallet v5. */
function walletOf({ message }: Block, interfaces: Interfaces): string {
  const wallet = someAccount(message.destination);
  const code = Buffer.from(interfaces.codeHashOf(wallet) ?? '', 'base64');
  if (interfaceOfCode(code) !== 'wallet_v5r1') throw new RuleMismatch('not a wallet v5');
  return wallet;
}

/** What a wallet v5 knows of who may use it. The key never changes. */
function readOwners(wallet: string, interfaces: Interfaces) {
  const boc = interfaces.dataOf(wallet);
  if (!boc) throw new RuleMismatch('the data of the wallet is unknown');
  const bag = readBoc(boc);
  const data = new Slice(bag, bag.root);
  data.skip(1 + 32 + 32);
  return { publicKey: data.hash(), cells: bag, extensions: data.maybeRef() };
}

/** Whether the owner signed a request. The wallet ignores one with another signature, and throws nothing. */
function isSigned(body: Slice, publicKey: Buffer): boolean {
  if (body.bitsLeft < OPCODE_BITS + SIGNED_HEAD_BITS + SIGNATURE_BITS) return false;
  const signature = body.clone();
  signature.skip(body.bitsLeft - SIGNATURE_BITS);
  const signed = body.clone();
  signed.bitEnd -= SIGNATURE_BITS;
  const bag = readBoc(writeBoc(signed, { order: 'core' }));
  const key = createPublicKey({
    key: Buffer.concat([ED25519_DER, publicKey]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, bag.hash(bag.root), key, signature.bytes(SIGNATURE_BITS / 8));
}

/** Whether the sender is an extension of the wallet. The wallet ignores the requests of others, and throws nothing. */
function isExtension(wallet: string, sender: string | null, interfaces: Interfaces): boolean {
  const { cells, extensions } = readOwners(wallet, interfaces);
  const [workchain, hash] = (sender ?? '').split(':') as [string, string];
  if (sender === null || workchain !== wallet.split(':')[0]) return false;
  return lookUp(cells, extensions, 256, Buffer.from(hash, 'hex')) !== undefined;
}

/** The wallet commits the seqno of an external request before it carries it out, so a failure is not always an abort. */
function succeeded({ failed, node }: Block): boolean {
  const { exitCode } = node.transaction;
  return !failed && (exitCode === 0 || exitCode === 1);
}

type Extended = Pick<AdditionalAction, 'type' | 'destination' | 'data'>;

/** The changes of extensions and of the right to sign in a request, after its head. */
function readExtended(request: Slice): Extended[] {
  const found: Extended[] = [];
  // The messages to send.
  if (request.boolean()) request.ref();
  if (!request.boolean()) return found;
  for (let part = request; ; part = part.refSlice()) {
    found.push(readExtendedAction(part));
    if (part.refsLeft === 0) return found;
  }
}

function readExtendedAction(part: Slice): Extended {
  switch (part.uint(8)) {
    case 2:
      return { type: 'add_extension', destination: someAccount(readAccount(part)) };
    case 3:
      return { type: 'remove_extension', destination: someAccount(readAccount(part)) };
    case 4:
      return {
        type: 'set_signature_allowed',
        data: { set_signature_allowed_data: { allowed: part.boolean() } },
      };
    default:
      throw new RuleMismatch('the wallet rejects such an action');
  }
}

/** Whether a request comes from someone whom the wallet obeys. */
function isObeyed(block: Block, wallet: string, interfaces: Interfaces): boolean {
  if (block.calls(w5.external_signed_request)) return block.message.source === null;
  if (block.calls(w5.extension_action_request)) return isExtension(wallet, block.message.source, interfaces);
  return isSigned(block.node.body(), readOwners(wallet, interfaces).publicKey);
}

export const walletRules: readonly AdditionalRule[] = [
  // Changes of extensions and of the right to sign of a wallet v5.
  {
    name: 'extended wallet actions',
    start: { calls: [w5.external_signed_request, w5.internal_signed_request, w5.extension_action_request] },
    find(block, { interfaces }) {
      const request = block.bodyAfterOpcode();
      const isSignedRequest = !block.calls(w5.extension_action_request);
      if (isSignedRequest) request.bitEnd -= SIGNATURE_BITS;
      request.skip(isSignedRequest ? SIGNED_HEAD_BITS : QUERY_ID_BITS);
      const extended = readExtended(request);
      if (extended.length === 0) return [];
      const source = walletOf(block, interfaces);
      if (!isObeyed(block, source, interfaces)) return [];
      const success = succeeded(block);
      return extended.map((one) => ({ ...one, source, success, members: [block], isBeside: true }));
    },
  },
  // Somebody brings a request that the owner of a wallet v5 signed, and pays for its gas.
  {
    name: 'gas relay',
    start: { calls: [w5.internal_signed_request] },
    find(block, { interfaces }) {
      const { source, value } = block.message;
      const destination = walletOf(block, interfaces);
      const { publicKey } = readOwners(destination, interfaces);
      if (source === null || source === destination || !isSigned(block.node.body(), publicKey)) return [];
      const type = 'gas_relay';
      return [{ type, source, destination, amount: value, success: succeeded(block), members: [block] }];
    },
  },
];
