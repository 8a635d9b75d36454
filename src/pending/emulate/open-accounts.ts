import type { ShardIdent } from '../../chain/tlb/shard-ident.ts';
import type { AccountPlace, EmulationMoment } from '../emulation-ground.ts';

/** An account that an emulation deals with. */
export interface OpenAccount {
  readonly place: AccountPlace;
  readonly shard: ShardIdent;
  /** The ShardAccount as it is now. */
  boc: Uint8Array;
  /** After its last transaction in this emulation; 0 before the first. */
  endLt: bigint;
}

/** The accounts of one emulation: each is read from the chain once, and carried on from there. */
export class OpenAccounts {
  readonly #moment: EmulationMoment;
  readonly #open = new Map<string, Promise<OpenAccount>>();

  constructor(moment: EmulationMoment) {
    this.#moment = moment;
  }

  open(place: AccountPlace): Promise<OpenAccount> {
    const name = `${place.workchain}:${place.hash.toString('latin1')}`;
    let account = this.#open.get(name);
    if (account === undefined) {
      account = this.#read(place);
      // Where it was read ahead its turn comes later, and a failure must have been noticed by then.
      account.catch(() => {});
      this.#open.set(name, account);
    }
    return account;
  }

  async #read(place: AccountPlace): Promise<OpenAccount> {
    const { boc, shard } = await this.#moment.account(place);
    return { place, shard: { workchain: place.workchain, shard }, boc, endLt: 0n };
  }
}
