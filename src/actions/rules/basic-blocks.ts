import { Block, type EventNode } from './block.ts';
import { type Comment, ENCRYPTED_COMMENT, readComment } from './read-body.ts';

/** Data of a contract call, a deployment or a transfer. */
export interface MessageData {
  readonly source: string | null;
  readonly destination: string | null;
  readonly value: bigint | null;
}

export interface TonTransferData extends MessageData, Comment {}

/** The data of a TON transfer; undefined for other blocks. */
export function tonTransferOf(block: Block): TonTransferData | undefined {
  return block.type === 'ton_transfer' ? (block.data as TonTransferData) : undefined;
}

/** Creates a block for every step of a trace, linked like the steps. */
export function buildBasicBlocks(root: EventNode): Block {
  const first = basicBlock(root);
  // Not recursive: a trace may be deeper than the call stack.
  const open: (readonly [EventNode, Block])[] = [[root, first]];
  for (const [node, block] of open) {
    for (const child of node.children) {
      const next = basicBlock(child);
      block.connect(next);
      open.push([child, next]);
    }
  }
  return first;
}

function basicBlock(node: EventNode): Block {
  if (!node.message) return tickTock(node);
  const { source, destination, opcode } = node.message;
  const plain = opcode === null || opcode === 0 || opcode === ENCRYPTED_COMMENT;
  const block = plain && source !== null && destination !== null ? tonTransfer(node) : callContract(node);
  if (deploys(node)) block.children.push(contractDeploy(node));
  return block;
}

function tickTock(node: EventNode): Block {
  const { account } = node.transaction;
  const describe = () => ({ source: account });
  return new Block({ type: 'tick_tock', data: { account }, failed: node.failed, describe }, [node]);
}

function messageData({ message }: EventNode): MessageData {
  return {
    source: message?.source ?? null,
    destination: message?.destination ?? null,
    value: message?.value ?? null,
  };
}

function callContract(node: EventNode): Block {
  const data = messageData(node);
  const opcode = node.message?.opcode ?? null;
  const value_extra_currencies = node.message?.extraCurrencies ?? {};
  // A rejected empty call without value has no effect.
  const harmless =
    !data.value && opcode !== 0 && opcode !== null && Object.keys(value_extra_currencies).length === 0;
  const describe = () => ({ ...data, opcode, value_extra_currencies });
  return new Block({ type: 'call_contract', data, failed: node.failed && !harmless, describe }, [node]);
}

function contractDeploy(node: EventNode): Block {
  const data = messageData(node);
  const describe = () => ({ ...data, opcode: node.message?.opcode ?? null });
  return new Block({ type: 'contract_deploy', data, failed: node.failed, describe }, [node]);
}

function tonTransfer(node: EventNode): Block {
  const data: TonTransferData = { ...messageData(node), ...readComment(node.body()) };
  const describe = () => ({
    source: data.source,
    destination: data.destination,
    value: data.value,
    value_extra_currencies: node.message?.extraCurrencies ?? {},
    data: { ton_transfer_data: { content: data.comment, encrypted: data.encrypted } },
  });
  return new Block({ type: 'ton_transfer', data, failed: transferFailed(node), describe }, [node]);
}

/** A rejected transfer without the bounce flag still arrives. */
function transferFailed({ failed, message, transaction }: EventNode): boolean {
  if (!failed) return false;
  if (message?.bounce) return true;
  return transaction.endStatus !== 'uninit' && transaction.skippedReason !== 'no_gas';
}

function deploys({ transaction: { origStatus, endStatus } }: EventNode): boolean {
  return endStatus === 'active' && origStatus !== 'active' && origStatus !== 'frozen';
}
