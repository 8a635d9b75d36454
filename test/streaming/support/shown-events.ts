import type { ResumingClient } from './resuming-client.ts';
import type { Json } from './stream-clients.ts';

/** What clients that watch some accounts must have seen. */
export interface Shown {
  readonly transactions: readonly string[];
  readonly actions: readonly string[];
  readonly states: readonly string[];
}

/** Where the index is read. */
interface ShownSource {
  readonly url: string;
  readonly key: string;
  readonly accounts: readonly string[];
  /** Only what later masterchain blocks have. */
  readonly afterSeqno?: number;
}

/** What the index has of some accounts. */
export async function readShown({ url, key, accounts, afterSeqno = 0 }: ShownSource): Promise<Shown> {
  const get = async (path: string): Promise<Json> => {
    const response = await fetch(`${url}${path}`, { headers: { 'x-api-key': key } });
    return response.json();
  };
  const shown = { transactions: [] as string[], actions: [] as string[], states: new Set<string>() };
  for (const account of accounts) {
    for (let offset = 0; ; offset += 500) {
      const page = `account=${account}&limit=500&offset=${offset}&sort=asc`;
      const { transactions } = await get(`/api/v3/transactions?${page}`);
      const { actions } = await get(`/api/v3/actions?${page}`);
      for (const one of transactions) {
        if (one.mc_block_seqno <= afterSeqno) continue;
        shown.transactions.push(one.hash);
        shown.states.add(`${account} ${one.account_state_after.hash} ${one.mc_block_seqno}`);
      }
      for (const one of actions) if (one.trace_mc_seqno_end > afterSeqno) shown.actions.push(one.action_id);
      if (transactions.length < 500 && actions.length < 500) break;
    }
  }
  // Of several transactions in a block only the last state is known.
  const states = [...shown.states]
    .map((text) => text.split(' '))
    .map(([account, , seqno]) => `${account} ${seqno}`);
  return {
    transactions: shown.transactions.sort(),
    actions: [...new Set(shown.actions)].sort(),
    states: [...new Set(states)].sort(),
  };
}

/** What a client has seen. */
export function shownBy({ events }: ResumingClient): Shown {
  const of = (type: string) => events.filter((event) => event.type === type);
  return {
    transactions: of('transactions')
      .flatMap(({ transactions }) => transactions.map(({ hash }: Json) => hash))
      .sort(),
    actions: of('actions')
      .flatMap(({ actions }) => actions.map((one: Json) => one.action_id))
      .sort(),
    states: of('account_state_change')
      .map(({ account, id }) => `${account} ${id.split('-')[0]}`)
      .sort(),
  };
}
