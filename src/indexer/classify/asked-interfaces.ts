import type { Interfaces } from '../actions/interfaces.ts';
import type { ContractBook } from './contract-book.ts';

/**
 * What is known of contracts, for one trace; notes what it is asked for. The rules read addresses out of bodies and data,
 * so who asks is the only one to know which accounts matter: where one was not looked up, it is looked up then, and the
 * trace is classified once more.
 */
export class AskedInterfaces implements Interfaces {
  /** Accounts that were asked for and not looked up. */
  readonly unknown = new Set<string>();
  /** Accounts whose data was asked for and not looked up. */
  readonly unknownData = new Set<string>();
  /** Accounts that were asked for and are not judged yet. */
  readonly unjudged = new Set<string>();
  readonly #book: ContractBook;

  constructor(book: ContractBook) {
    this.#book = book;
  }

  jettonWallet(address: string) {
    return this.#noted(address).jettonWallets.get(address);
  }

  nftItem(address: string) {
    return this.#noted(address).nftItems.get(address);
  }

  nftSale(address: string) {
    return this.#noted(address).nftSales.get(address);
  }

  nftAuction(address: string) {
    return this.#noted(address).nftAuctions.get(address);
  }

  isNominatorPool(address: string): boolean {
    return this.#noted(address).nominatorPools.has(address);
  }

  multisigOrder(address: string) {
    return this.#noted(address).multisigOrders.get(address);
  }

  dedustPool(address: string) {
    return this.#noted(address).dedustPools.get(address);
  }

  dataOf(address: string): Buffer | undefined {
    const book = this.#noted(address);
    if (!book.knownData.has(address)) this.unknownData.add(address);
    return book.data.get(address);
  }

  #noted(address: string): ContractBook {
    const book = this.#book;
    if (!book.known.has(address)) this.unknown.add(address);
    else if (book.unjudged.has(address)) this.unjudged.add(address);
    return book;
  }
}
