import type { LiveAccount } from './live-chain.ts';

const NO_HASH = Buffer.alloc(32);

/** What answers in the manner of v2 tell of any account. One that does not exist looks like one that holds nothing. */
export function liveMembers(live: LiveAccount | undefined) {
  return {
    balance: String(live?.balance ?? 0n),
    last_transaction_lt: String(live?.lastTransLt ?? 0n),
    last_transaction_hash: (live?.lastTransHash ?? NO_HASH).toString('base64'),
    status: liveStatus(live),
  };
}

/** In the words of v2, to which an account without code is uninitialized. */
function liveStatus(live: LiveAccount | undefined): 'active' | 'frozen' | 'uninitialized' {
  if (live?.code !== undefined) return 'active';
  return live?.frozenHash === undefined ? 'uninitialized' : 'frozen';
}
