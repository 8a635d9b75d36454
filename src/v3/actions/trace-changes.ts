import { CellFault } from '../../chain/boc/cell-fault.ts';
import { readRootBoc } from '../../chain/boc/read-root-boc.ts';
import { Slice } from '../../chain/boc/slice.ts';
import type { WholeTransaction } from '../../db/queries/whole-transactions.ts';
import { formatAccount } from '../account-bytes.ts';

/** A wallet of a jetton. */
export interface KnownWallet {
  readonly account: Buffer;
  readonly owner: Buffer;
  readonly jetton: Buffer;
}

/** What transactions changed, by raw address. */
export interface BalanceChanges {
  /** Nanotons, fees taken off. */
  readonly changes: Record<string, bigint>;
  readonly fees: Record<string, bigint>;
  /** Amounts by owner, then by jetton. */
  readonly jettons: Record<string, Record<string, bigint>>;
}

/**
 * Adds up what transactions changed. Each counts the message that led to it: what it brought goes from the sender to the
 * account, what it cost to forward is a fee of the sender. All else that the account paid is in the fees of the transaction.
 */
export function addUpChanges(
  transactions: readonly WholeTransaction[],
  wallets: readonly KnownWallet[],
): BalanceChanges {
  const [values, fees] = [new Sums(), new Sums()];
  const walletOf = new Map(wallets.map((wallet) => [wallet.account.toString('latin1'), wallet]));
  const jettons: Record<string, Record<string, bigint>> = {};
  for (const whole of transactions) {
    const { row, inMessage } = whole;
    const account = formatAccount(row.account);
    fees.add(account, BigInt(row.total_fees));
    if (inMessage?.peer) {
      const sender = formatAccount(inMessage.peer);
      // What was set aside for instant routing, which there is not, comes with the value.
      const value = BigInt(inMessage.value ?? 0) + BigInt(inMessage.ihr_fee ?? 0);
      values.add(sender, -value);
      values.add(account, value);
      fees.add(sender, BigInt(inMessage.fwd_fee ?? 0));
    }
    const wallet = walletOf.get(row.account.toString('latin1'));
    const moved = wallet && movedJettons(whole);
    if (moved === undefined) continue;
    const [owner, jetton] = [formatAccount(wallet!.owner), formatAccount(wallet!.jetton)];
    jettons[owner] ??= {};
    jettons[owner][jetton] = (jettons[owner][jetton] ?? 0n) + moved;
  }
  for (const [account, fee] of fees.all) values.add(account, -fee);
  return { changes: Object.fromEntries(values.all), fees: Object.fromEntries(fees.all), jettons };
}

class Sums {
  readonly all = new Map<string, bigint>();

  add(key: string, amount: bigint): void {
    this.all.set(key, (this.all.get(key) ?? 0n) + amount);
  }
}

const [TRANSFER, INTERNAL_TRANSFER, BURN, BURN_NOTIFICATION] = [
  0x0f8a7ea5, 0x178d4519, 0x595f07bc, 0x7bdd97de,
];
const BOUNCED = 0xffffffff;

/** What a request does to the jettons of the wallet that gets it; whatever came back was not spent. */
const SIGNS: ReadonlyMap<number, bigint> = new Map([
  [TRANSFER, -1n],
  [BURN, -1n],
  [INTERNAL_TRANSFER, 1n],
]);
const RETURNED: ReadonlySet<number> = new Set([INTERNAL_TRANSFER, BURN_NOTIFICATION]);

/** How the jettons of a wallet changed by one of its transactions; undefined where they did not. */
function movedJettons({ row, inMessage }: WholeTransaction): bigint | undefined {
  if (row.aborted || !inMessage?.body) return undefined;
  try {
    const bag = readRootBoc(inMessage.body);
    const body = new Slice(bag, bag.root);
    const opcode = body.uint(32);
    const isReturned = opcode === BOUNCED;
    const request = isReturned ? body.uint(32) : opcode;
    const sign = isReturned ? (RETURNED.has(request) ? 1n : undefined) : SIGNS.get(request);
    if (sign === undefined) return undefined;
    body.uint64();
    return sign * body.coins();
  } catch (error) {
    if (error instanceof CellFault) return undefined;
    throw error;
  }
}
