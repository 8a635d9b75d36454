import { type Address, beginCell, type Cell, type MessageRelaxed } from '@ton/core';
import { beginBody, messageCell } from '../../../src/localnet/contracts/contract.ts';

/** Off-chain token content (TEP-64). */
export function offChainContent(uri: string): Cell {
  return beginCell().storeUint(1, 8).storeStringTail(uri).endCell();
}

/** Renews a domain. */
export function renewDomain(queryId?: bigint): Cell {
  return beginBody(0x4eb1f0f9, queryId).storeUint(0, 256).endCell();
}

/** Record with the resolver of subdomains. */
export function nextResolverRecord(address: Address): Cell {
  return beginCell().storeUint(0xba93, 16).storeAddress(address).endCell();
}

/** Offers the minter's admin role to another account, which has to claim it. */
export function changeJettonAdmin(newAdmin: Address, queryId?: bigint): Cell {
  return beginBody(0x6501f354, queryId).storeAddress(newAdmin).endCell();
}

/** Claims the minter's admin role. */
export function claimJettonAdmin(queryId?: bigint): Cell {
  return beginBody(0xfb88e119, queryId).endCell();
}

/** Changes the off-chain content of a jetton. */
export function changeJettonContent(uri: string, queryId?: bigint): Cell {
  return beginBody(0xcb862902, queryId).storeStringTail(uri).endCell();
}

/** Asks the minter for the wallet address of an owner (TEP-89). */
export function provideWalletAddress(owner: Address | null, includeOwner: boolean, queryId?: bigint): Cell {
  return beginBody(0x2c76b973, queryId).storeAddress(owner).storeBit(includeOwner).endCell();
}

/** Cancels a sale. */
export function cancelSale(queryId?: bigint): Cell {
  return beginBody(3, queryId).endCell();
}

/** Changes the price of a sale; the fee and the royalty are amounts here. */
export function changeSalePrice(options: {
  readonly queryId?: bigint;
  readonly price: bigint;
  readonly fee: bigint;
  readonly royalty: bigint;
}): Cell {
  return beginBody(0x6c6c2080, options.queryId)
    .storeCoins(options.price)
    .storeCoins(options.fee)
    .storeCoins(options.royalty)
    .endCell();
}

/** Mints one item; `ton` goes to it. */
export function deployItem(options: {
  readonly queryId?: bigint;
  readonly index: number | bigint;
  readonly ton: bigint;
  readonly item: Cell;
}): Cell {
  return beginBody(1, options.queryId)
    .storeUint(options.index, 64)
    .storeCoins(options.ton)
    .storeRef(options.item)
    .endCell();
}

/** Changes the owner of a collection. */
export function changeCollectionOwner(newOwner: Address, queryId?: bigint): Cell {
  return beginBody(3, queryId).storeAddress(newOwner).endCell();
}

/** Requests the royalty of a collection (TEP-66). */
export function getRoyalty(queryId?: bigint): Cell {
  return beginBody(0x693d3950, queryId).endCell();
}

/** Requests the static data of an item: index and collection. */
export function getStaticData(queryId?: bigint): Cell {
  return beginBody(0x2fcb26a2, queryId).endCell();
}

/** Makes a probe send up to four messages for its owner. */
export function probeRelay(
  messages: readonly { readonly mode: number; readonly message: MessageRelaxed }[],
  queryId?: bigint,
): Cell {
  const body = beginBody(0x70720006, queryId);
  for (const { mode, message } of messages) body.storeUint(mode, 8).storeRef(messageCell(message));
  return body.endCell();
}

/** Makes a probe send its balance to its owner and destroy itself. */
export function probeDestroy(queryId?: bigint): Cell {
  return beginBody(0x70720008, queryId).endCell();
}

/** External message that a probe accepts from anybody: it contains the number of messages accepted so far. */
export function probePoke(taken: number): Cell {
  return beginCell().storeUint(0x70720009, 32).storeUint(taken, 32).endCell();
}
