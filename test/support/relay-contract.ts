import { type Builder, beginCell, internal, type MessageRelaxed, storeMessageRelaxed } from '@ton/core';
import { type ContractState, contractState } from '../../src/localnet/contracts/contract.ts';

/** SETCP0, DROP, WHILE:<{ DUP, SREFS }>DO<{ LDREF, SWAP, PUSHINT 64, SENDRAWMSG }>. */
const CODE = 'ff00309320d74a96d4018040fb00e8';

/** A contract that sends the messages in the references of every body, with the value that it received. */
export function relayContract(number: number): ContractState {
  const code = beginCell().storeBuffer(Buffer.from(CODE, 'hex')).endCell();
  return contractState(code, beginCell().storeUint(number, 32).endCell());
}

/** The message that deploys a relay and has it send another one. */
export function throughRelay(
  { address, init }: ContractState,
  body: Builder,
  value: bigint,
  next: MessageRelaxed,
): MessageRelaxed {
  const sent = beginCell().store(storeMessageRelaxed(next)).endCell();
  return internal({ to: address, value, bounce: false, init, body: body.storeRef(sent).endCell() });
}
